/// Follows one part of a value that others replace, such as the keys of the configuration that one thread needs.
///
/// Values that come and go between two looks are missed, as with ``Latest``; so the part is compared, here and nowhere
/// else. That happens only after the value was replaced: a look in between costs a lock.
package struct Follower<Value: Sendable, Part: Equatable> {
    private let latest: Latest<Value>
    private let part: @Sendable (Value) -> Part
    /// Of the value that was last looked at.
    private var revision: UInt64
    /// The part, as it was when ``change()`` was last called.
    package private(set) var current: Part

    /// Starts with the newest value.
    package init(_ latest: Latest<Value>, _ part: @escaping @Sendable (Value) -> Part) {
        self.latest = latest
        self.part = part
        (revision, current) = latest.read(part)
    }

    /// Returns the part if it has changed since this was last called, else nil.
    package mutating func change() -> Part? {
        guard let newest = newest() else { return nil }
        (revision, current) = newest
        return current
    }

    /// Returns whether ``change()`` would return a part, which it still does afterwards.
    package mutating func hasChanged() -> Bool { newest() != nil }

    private mutating func newest() -> (revision: UInt64, part: Part)? {
        guard latest.revision != revision else { return nil }
        let newest = latest.read(part)
        guard newest.part == current else { return newest }
        revision = newest.revision
        return nil
    }
}
