import FlyingFox
import Foundation

extension HTTPResponse {
    /// A response whose body goes out in one send.
    init(statusCode: HTTPStatusCode = .ok, content: Data, type: String, headers: [HTTPHeader: String] = [:]) {
        self.init(
            statusCode: statusCode,
            headers: HTTPHeaders(headers.merging([.contentType: type]) { given, _ in given }),
            body: HTTPBodySequence(data: content, suggestedBufferSize: max(content.count, 1)))
    }

    /// A document of the API: keys in alphabetical order, never kept.
    static func json(_ document: some Encodable, status: HTTPStatusCode = .ok) -> HTTPResponse {
        HTTPResponse(
            statusCode: status, content: jsonContent(of: document), type: "application/json",
            headers: [.cacheControl: "no-store"])
    }

    static func jsonContent(of document: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers can always be encoded.
        return (try? encoder.encode(document)) ?? Data()
    }

    /// The answer to HEAD: the same head, no body (RFC 9110, 9.3.2).
    var withoutBody: HTTPResponse {
        guard case .httpBody(let body) = payload else { return self }
        var response = self
        if response.headers[.contentLength] == nil, let count = body.count {
            response.headers[.contentLength] = String(count)
        }
        response.payload = .httpBody(HTTPBodySequence())
        return response
    }

    /// Headers that every response carries: nothing is loaded from elsewhere, and nobody elsewhere embeds or reads it.
    /// - Parameter embedders: Sites that may show it in a frame all the same.
    func secured(embedders: [String] = []) -> HTTPResponse {
        var response = self
        for (name, value) in Self.securityHeaders { response.headers[HTTPHeader(name)] = value }
        let ancestors = embedders.isEmpty ? "'none'" : embedders.joined(separator: " ")
        response.headers[HTTPHeader("Content-Security-Policy")] = "\(Self.contentPolicy); frame-ancestors \(ancestors)"
        return response
    }

    private static let contentPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'self'"

    private static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), display-capture=(), usb=()"),
    ]
}
