import Documents
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc
import Handoff

extension HTTPResponse {
    /// Makes a response whose body is sent in one piece.
    init(statusCode: HTTPStatusCode = .ok, content: Data, type: String, headers: [HTTPHeader: String] = [:]) {
        self.init(
            statusCode: statusCode,
            headers: HTTPHeaders(headers.merging([.contentType: type]) { given, _ in given }),
            body: HTTPBodySequence(data: content, suggestedBufferSize: max(content.count, 1)))
    }

    /// Makes a response whose body is shared with other responses and sent in pieces.
    /// - Parameter held: What the response holds until it is sent, such as its places.
    init(shared pieces: [Data], holding held: [any Sendable] = [], type: String, headers: [HTTPHeader: String]) {
        self.init(
            statusCode: .ok, headers: HTTPHeaders(headers.merging([.contentType: type]) { given, _ in given }),
            body: HTTPBodySequence(
                from: SharedBody(pieces: pieces, held: held), count: pieces.reduce(0) { $0 + $1.count },
                suggestedBufferSize: SharedBody.maxPiece))
    }

    /// Returns a document of the API, which is not cached.
    static func json(_ document: some Encodable, status: HTTPStatusCode = .ok) -> HTTPResponse {
        json(JSONText.data(of: document), status: status)
    }

    /// Returns a document of the API, which is not cached.
    static func json(_ document: some JSONWritable, status: HTTPStatusCode = .ok) -> HTTPResponse {
        json(JSONWriter.data(document), status: status)
    }

    /// Returns an encoded document of the API, which is not cached.
    static func json(_ content: Data, status: HTTPStatusCode = .ok) -> HTTPResponse {
        HTTPResponse(
            statusCode: status, content: content, type: "application/json", headers: [.cacheControl: "no-store"])
    }

    /// Returns the response with a small page.
    /// - Parameter error: The error that the page explains, whose status and headers the response has.
    static func page(_ text: String, explaining error: HTTPError? = nil) -> HTTPResponse {
        HTTPResponse(
            statusCode: error?.status ?? .ok, content: Data(text.utf8), type: "text/html; charset=utf-8",
            headers: [.cacheControl: "no-store"].merging(error?.headers ?? [:]) { $1 })
    }

    /// Returns the response with a file, or status 304 without it if the client has it already.
    ///
    /// Files need no places: they are in memory anyway, so that a response costs no more than its connection.
    static func file(_ asset: Asset, type: String, caching: String, _ request: HTTPRequest) -> HTTPResponse {
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

    /// The response, which holds places of its client until it is sent.
    func holding(_ places: Places) -> HTTPResponse {
        guard case .httpBody(let body) = payload, let count = body.count else { return self }
        var response = self
        response.payload = .httpBody(
            HTTPBodySequence(
                from: HeldBody(body: body, places: places), count: count, suggestedBufferSize: max(count, 1)))
        return response
    }

    /// The response to HEAD: the same head without a body (RFC 9110, 9.3.2).
    ///
    /// An endless body stays, because an empty one would have a length; the patched FlyingFox does not send it.
    var withoutBody: HTTPResponse {
        guard case .httpBody(let body) = payload, body.count != nil || !FlyingFoxPatches.arePresent else { return self }
        var response = self
        if response.headers[.contentLength] == nil, let count = body.count {
            response.headers[.contentLength] = String(count)
        }
        response.payload = .httpBody(HTTPBodySequence())
        return response
    }

    /// Returns the response with the headers that all responses have: pages load nothing from other sites, and other
    /// sites can neither embed nor read them. Pages may show pictures that they have received over a WebSocket
    /// (`blob:`) or drawn themselves (`data:`).
    /// - Parameters:
    ///   - frameAncestors: The origins of sites that may embed pages nevertheless.
    ///   - time: The current time, in seconds since 1970, for the `Date` header (RFC 9110, 6.6.1).
    func withCommonHeaders(frameAncestors: [String] = [], at time: time_t) -> HTTPResponse {
        var response = self
        response.headers[.date] = HTTPDate.text(time)
        for (name, value) in Self.securityHeaders { response.headers[HTTPHeader(name)] = value }
        let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
        response.headers[HTTPHeader("Content-Security-Policy")] = "\(Self.contentPolicy); frame-ancestors \(ancestors)"
        response.removeUnprintable()
        return response
    }

    /// Removes all but printable ASCII from header values, so that text from a client cannot start another header
    /// (RFC 9110, 5.5).
    private mutating func removeUnprintable() {
        let isPrintable: (UInt8) -> Bool = { 0x20...0x7e ~= $0 }
        for name in Array(headers.keys) where !headers.values(for: name).allSatisfy({ $0.utf8.allSatisfy(isPrintable) })
        {
            headers.setValues(
                headers.values(for: name).map { String(decoding: $0.utf8.filter(isPrintable), as: UTF8.self) },
                for: name)
        }
    }

    private static let contentPolicy =
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'"

    private static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), display-capture=(), usb=()"),
    ]
}

/// A body that many responses share. It is sent piece by piece.
///
/// A client that reads too slowly is cut off, because it keeps an old version of a document in memory.
struct SharedBody: AsyncBufferedSequence {
    typealias Element = UInt8

    /// The maximum number of bytes that are sent at once.
    static let maxPiece = 65_536
    /// The time after which the speed of the client counts, in seconds.
    static let grace = 10.0
    /// The speed that a client must reach on average, in bytes a second. A slow mobile network is twice as fast.
    static let minSpeed = 16_384

    let pieces: [Data]
    /// What is released when it has been sent, such as the places of its client.
    let held: [any Sendable]
    var clocks = Clocks()

    func makeAsyncIterator() -> Iterator { Iterator(body: self, start: clocks.now()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let body: SharedBody
        fileprivate let start: MonotonicTime
        fileprivate var sent = 0
        /// The piece from which bytes are sent, and how many of it have been sent.
        fileprivate var piece = 0
        fileprivate var offset = 0

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard piece < body.pieces.count else { return nil }
            let limit = SharedBody.grace + Double(sent / SharedBody.minSpeed)
            guard body.clocks.now() - start <= limit else { throw SocketError.disconnected }
            let most = Swift.min(count, SharedBody.maxPiece)
            var buffer = Data()
            while buffer.count < most, piece < body.pieces.count {
                let rest = body.pieces[piece].dropFirst(offset).prefix(most - buffer.count)
                // A single piece is not copied.
                if buffer.isEmpty { buffer = rest } else { buffer += rest }
                offset += rest.count
                if offset == body.pieces[piece].count { (piece, offset) = (piece + 1, 0) }
            }
            sent += buffer.count
            return buffer.isEmpty ? nil : buffer
        }
    }
}

/// A body that holds the places of its client until it is sent.
private struct HeldBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let body: HTTPBodySequence
    let places: Places

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), places: places) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var chunks: HTTPBodySequence.Iterator
        fileprivate let places: Places

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested _: Int) async throws -> Data? { try await chunks.next() }
    }
}

/// Dates in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7), in any locale.
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Formats a time in seconds since 1970.
    static func text(_ time: time_t) -> String {
        var time = time
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0) }.joined(separator: ":")
        return unsafe "\(days[Int(parts.tm_wday)]), \(padded(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(1900 + parts.tm_year) \(clock) GMT"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
