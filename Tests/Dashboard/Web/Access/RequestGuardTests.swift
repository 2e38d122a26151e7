import FlyingFox
import Foundation
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Request guard")
struct RequestGuardTests {
    private func refusal(of request: HTTPRequest, from client: Client = Client()) -> HTTPError? {
        RequestGuard(Config.Web(address: "127.0.0.1")).refusal(of: request, from: client)
    }

    @Test(
        "only requests for this machine's own names are accepted",
        arguments: [
            ("127.0.0.1", "localhost:8080", nil), ("127.0.0.1", "LOCALHOST", nil),
            ("127.0.0.1", "127.0.0.1:8080", nil), ("127.0.0.1", "127.9.9.9:1", nil),
            ("127.0.0.1", "[::1]:8080", nil), ("127.0.0.1", "[::ffff:127.0.0.1]", nil),
            ("192.168.1.5", "192.168.1.5:8080", nil), ("fd00::5", "[fd00:0::5]:8080", nil),
            ("0.0.0.0", "192.168.1.7:8080", nil), ("::", "[fe80::1]:8080", nil),
            ("127.0.0.1", "192.168.1.5:8080", 421), ("192.168.1.5", "192.168.1.6:8080", 421),
            ("127.0.0.1", "evil.example", 421), ("127.0.0.1", "localhost.evil.example:8080", 421),
            ("127.0.0.1", "127.0.0.1.evil.example", 421), ("0.0.0.0", "evil.example:8080", 421),
            ("127.0.0.1", "0x7f000001", 421),
            ("127.0.0.1", "", 400), ("127.0.0.1", "localhost:port", 400), ("127.0.0.1", "localhost:99999", 400),
            ("127.0.0.1", "[::1", 400), ("127.0.0.1", ":8080", 400), ("127.0.0.1", "user@localhost:8080", 421),
        ] as [(String, String, Int?)])
    func host(address: String, host: String, status: Int?) {
        let refusal = RequestGuard(Config.Web(address: address)).refusal(of: .sample(headers: ["Host": host]))
        #expect(refusal?.status.code == status)
    }

    @Test(
        "requests for configured host names are accepted",
        arguments: [
            ("raspberrypi.local:8080", nil), ("RaspberryPi.Local", nil), ("raspberrypi", 421),
            ("evil.raspberrypi.local", 421), ("raspberrypi.local.evil.example", 421), ("localhost", nil),
        ] as [(String, Int?)])
    func ownName(host: String, status: Int?) {
        let web = Config.Web(address: "127.0.0.1", allowedHosts: ["raspberrypi.local"])
        #expect(RequestGuard(web).refusal(of: .sample(headers: ["Host": host]))?.status.code == status)
    }

    @Test(
        "requests for the name of the machine are accepted, alone and as mDNS announces it",
        arguments: [
            ("pi4", nil), ("PI4.local:8080", nil), ("pi4.example", 421), ("local", 421), (".local", 421),
            ("other.local", 421),
        ] as [(String, Int?)])
    func machineName(host: String, status: Int?) {
        let gate = RequestGuard(Config.Web(), machine: "Pi4.lan")
        #expect(gate.refusal(of: .sample(headers: ["Host": host]))?.status.code == status)
    }

    @Test("only HTTP/1.0 may leave out the Host header")
    func missingHost() {
        var request = HTTPRequest.sample()
        request.headers[.host] = nil
        #expect(refusal(of: request)?.status == .badRequest)
        let old = HTTPRequest(
            method: .GET, version: HTTPVersion("HTTP/1.0"), path: "/healthz", query: [], headers: [:], body: Data())
        #expect(refusal(of: old) == nil)
    }

    @Test("a body without a length is refused with 411")
    func chunked() {
        let refusal = refusal(of: .sample(.PUT, headers: ["Transfer-Encoding": "chunked"]))
        #expect(refusal?.status.code == 411 && refusal?.code == "no-length")
    }

    @Test("a client that a proxy has admitted may use any host name, but no page of another origin")
    func admitted() {
        let request = HTTPRequest.sample(
            .PUT, headers: ["Host": "ha.example:8123", "Origin": "https://ha.example:8123"])
        #expect(refusal(of: request, from: Client(usesTLS: true, isAdmitted: true)) == nil)
        #expect(refusal(of: request, from: Client(usesTLS: true))?.status.code == 421)
        let other = HTTPRequest.sample(.PUT, headers: ["Host": "ha.example", "Origin": "https://evil.example"])
        #expect(refusal(of: other, from: Client(usesTLS: true, isAdmitted: true))?.code == "wrong-origin")
    }

