import FlyingFox
import FoundationEssentials
import Handoff

/// Documents and files that are larger than a reading. Many responses share their bytes.
extension WebApp {
    /// The number of bytes for which a document needs another place, and the maximum number of its places.
    private static let (placeSize, maxPlaces) = (262_144, 8)
    /// The number of bytes in a body for which a change needs another place.
    private static let changeSize = 65_536

    /// Returns the response with a document, which holds places of its client until it is sent.
    /// - Throws: An `HTTPError` if the client has too many documents under way; the error of the document if it cannot
    ///   be made.
    func send(_ document: Document, to client: ClientKey, _ request: HTTPRequest) async throws -> HTTPResponse {
        let isGzipped = document.isCompressible && request.acceptsGzip
        // Until a document is made, it is taken for a large one: nobody waits for places with a document in memory.
        let places = try await places(for: documents.size(of: document, isGzipped: isGzipped) ?? .max, client)
        let content = try await documents.content(
            of: document, isGzipped: isGzipped, isUrgent: client.access == .control)
        places.keep(Self.places(for: content.count))
        var response = HTTPResponse(
            shared: [content], holding: [places], type: document.type, headers: document.headers)
        if document.isCompressible { response.headers[HTTPHeader("Vary")] = "Accept-Encoding" }
        if isGzipped, content.starts(with: [0x1f, 0x8b]) { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    /// Returns the response with pieces that are in memory anyway, which holds places of its client until they are sent.
    /// - Throws: An `HTTPError` if the client has too many documents under way.
    func send(
        _ pieces: [Data], type: String, headers: [HTTPHeader: String], to client: ClientKey
    ) async throws -> HTTPResponse {
        let places = try await places(for: pieces.reduce(0) { $0 + $1.count }, client)
        return HTTPResponse(shared: pieces, holding: [places], type: type, headers: headers)
    }

    /// Returns places for a document of some bytes.
    /// - Throws: An `HTTPError` if the client has too many documents under way.
    private func places(for size: Int, _ client: ClientKey) async throws -> Places {
        guard let places = await transfers.begin(Self.places(for: size), for: client, within: timeout) else {
            throw HTTPError.tooManyTransfers
        }
        return places
    }

    /// Returns the places that a request which changes something holds until its response is sent.
    /// - Throws: An `HTTPError` if the client has too many such requests under way.
    func places(forChange request: HTTPRequest, _ client: ClientKey) async throws -> Places {
        // A body of unknown length is refused before it is read.
        let length = min(request.bodySequence.count ?? 0, RequestGuard.maxChartLength)
        guard let places = await changes.begin(1 + length / Self.changeSize, for: client, within: timeout) else {
            throw HTTPError.tooManyTransfers
        }
        return places
    }

    /// Returns the response with a file, or status 304 without it if the client has it already.
    ///
    /// Files need no places: they are in memory anyway, so that a response costs no more than its connection.
    func send(_ asset: Asset, type: String, caching: String, _ request: HTTPRequest) -> HTTPResponse {
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
            return HTTPResponse(shared: [content], type: type, headers: headers)
        }
        return HTTPResponse(statusCode: .notModified, content: content, type: type, headers: headers).withoutBody
    }

    /// Returns how many places a message of some bytes takes.
    private static func places(for size: Int) -> Int { min(1 + size / placeSize, maxPlaces) }
}

extension HTTPError {
    fileprivate static let tooManyTransfers = unavailable(
        code: "too-many-transfers",
        "Your network sends or reads too much at the same time. Try again when some of it has arrived.", retryAfter: 1)
}

extension HTTPHeader {
    static let retryAfter = HTTPHeader("Retry-After")
}
