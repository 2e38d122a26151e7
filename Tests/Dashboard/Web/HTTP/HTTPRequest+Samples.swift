import FlyingFox
import Foundation

extension HTTPRequest {
    /// Returns a request as it would arrive over the wire; `path` is raw and may have a query.
    static func sample(
        _ method: HTTPMethod = .GET, _ path: String = "/", headers: [String: String] = [:], body: Data = Data()
    ) -> HTTPRequest {
        var all = HTTPHeaders()
        all[.host] = "localhost:8080"
        for (name, value) in headers { all[HTTPHeader(name)] = value.isEmpty ? nil : value }
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return HTTPRequest(
            method: method, version: .http11,
            target: .init(path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : ""),
            headers: all, body: HTTPBodySequence(data: body))
    }

    /// The headers that request a WebSocket.
    static let upgrade = [
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
}