    /// The headers by which a browser or a script reports the origin of a request.
    struct Provenance: CustomTestStringConvertible, Sendable {
        var origin: String?
        var site: String?
        var status: Int?

        var testDescription: String { "Origin: \(origin ?? "-"), Sec-Fetch-Site: \(site ?? "-")" }

        var headers: [String: String] {
            var headers: [String: String] = [:]
            headers["Origin"] = origin
            headers["Sec-Fetch-Site"] = site
            return headers
        }

        static let all: [Provenance] = [
            .init(), .init(site: "same-origin"), .init(site: "none"),
            .init(origin: "http://localhost:8080"), .init(origin: "http://LOCALHOST:8080", site: "same-origin"),
            .init(origin: "http://localhost:9090", status: 403), .init(origin: "http://localhost", status: 403),
            .init(origin: "http://127.0.0.1:8080", status: 403), .init(origin: "https://evil.example", status: 403),
            .init(origin: "http://localhost:8080.evil.example", status: 403),
            .init(origin: "http://localhost:8080@evil.example", status: 403), .init(origin: "null", status: 403),
            .init(origin: "file://localhost:8080", status: 403), .init(site: "cross-site", status: 403),
            .init(site: "same-site", status: 403), .init(origin: "https://localhost:8080", status: 403),
            .init(origin: "https://localhost:8080", site: "cross-site", status: 403),
            .init(origin: "http://localhost:8080", site: "cross-site", status: 403),
            .init(origin: "http://localhost:8080", site: "same-site", status: 403),
            .init(origin: "http://localhost:8080", site: "nonsense", status: 403),
            .init(origin: "http://localhost:8080/", status: 403), .init(origin: "", status: nil),
            .init(origin: "http://localhost:8080, http://localhost:8080", status: 403),
        ]
    }

    @Test(
        "only this server's pages and programs other than browsers may open WebSockets or make changes",
        arguments: Provenance.all)
    func provenance(_ provenance: Provenance) {
        let upgrade = HTTPRequest.upgrade.merging(provenance.headers) { $1 }
        #expect(refusal(of: .sample(.GET, "/ws", headers: upgrade))?.status.code == provenance.status)
        #expect(refusal(of: .sample(.POST, "/", headers: provenance.headers))?.status.code == provenance.status)
    }

    @Test(
        "the scheme of a page is that of the client's connection",
        arguments: [
            ("https://localhost", true, nil), ("http://localhost", true, 403), ("https://localhost:443", true, nil),
            ("https://localhost:8443", true, 403), ("http://localhost:80", false, nil),
            ("https://localhost", false, 403),
        ] as [(String, Bool, Int?)])
    func scheme(origin: String, usesTLS: Bool, status: Int?) {
        let refusal = refusal(
            of: .sample(.POST, headers: ["Host": "localhost", "Origin": origin]), from: Client(usesTLS: usesTLS))
        #expect(refusal?.status.code == status)
    }

    @Test("a link from another site may lead to a page")
    func link() {
        #expect(refusal(of: .sample(headers: ["Sec-Fetch-Site": "cross-site"])) == nil)
    }

    @Test(
        "a request with a body that is not read ends the connection",
        arguments: [
            ("Content-Length", "65536", nil), ("Content-Length", "65537", 413),
            ("Content-Length", "99999999999999999999", 413), ("Transfer-Encoding", "chunked", 411),
        ] as [(String, String, Int?)])
    func body(header: String, value: String, status: Int?) {
        let refusal = refusal(of: .sample(.POST, headers: [header: value]))
        #expect(refusal?.status.code == status)
        #expect(refusal?.closesConnection == (status == nil ? nil : true))
    }

    @Test("the body of a chart or a calibration may have four times the length", arguments: [262_144, 262_145])
    func bodyOfChart(length: Int) async throws {
        let app = try WebApp.sample(.sample())
        for path in ["/api/chart", "/api/calibration"] {
            let request = HTTPRequest.sample(.PATCH, path, headers: ["Content-Length": "\(length)"])
            #expect(await app.handleRequest(request).statusCode.code == (length == 262_144 ? 405 : 413))
        }
    }
}
