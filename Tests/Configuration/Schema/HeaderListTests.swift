import Testing

@testable import Configuration

/// Tests of configured values that are sent to clients in a header, or compared with a header that they send.
@Suite("Lists of origins and hosts")
struct HeaderListTests {
    private static let letters = Array(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".unicodeScalars)

    private func isOrigin(_ text: String) -> Bool {
        (try? ConfigCodec<[String]>.origins.decode(.list([.string(text)]), "/")) != nil
    }

    private func isHost(_ text: String) -> Bool {
        (try? ConfigCodec<[String]>.hostNames.decode(.list([.string(text)]), "/")) != nil
    }

    @Test("a host name with a scalar that has a meaning in a header is refused")
    func hostNames() {
        for value in (0...0x3FFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value), !Self.letters.contains(scalar) else { continue }
            let host = "a\(scalar)b"
            #expect(!isHost(host), "\(host.debugDescription)")
            // A colon separates the port.
            #expect(scalar == ":" || !isOrigin("http://\(host)"), "\(host.debugDescription)")
            #expect(!isOrigin("http\(scalar)://a"))
            #expect(!isOrigin("http://\(scalar)"))
        }
        for scalar in Self.letters { #expect(isHost("a\(scalar)b") && isOrigin("https://a\(scalar)b")) }
    }

    @Test("the port of an origin may be 1 to 65535 in ASCII digits, and nothing else")
    func port() {
        for text in ["1", "80", "8123", "65535"] { #expect(isOrigin("http://a:\(text)"), "\(text)") }
        for text in [
            "", "+80", "-80", " 80", "80 ", "0", "080", "65536", "99999", "123456", "٣", "８０", "8\u{301}", "1e3",
            "0x50",
            "80;", "80/", "80:80", "80,http://b", "*", "'self'",
        ] {
            #expect(!isOrigin("http://a:\(text)"), "\(text)")
        }
    }
}
