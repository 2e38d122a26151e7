import FlyingFox
import FoundationEssentials
import Handoff

/// Documents and files that are larger than a reading. Many responses share their bytes, and each holds places of its
/// client while it is sent.
extension WebApp {
    /// The number of places for all responses that are under way.
    private static let maxTransfers = 64
    /// The maximum number of places of a client, and the number that clients without full access leave free.
    private static let transferShare = 16
    /// The number of bytes for which a response needs another place, and the maximum number of its places.
    private static let (placeSize, maxPlaces) = (262_144, 8)

    /// Makes the limiter of the responses that are under way.
    static func makeTransfers() -> ShareLimiter<ClientKey> {
        ShareLimiter(total: maxTransfers) { client in
            .init(max: transferShare, leaving: client.access == .control ? 0 : transferShare)
        }
    }

    /// Returns the response with a document.
    /// - Throws: An `HTTPError` if the client has too many responses under way; the error of the document if it cannot
    ///   be made.
    func send(_ document: Document, to client: ClientKey, _ request: HTTPRequest) async throws -> HTTPResponse {
        var place: InterestToken? = try await takePlaces(1, for: client)
        let isGzipped = document.isCompressible && request.acceptsGzip
        let content = try await documents.content(
            of: document, isGzipped: isGzipped, isUrgent: client.access == .control)
        let places = min(1 + content.count / Self.placeSize, Self.maxPlaces)
        if places > 1 {
            // Two clients that keep one place while they wait for more would wait for each other.
            place = nil
            place = try await takePlaces(places, for: client)
        }
        var response = HTTPResponse(
            shared: content, holding: place, type: document.type, headers: document.headers)
        if document.isCompressible { response.headers[HTTPHeader("Vary")] = "Accept-Encoding" }
        if isGzipped, content.starts(with: [0x1f, 0x8b]) { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    /// Returns the response with a file that exists in memory, or status 304 without it if the client has it already.
    func send(
        _ asset: Asset, type: String, caching: String, to client: ClientKey, _ request: HTTPRequest
    ) async throws(HTTPError) -> HTTPResponse {
        var (content, tag) = (asset.content, asset.entityTag)
        var headers: [HTTPHeader: String] = [.cacheControl: caching]
        if let gzipped = asset.gzipped {
            headers[HTTPHeader("Vary")] = "Accept-Encoding"
            if request.acceptsGzip {
                (content, tag) = (gzipped, asset.gzippedEntityTag)
                headers[.contentEncoding] = "gzip"
            }
        }
        headers[.eTag] = tag
        // This header uses weak comparison (RFC 9110, 13.1.2).
        let known = request.headers.list(.ifNoneMatch)
        guard known.contains(where: { $0 == "*" || $0 == tag || $0 == "W/" + tag }) else {
            return HTTPResponse(
                shared: content, holding: try await takePlaces(1, for: client), type: type, headers: headers)
        }
        return HTTPResponse(statusCode: .notModified, content: content, type: type, headers: headers).withoutBody
    }

    private func takePlaces(_ count: Int, for client: ClientKey) async throws(HTTPError) -> InterestToken {
        guard let token = await transfers.begin(count, for: client, within: timeout) else { throw .tooManyTransfers }
        return token
    }
}

extension HTTPError {
    fileprivate static let tooManyTransfers = HTTPError(
        status: .serviceUnavailable, code: "too-many-transfers",
        message: "Your network reads too many documents at the same time. Try again when one of them has arrived.",
        headers: [.retryAfter: "1"])
}

extension HTTPHeader {
    static let retryAfter = HTTPHeader("Retry-After")
}
