import Glibc

/// A literal IPv4 or IPv6 address.
package enum IPAddress: Equatable, Sendable {
    case v4([UInt8])
    case v6([UInt8])

    /// Parses an address without port or brackets; nil for anything else, including names.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        // A C string ends at a NUL, so what follows would be ignored.
        guard !text.utf8.contains(0) else { return nil }
        if let bytes = Self.bytes(of: text, family: AF_INET, count: 4) {
            self = .v4(bytes)
        } else if let bytes = Self.bytes(of: text, family: AF_INET6, count: 16) {
            // An IPv4-mapped IPv6 address is that IPv4 address (RFC 4291, 2.5.5.2).
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xff, 0xff]
            self = isMapped ? .v4(Array(bytes.suffix(4))) : .v6(bytes)
        } else {
            return nil
        }
    }

    /// Whether the address is in 127.0.0.0/8, or ::1.
    package var isLoopback: Bool {
        switch self {
        case .v4(let bytes): bytes.first == 127
        case .v6(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        }
    }

    /// Whether the address is 0.0.0.0 or ::, which stand for every address of the machine.
    package var isWildcard: Bool {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes.allSatisfy { $0 == 0 }
        }
    }

    private static func bytes(of text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
