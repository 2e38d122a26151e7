import Configuration
import FlyingFox
import FoundationEssentials
import Untrusted

extension HTTPRequest {
    /// The longest value that ``parameter(_:)`` returns, in bytes.
    private static let maxParameterLength = 64

    /// Returns the first value of a parameter in the query; empty if it is too long; nil if there is none.
    ///
    /// Names are compared byte by byte, because the time to compare strings grows with the square of the number of
    /// combining marks.
    func parameter(_ name: String) -> String? {
        values(of: name).first.map { $0.utf8.count <= Self.maxParameterLength ? $0 : "" }
    }

    /// Returns all values of a parameter in the query, in their order and of any length.
    func values(of name: String) -> [String] {
        query.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// Whether the browser reports in `Sec-Fetch-Site` that a page of another origin sent the request. False without
    /// this header, which other programs and old browsers do not send.
    var isCrossOrigin: Bool {
        switch headers[HTTPHeader("Sec-Fetch-Site")]?.lowercased() {
        case nil, "same-origin", "none": false
        default: true
        }
    }

    /// Whether the client accepts gzip, and does not prefer an uncompressed body (RFC 9110, 12.5.3). Invalid members of
    /// the header are ignored.
    var acceptsGzip: Bool {
        var weights: [String: Int] = [:]
        for member in headers.list(HTTPHeader("Accept-Encoding")) {
            let parts = member.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { String(Substring($0)).trimmingBlanks.lowercased() }
            guard let coding = parts.first, let weight = Self.weight(parts.dropFirst()) else { continue }
            weights[coding == "x-gzip" ? "gzip" : coding] = weight
        }
        let weight = weights["gzip"] ?? weights["*"] ?? 0
        return weight > 0 && weight >= weights["identity"] ?? 0
    }

    /// Returns the weight of a member of a header in thousandths (RFC 9110, 12.4.2); nil if its parameters are invalid.
    private static func weight(_ parameters: ArraySlice<String>) -> Int? {
        guard let parameter = parameters.first else { return 1000 }
        guard parameters.count == 1, let match = parameter.wholeMatch(of: /q=(?:(0)(?:\.([0-9]{0,3}))?|1(?:\.0{0,3})?)/)
        else { return nil }
        guard match.1 != nil else { return 1000 }
        let digits = match.2 ?? ""
        return Int(digits + String(repeating: "0", count: 3 - digits.count))
    }

    /// The media type of the body, without parameters (RFC 9110, 8.3.1); nil if it is not specified.
    var mediaType: String? {
        guard let type = headers[.contentType]?.utf8.prefix(while: { $0 != UInt8(ascii: ";") }) else { return nil }
        return String(Substring(type)).trimmingBlanks.lowercased()
    }

    /// The request with its target in origin form, because servers must accept the absolute form (RFC 9112, 3.2.2); nil
    /// if the target and the Host header name different hosts.
    var inOriginForm: HTTPRequest? {
        let target = target.path()
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.utf8.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            guard let host = Authority(Substring(authority)), host == headers[.host].flatMap({ Authority($0) }) else {
                return nil
            }
            var request = self
            let path = authority.endIndex == rest.endIndex ? "/" : String(Substring(rest[authority.endIndex...]))
            request.target = Target(path: path, query: self.target.query())
            return request
        }
        return self
    }

    /// Reads the body and decodes it from JSON.
    /// - Parameter refusal: The error for a body within the limits that is not JSON of this type.
    /// - Throws: `refusal`, or another `HTTPError` if the body is not declared as JSON, exceeds a limit or does not
    ///   arrive.
    func json<Value: Decodable>(_ type: Value.Type, orRefuse refusal: HTTPError) async throws -> Value {
        let json = try await json()
        guard JSONLimits.allows(json) else { throw HTTPError.tooMuchJSON }
        guard let value = try? JSONDecoder().decode(type, from: json) else { throw refusal }
        return value
    }

    /// Reads the body of a request that declares it as JSON.
    private func json() async throws -> Data {
        guard mediaType == "application/json" else {
            throw HTTPError(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON with Content-Type: application/json.")
        }
        return try await body(upTo: RequestGuard.maxBodyLength)
    }

    /// Reads the whole body from the connection, which is possible only once.
    /// - Parameter limit: The maximum length in bytes.
    /// - Throws: An `HTTPError` if the body is longer than the limit, has no declared length, or does not arrive.
    func body(upTo limit: Int) async throws -> Data {
        guard bodySequence.count ?? .max <= limit else { throw HTTPError.tooLarge(limit) }
        do {
            return try await bodyData
        } catch {
            throw HTTPError.incompleteBody
        }
    }
}

extension HTTPError {
    /// Returns the error for a body that is too long, or whose length is not specified.
    /// - Parameter limit: The maximum length in bytes.
    static func tooLarge(_ limit: Int) -> HTTPError {
        HTTPError(
            status: .payloadTooLarge, code: "body-too-large",
            message: "Send at most \(limit) bytes, with a Content-Length and without a Transfer-Encoding.",
            closesConnection: true)
    }

    fileprivate static let tooMuchJSON = HTTPError(
        status: .badRequest, code: "bad-json",
        message:
            "This JSON is nested more than \(JSONLimits.maxDepth) deep, contains more than \(JSONLimits.maxValues) "
            + "values or a string of more than \(JSONLimits.maxStringLength) characters, or is not in UTF-8.")

    fileprivate static let incompleteBody = HTTPError(
        status: .requestTimeout, code: "incomplete-body",
        message: "The body of the request was incomplete, or did not arrive in time.",
        closesConnection: true)
}
