import Foundation

/// A secret that a client shows to be let in. Nothing prints it but `swatchcam token`, once.
package struct Token: Equatable, Sendable {
    /// As many as 128 bits need with a few letters to spare (22 in base64), and what people are told to use.
    static let shortest = 32
    static let longest = 256

    private let bytes: [UInt8]

    /// - Parameter text: 32 to 256 of the letters that a bearer token is made of (RFC 6750, 2.1), which a cookie may
    ///   hold, too; nil: it is something else.
    init?(_ text: String) {
        guard (Self.shortest...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Self.isLetter) else {
            return nil
        }
        bytes = Array(text.utf8)
    }

    /// Whether a client has shown this very token; how much of it was right cannot be told from the time that it takes.
    package func matches(_ shown: String) -> Bool {
        let shown = Array(shown.utf8)
        var difference = UInt(bitPattern: shown.count ^ bytes.count)
        for (index, byte) in bytes.enumerated() {
            difference |= UInt(byte ^ (index < shown.count ? shown[index] : 0))
        }
        return difference == 0
    }

    /// The value of an `Authorization` header that shows it.
    package var authorization: String { "Bearer \(String(decoding: bytes, as: UTF8.self))" }

    /// 256 random bits from the kernel, in the letters of base64url (RFC 4648, 5).
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}

extension Token: CustomStringConvertible, CustomReflectable {
    package var description: String { "hidden" }
    /// `dump` and the messages of failed expectations look inside.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Token: ConfigRepresentable {
    var configValue: ConfigValue? { .string(description) }
}
