/// A follower of one part of a shared value, such as the keys of the configuration that one thread needs.
///
/// A part that changes and changes back between two calls has not changed, because ``Latest`` keeps no history. The
/// part is compared only if the value has been replaced; otherwise a call costs one lock.
public struct Follower<Value: Sendable, Part: Equatable> {
    @usableFromInline let latest: Latest<Value>
    @usableFromInline let part: @Sendable (Value) -> Part
    /// The revision of the value that was last read.
    @usableFromInline var revision: UInt64
    @usableFromInline var lastPart: Part

    /// The part as of the last call of ``takeChange()``, or as of the start before the first call.
    package var current: Part { lastPart }

    /// Starts with the newest value.
    package init(_ latest: Latest<Value>, _ part: @escaping @Sendable (Value) -> Part) {
        self.latest = latest
        self.part = part
        (revision, lastPart) = latest.read(part)
    }

    /// Returns the part if it has changed since the last call; otherwise nil.
    @inlinable public mutating func takeChange() -> Part? {
        guard let newest = newest() else { return nil }
        (revision, lastPart) = newest
        return lastPart
    }

    /// Returns whether ``takeChange()`` would return a part, without consuming the change.
    ///
    /// This is mutating because a new value with the same part counts as read, so that it is compared only once.
    @inlinable public mutating func hasChanged() -> Bool { newest() != nil }

    @inlinable mutating func newest() -> (revision: UInt64, part: Part)? {
        guard latest.revision != revision else { return nil }
        let newest = latest.read(part)
        guard newest.part == lastPart else { return newest }
        revision = newest.revision
        return nil
    }
}
