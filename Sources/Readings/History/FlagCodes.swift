/// A set of reasons for doubt, in two bytes.
package struct FlagCodes: Equatable, Sendable {
    private static let all = Quality.Flag.Code.allCases

    private var bits: UInt16 = 0

    package init(_ codes: some Sequence<Quality.Flag.Code> = []) {
        for (index, code) in Self.all.enumerated() where codes.contains(code) { bits |= 1 << index }
    }

    /// The reasons, in the order in which `Quality.Flag.Code` lists them.
    package var codes: [Quality.Flag.Code] {
        Self.all.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
    }

    /// Adds the reasons of another set.
    package mutating func formUnion(_ other: Self) { bits |= other.bits }
}
