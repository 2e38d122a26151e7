import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("The route of the metrics")
struct MetricsRouteTests: RouteTests {
    let app: WebApp

    init() throws {
        let shared = try SharedState.sample()
        shared.config.update {
            $0.effective.web.token = Token(String(repeating: "c", count: 43))
            $0.effective.web.viewToken = Token(String(repeating: "v", count: 43))
        }
        app = try WebApp.sample(shared)
    }

    private func metrics(_ token: Character?) async -> HTTPResponse {
        let headers = token.map { ["Authorization": "Bearer \(String(repeating: $0, count: 43))"] }
        return await get("/metrics", headers ?? [:])
    }

    @Test("the metrics tell the version, the reading, the clients and what the process uses, and must not be cached")
    func content() async throws {
        let viewer = try #require(shared.pictures.join(.live))
        let response = await metrics("v")
        #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
        let text = try await text(response)
        #expect(text.hasPrefix("# HELP swatchcam_build_info The running version; always 1.\n"))
        #expect(text.contains("\nswatchcam_build_info{version=\"1.2.3\"} 1\n"))
        #expect(text.contains("\nswatchcam_readings_total 1042\n"))
        #expect(text.contains("\nswatchcam_clients{kind=\"websocket\"} 0\nswatchcam_clients{kind=\"picture\"} 1\n"))
        #expect(text.contains("\nprocess_start_time_seconds "))
        withExtendedLifetime(viewer) {}
    }

    @Test("docs/prometheus.md lists every metric; SWATCHCAM_WRITE_DOCS=1 writes the list")
    func document() throws {
        let metrics = MetricsWriter(.sample, version: "", clients: [:], isConnected: nil)
        try expectTable(
            "metrics", in: "prometheus.md",
            metrics.declarations.map { metric in
                let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
                return ["`\(metric.name)`", labels, metric.help]
            })
    }

    @Test("the metrics require a token, for which the view token is enough, unless metrics.open is set")
    func access() async {
        #expect(await metrics(nil).statusCode == .unauthorized)
        #expect(await metrics("x").statusCode == .unauthorized)
        #expect(await metrics("v").statusCode == .ok)
        shared.config.update { $0.effective.metrics.open = true }
        #expect(await metrics(nil).statusCode == .ok)
        #expect(await metrics("x").statusCode == .ok)
        shared.config.update { $0.effective.metrics.open = false }
        #expect(await metrics(nil).statusCode == .unauthorized)
    }

    @Test("open metrics take places of those without full access")
    func share() async {
        shared.config.update { $0.effective.metrics.open = true }
        let others = (1...3).compactMap {
            app.shares.transfers.begin(.max, for: ClientKey(network: IPNetwork("192.0.2.\($0)"), access: .view))
        }
        #expect(await metrics(nil).statusCode == .serviceUnavailable)
        shared.config.update { $0.effective.metrics.open = false }
        #expect(await metrics("c").statusCode == .ok)
        withExtendedLifetime(others) {}
    }

    @Test("the figures of the process are what the kernel says")
    func process() throws {
        let usage = ProcessUsage.current
        #expect(try #require(usage.processorTime) > 0)
        #expect(try #require(usage.residentBytes) > 1_000_000)
        #expect(try #require(usage.openFiles) > 3)
        let age = Date().timeIntervalSince1970 - (try #require(usage.startTime))
        #expect(0...3600 ~= age)
    }

    @Test(
        "the start of a process is found after its name, which may contain anything",
        arguments: [("swatchcam", 4242.0), (") 1 (a b", 4242)])
    func startTicks(name: String, expected: Double) {
        let before = Array(repeating: "0", count: 19).joined(separator: " ")
        #expect(ProcessUsage.startTicks(stat: "7 (\(name)) \(before) 4242 8 9\n") == expected)
    }

    @Test("what cannot be understood is no figure", arguments: ["", "7", "7 (a) S 1", "x y"])
    func unknown(text: String) {
        #expect(ProcessUsage.startTicks(stat: text) == nil)
        #expect(ProcessUsage.residentPages(statm: text) == nil)
    }
}
