import Color
import FlyingFox
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("GET /api/statistics")
struct StatisticsRouteTests: RouteTests {
    let app: WebApp

    init() throws { app = try WebApp.sample(.sample()) }

    @Test("the response has the statistics of the newest reading, with 256 counts for each channel")
    func newest() async throws {
        shared.readings.update { reading in
            reading.sequence = 7
            reading.statistics?.pixels = 100
            reading.statistics?.histogram.r = [100] + [Int](repeating: 0, count: 255)
            reading.statistics?.histogram.b[255] = 3
        }
        let response = await get("/api/statistics")
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-store")
        let document = try await json(response)
        #expect(document["sequence"] as? Int == 7)
        #expect(document["pixels"] as? Int == 100)
        #expect((document["sd"] as? [String: Double])?["r"] == 3.1416)
        let histogram = try #require(document["histogram"] as? [String: [Int]])
        #expect(histogram["r"] == [100] + [Int](repeating: 0, count: 255))
        #expect(histogram["g"]?.count == 256)
        #expect(histogram["b"]?[255] == 3)
    }

    @Test("without a colour, the response has no statistics, and is not an error")
    func unavailable() async throws {
        shared.readings.publish(.noCamera)
        let response = await get("/api/statistics")
        #expect(response.statusCode == .ok)
        let document = try await json(response)
        #expect(document["sequence"] as? Int == 1)
        #expect(!(document["pixels"] is Int) && !(document["histogram"] is [String: Any]))
    }
}
