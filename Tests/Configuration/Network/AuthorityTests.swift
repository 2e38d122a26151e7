import Testing

@testable import Configuration

@Suite("Authorities and origins")
struct AuthorityTests {
    @Test(
        "an authority is a host with or without a port",
        arguments: [
            ("localhost", "localhost", nil), ("LocalHost:8080", "localhost", 8080), ("1.2.3.4:0", "1.2.3.4", 0),
            ("[::1]", "::1", nil), ("[FE80::1]:65535", "fe80::1", 65535), ("a!~:1", "a!~", 1),
        ] as [(String, String, UInt16?)])
    func parts(text: String, host: String, port: UInt16?) throws {
        let authority = try #require(Authority(text))
        #expect(authority.host == host)
        #expect(authority.port == port)
    }

    @Test("a text in another form is neither an authority nor an origin")
    func unreadable() {
        for text in [
            "", ":80", "[]", "[::1", "::1", "a:", "a:65536", "a:-1", "a:8o", "a:1:2", "a b", "a\u{7F}", "ä", "[::1]80",
            "[::1]]:80", "a:/", "a::",
        ] {
            #expect(Authority(text) == nil, "\(text)")
        }
        for text in ["null", "ws://a", "http:/a", "http//a", "http://"] { #expect(WebOrigin(text) == nil, "\(text)") }
    }

    @Test(
        "an authority is written as in a URL",
        arguments: [("localhost", nil, "localhost"), ("::1", 80, "[::1]:80"), ("127.0.0.1", 8080, "127.0.0.1:8080")]
            as [(String, UInt16?, String)])
    func description(host: String, port: UInt16?, text: String) {
        #expect(Authority(host: host, port: port).description == text)
    }

    @Test(
        "an origin has the default port of its scheme if it names none",
        arguments: [("http://a", "http", 80), ("HTTPS://a", "https", 443), ("https://a:80", "https", 80)]
            as [(String, String, UInt16)])
    func origin(text: String, scheme: String, port: UInt16) throws {
        let origin = try #require(WebOrigin(text))
        #expect((origin.scheme, origin.host, origin.port) == (scheme, "a", port))
    }
}
