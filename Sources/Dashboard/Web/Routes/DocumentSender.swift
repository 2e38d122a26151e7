import FlyingFox
import FoundationEssentials
import Handoff

/// Sends documents that are larger than a reading. Many responses share their bytes.
struct DocumentSender: Sendable {
    let cache = DocumentCache()
    /// The places of responses that are under way.
    let transfers: ShareLimiter<ClientKey>
    /// The maximum time that a response waits for places.
    let timeout: Duration

    /// The number of bytes for which a document needs another place, and the maximum number of its places.
    private static let (placeSize, maxPlaces) = (262_144, 8)

    /// Returns the response with a document to a request, as `send(_:to:_:)`.
    func send(_ document: Document, to call: Call) async throws -> HTTPResponse {
        try await send(document, to: call.principal.key, call.request)
    }

    /// Returns the response with the only document of a route, in JSON.
    func json(
        to call: Call, version: String, _ make: @escaping @Sendable () throws -> Data
    ) async throws -> HTTPResponse {
        try await send(Document(key: call.route.path, version: version, make: make), to: call)
    }

    /// Returns the response with a document, which holds places of its client until it is sent.
    /// - Throws: An `HTTPError` if the client has too many documents under way; the error of the document if it cannot
    ///   be made.
    func send(_ document: Document, to client: ClientKey, _ request: HTTPRequest) async throws -> HTTPResponse {
        let isGzipped = document.isCompressible && request.acceptsGzip
        // Until a document is made, it is taken for a large one: nobody waits for places with a document in memory.
        let places = try await places(for: cache.size(of: document, isGzipped: isGzipped) ?? .max, client)
        return try await response(document, places, to: client, request)
    }

    /// Returns the response with a document that is made of a reading. It is taken when there are places for it: readings
    /// may have megabytes, and none is kept by a request that waits.
    /// - Parameters:
    ///   - key: The key of the document.
    ///   - document: Waits for a reading, and returns the document.
    func send(
        _ key: String, to call: Call, _ document: (_ key: String) async throws -> Document
    ) async throws -> HTTPResponse {
        let places = try await places(for: cache.lastSize(of: key) ?? .max, call.principal.key)
        return try await response(document(key), places, to: call.principal.key, call.request)
    }

    private func response(
        _ document: Document, _ places: Places, to client: ClientKey, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let isGzipped = document.isCompressible && request.acceptsGzip
        let content = try await cache.content(
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
        _ pieces: [Data], type: String, headers: [HTTPHeader: String], to call: Call
    ) async throws -> HTTPResponse {
        let places = try await places(for: pieces.reduce(0) { $0 + $1.count }, call.principal.key)
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

    /// Returns how many places a message of some bytes takes.
    private static func places(for size: Int) -> Int { min(1 + size / placeSize, maxPlaces) }
}

extension HTTPError {
    static let tooManyTransfers = unavailable(
        code: "too-many-transfers",
        "Your network sends or reads too much at the same time. Try again when some of it has arrived.", retryAfter: 1)
}

extension HTTPHeader {
    static let retryAfter = HTTPHeader("Retry-After")
}
