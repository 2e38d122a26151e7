import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

/// A suite that sends requests to an application.
protocol RouteTests: Sendable {
    var app: WebApp { get }
}

extension RouteTests {
    /// The state that the application serves.
    var shared: SharedState { app.shared }

    func send(
        _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async -> HTTPResponse {
        let type = body == nil ? [:] : ["Content-Type": "application/json"]
        return await app.handleRequest(
            .sample(method, path, headers: type.merging(headers) { $1 }, body: Data((body ?? "").utf8)))
    }

    func get(_ path: String, _ headers: [String: String] = [:]) async -> HTTPResponse {
        await send(.GET, path, headers: headers)
    }

    func text(_ response: HTTPResponse) async throws -> String {
        String(decoding: try await response.bodyData, as: UTF8.self)
    }

    func json(_ response: HTTPResponse) async throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: try await response.bodyData) as? NSDictionary)
    }

    func error(in response: HTTPResponse) async throws -> [String: String] {
        try #require(try await json(response)["error"] as? [String: String])
    }

    func code(_ response: HTTPResponse) async throws -> String? { try await error(in: response)["code"] }

    /// Returns the status and the code of an error, such as "409 samples-full".
    func refusal(_ response: HTTPResponse) async throws -> String {
        "\(response.statusCode.code) \(try await error(in: response)["code"] ?? "")"
    }

    /// Sends a request that measures, while the camera delivers frames.
    /// - Parameters:
    ///   - color: Changes the colour of each reading.
    ///   - change: Changes the program after the first reading.
    func measure(
        _ method: HTTPMethod, _ path: String, _ body: String, headers: [String: String] = [:],
        color: (inout Reading) -> Void = { _ in }, _ change: (SharedState) -> Void = { _ in }
    ) async -> HTTPResponse {
        let (shared, watchers) = (shared, shared.demand.changes())
        async let response = send(method, path, body, headers: headers)
        for await count in watchers where count > 0 { break }
        var sequence: UInt32 = shared.readings.value.frame?.sequence ?? 0
        let first = sequence + 1
        await waitUntil("nobody watches any more") {
            guard shared.demand.isWatching else { return true }
            sequence += 1
            let time = MonotonicTime(nanoseconds: Int64(sequence))
            shared.readings.update {
                $0.frame?.sequence = sequence
                $0.frame?.time = time
                $0.frame?.firstTime = time
                color(&$0)
            }
            if sequence == first { change(shared) }
            return false
        }
        return await response
    }
}
