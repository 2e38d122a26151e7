import FoundationEssentials

/// A secret that gives a client access. Only `swatchcam token` prints one, once.
package struct Token: Equatable, Sendable {
    /// The minimum length: 128 bits need 22 characters of base64, so this leaves a margin.
    static let minLength = 32
    static let maxLength = 256

    private let bytes: [UInt8]

    /// Makes a token of 32 to 256 characters that are allowed in a bearer token (RFC 6750, 2.1); nil for any other
    /// text.
    init?(_ text: String) {
        guard (Self.minLength...Self.maxLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isWordCharacter || ".~+/=".utf8.contains($0) })
        else {
            return nil
        }
        bytes = Array(text.utf8)
    }

    /// Whether a client has sent this token. The time that it takes does not reveal how much of the token is right.
    package func matches(_ candidate: String) -> Bool {
        let candidate = Array(candidate.utf8)
        var difference = UInt(bitPattern: candidate.count ^ bytes.count)
        for (index, byte) in bytes.enumerated() {
            difference |= UInt(byte ^ (index < candidate.count ? candidate[index] : 0))
        }
        return difference == 0
    }

    /// The value of an `Authorization` header with this token.
    package var authorization: String { "Bearer \(String(decoding: bytes, as: UTF8.self))" }

    /// Returns a new token: 256 random bits from the kernel, in base64url (RFC 4648, 5).
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

extension Token: CustomStringConvertible, CustomReflectable {
    package var description: String { "hidden" }
    /// Hides the secret from `dump` and from the messages of failed expectations.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension UInt8 {
    /// Whether this is an ASCII letter, a digit, `-` or `_`.
    var isWordCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
