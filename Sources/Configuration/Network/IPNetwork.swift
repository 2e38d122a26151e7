import Glibc

/// A network: all IP addresses that begin with the same bits (RFC 4632, 3.1; RFC 4291, 2.3).
package struct IPNetwork: Hashable, Sendable {
    /// The first address, in network byte order: 4 or 16 bytes.
    private let bytes: [UInt8]
    /// The number of leading bits that all addresses share: 0...32 or 0...128.
    private let length: Int

    private init(_ address: IPAddress, length: Int) {
        var bytes = address.bytes
        for index in bytes.indices { bytes[index] &= Self.mask(ofByte: index, length: length) }
        (self.bytes, self.length) = (bytes, length)
    }

    /// Parses `192.168.0.0/16`, `fd00::/8` or a single address; nil for anything else.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first.flatMap(String.init), let address = IPAddress(first) else { return nil }
        let maxLength = address.bytes.count * 8
        guard parts.count == 2 else {
            self.init(address, length: maxLength)
            return
        }
        let digits = parts[1]
        guard (1...3).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let length = String(digits).flatMap(Int.init), length <= maxLength
        else { return nil }
        // In `::ffff:192.168.0.0/112` the length counts the bits of the IPv6 form, not of the IPv4 address.
        guard !first.contains(":") || address.bytes.count == 16 else { return nil }
        self.init(address, length: length)
    }

    /// Returns the network of one client: its IPv4 address, or its IPv6 /64, the least that a provider assigns (RFC
    /// 6177, 2).
    package static func ofClient(at address: IPAddress) -> IPNetwork {
        switch address {
        case .v4: IPNetwork(address, length: 32)
        case .v6: IPNetwork(address, length: 64)
        }
    }

    /// Whether it is in 127.0.0.0/8, or is ::/64, the network of ::1.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 && length >= 8 : length >= 64 && bytes.prefix(8).allSatisfy { $0 == 0 }
    }

    /// Returns whether an address is in the network. An IPv4 address is never in an IPv6 network.
    package func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == bytes.count && IPNetwork(address, length: length) == self
    }

    private static func mask(ofByte index: Int, length: Int) -> UInt8 {
        let bits = min(max(length - index * 8, 0), 8)
        return UInt8(truncatingIfNeeded: 0xff00 >> bits)
    }
}

extension IPNetwork: CustomStringConvertible {
    /// `192.0.2.1`, `2001:db8::/64`
    package var description: String {
        let address = IPAddress.text(of: bytes)
        return length == bytes.count * 8 ? address : "\(address)/\(length)"
    }
}

extension IPAddress {
    /// The address in network byte order: 4 or 16 bytes.
    var bytes: [UInt8] {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes
        }
    }

    fileprivate static func text(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
