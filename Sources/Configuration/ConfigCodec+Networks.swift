extension ConfigCodec<[String]> {
    /// Addresses, or networks of them.
    static let networks = ConfigCodec(
        wanted: "a list of addresses or networks such as [\"127.0.0.1\", \"fd00::/8\"]",
        range: "IPv4 or IPv6 addresses, or networks in CIDR notation",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value) { text in
                IPNetwork(text) == nil
                    ? "is not an address or a network; write one such as 127.0.0.1 or 192.168.0.0/16" : nil
            }
        },
        encode: encode)
}
