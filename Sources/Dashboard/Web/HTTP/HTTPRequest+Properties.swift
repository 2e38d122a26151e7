import Configuration
import FlyingFox
import FoundationEssentials

extension HTTPRequest {
    /// The maximum length of a value that ``parameter(_:)`` returns, in bytes.
    private static let maxParameterLength = 64

    /// Returns the value of a parameter in the query; empty if it is too long; nil if there is none.
    ///
    /// Names are compared byte by byte, because the time to compare strings grows with the square of the number of
    /// combining marks.
    func parameter(_ name: String) -> String? {
        values(of: name).first.map { $0.utf8.count <= Self.maxParameterLength ? $0 : "" }
    }

    /// Returns the value of a parameter in the query; nil if it is missing.
    /// - Throws: `refusal` if `read` returns nil for its text.
    func parameter<Value>(
        _ name: String, orRefuse refusal: HTTPError, _ read: (String) -> Value?
    ) throws(HTTPError) -> Value? {
        guard let text = parameter(name) else { return nil }
        guard let value = read(text) else { throw refusal }
        return value
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

    /// Whether the browser reports that the request is one of a page in a frame.
    var isFramed: Bool {
        ["iframe", "frame"].contains(headers[HTTPHeader("Sec-Fetch-Dest")]?.lowercased())
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
}

extension HTTPHeaders {
    /// Returns the members of a list-valued field (RFC 9110, 5.6.1), in order, without surrounding blanks.
    func list(_ header: HTTPHeader) -> [String] {
        (self[header] ?? "").utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
            String(Substring(member)).trimmingBlanks
        }
    }
}

extension String {
    /// The text without surrounding spaces and tabs, the whitespace of HTTP (RFC 9110, 5.6.3).
    var trimmingBlanks: String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
