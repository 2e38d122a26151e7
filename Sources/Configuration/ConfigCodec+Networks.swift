extension ConfigCodec<[String]> {
    /// IP addresses and networks.
    static let networks = ConfigCodec(
        expected: "a list of addresses or networks such as [\"127.0.0.1\", \"fd00::/8\"]",
        allowedValues: "IPv4 or IPv6 addresses, or networks in CIDR notation",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value) { text in
                IPNetwork(text) == nil
                    ? "is not an address or a network; expected one such as 127.0.0.1 or 192.168.0.0/16" : nil
            }
        },
        encode: encode)
}
