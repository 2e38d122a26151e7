import Color
import FlyingFox
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Capture
@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("GET /api/statistics")
struct StatisticsRouteTests {
    private struct Document: Decodable {
        struct Channels<Value: Decodable>: Decodable {
            var r: Value
            var g: Value
            var b: Value
        }

        var sequence: Int
        var pixels: Int?
        var sd: Channels<Double>?
        var histogram: Channels<[Int]>?
    }

    private let readings = Latest(Reading.sample)
    private let app: WebApp

    init() throws {
        var shared = try SharedState.sample()
        shared.readings = readings
        app = try WebApp.sample(shared)
    }

    private func get() async throws -> Document {
        let response = await app.handleRequest(.sample(.GET, "/api/statistics"))
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-store")
        return try JSONDecoder().decode(Document.self, from: try await response.bodyData)
    }

    @Test("the response has the statistics of the newest reading, with 256 counts for each channel")
    func newest() async throws {
        readings.update { reading in
            reading.sequence = 7
            reading.statistics?.pixels = 100
            reading.statistics?.histogram.r = [100] + [Int](repeating: 0, count: 255)
            reading.statistics?.histogram.b[255] = 3
        }
        let document = try await get()
        #expect(document.sequence == 7)
        #expect(document.pixels == 100)
        #expect(document.sd?.r == 3.1416)
        #expect(document.histogram?.r == [100] + [Int](repeating: 0, count: 255))
        #expect(document.histogram?.g.count == 256)
        #expect(document.histogram?.b[255] == 3)
    }

    @Test("without a colour, the response has no statistics, and is not an error")
    func unavailable() async throws {
        readings.publish(.noCamera)
        let document = try await get()
        #expect(document.sequence == 1)
        #expect(document.pixels == nil)
        #expect(document.histogram == nil)
    }

    @Test("statistics can only be read")
    func method() async {
        let response = await app.handleRequest(.sample(.POST, "/api/statistics"))
        #expect(response.statusCode == .methodNotAllowed)
    }
}
