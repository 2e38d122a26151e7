/// An id that distinguishes an instance of Swatchcam from others that use the same broker: 12 random digits of
/// `[0-9a-f]`.
package enum InstanceID {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func make() -> String {
        String(decoding: (0..<12).map { _ in digits[Int.random(in: digits.indices)] }, as: UTF8.self)
    }

    /// Returns an id that was stored; nil if it is not valid.
    package static func accept(_ id: String) -> String? {
        id.utf8.count == 12 && id.utf8.allSatisfy(digits.contains) ? id : nil
    }
}
