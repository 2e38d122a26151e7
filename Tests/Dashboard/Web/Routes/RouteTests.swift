import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard

/// A suite that sends requests with JSON to an application.
protocol RouteTests {
    var app: WebApp { get }
}

extension RouteTests {
    func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async -> HTTPResponse {
        let headers = body == nil ? [:] : ["Content-Type": "application/json"]
        return await app.handleRequest(.sample(method, path, headers: headers, body: Data((body ?? "").utf8)))
    }

    func json(_ response: HTTPResponse) async throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: try await response.bodyData) as? NSDictionary)
    }

    func code(_ response: HTTPResponse) async throws -> String? {
        (try await json(response)["error"] as? [String: Any])?["code"] as? String
    }
}
