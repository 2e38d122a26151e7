import Files
import FoundationEssentials
import Glibc

/// The id of this instance of Swatchcam among all that use a broker.
enum InstanceID {
    /// Returns the id: 12 of `[0-9a-f]`, the same at each start.
    ///
    /// It is a hash, because machine-id(5) asks to keep the id of the machine confidential.
    /// - Parameter port: The port of the web server, which tells the instances on a machine apart.
    static func make(machine: String, port: UInt16) -> String {
        let digest = SHA256.digest(Array("swatchcam \(machine) \(port)".utf8))
        return digest.prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    /// The id of this machine, or else its name.
    static var machine: String {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let data = (try? RegularFile.content(of: path, maxSize: 4096, followsLinks: true)) ?? nil else {
                continue
            }
            // It is "uninitialized" during the first boot.
            let text = String(decoding: data, as: UTF8.self).prefix { $0.isHexDigit }
            if text.count == 32 { return String(text) }
        }
        return hostName
    }

    /// The name of this machine without its domain.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(text.prefix { $0 != "." })
    }
}

/// SHA-256 (FIPS 180-4), for short texts.
enum SHA256 {
    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    static func digest(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<start + 64], to: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for t in 16..<64 {
            let (x, y) = (words[t - 15], words[t - 2])
            let s0 = rotated(x, 7) ^ rotated(x, 18) ^ x >> 3
            let s1 = rotated(y, 17) ^ rotated(y, 19) ^ y >> 10
            words.append(words[t - 16] &+ s0 &+ words[t - 7] &+ s1)
        }
        var v = state
        for t in 0..<64 {
            let s1 = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let t1 = v[7] &+ s1 &+ choice &+ constants[t] &+ words[t]
            let s0 = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
        }
        for index in state.indices { state[index] &+= v[index] }
    }
}
