/// Bytes that are taken one after the other to decide what to test; after their end, each is 0.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// Takes a little-endian number.
    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type = Value.self) -> Value {
        (0..<Value.bitWidth / 8).reduce(0) { $0 | Value(byte()) << Value(8 * $1) }
    }

    /// Takes a number in a range of at most 65536.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        let wide = range.count > 256 ? Int(integer(UInt16.self)) : Int(byte())
        return range.lowerBound + wide % range.count
    }

    mutating func element<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

    /// Takes all bytes that are left.
    mutating func bytes() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
