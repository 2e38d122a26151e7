import Configuration
import FlyingFox
import Foundation
import Untrusted

extension HTTPRequest {
    /// Longer than any value that a query of ours has.
    private static let longestParameter = 64

    /// The value of a name in the query; the first counts. Names are compared byte by byte: to compare two strings
    /// takes time that grows with the square of the combining marks in them.
    func parameter(_ name: String) -> String? {
        let value = query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
        return value.map { $0.utf8.count <= Self.longestParameter ? $0 : "" }
    }

    /// The type of the body, without parameters (RFC 9110, 8.3.1); nil: it is not told.
    var mediaType: String? {
        guard let type = headers[.contentType]?.utf8.prefix(while: { $0 != UInt8(ascii: ";") }) else { return nil }
        return String(Substring(type)).trimmingBlanks.lowercased()
    }

    /// The request as it would be without the absolute form of its target, which any server must take
    /// (RFC 9112, 3.2.2); nil: it names another host than the Host field, and who is right cannot be told.
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

    /// The body, decoded from JSON.
    /// - Parameter refusal: For what is JSON, and not of this type.
    /// - Throws: An `HTTPError`.
    func json<Value: Decodable>(_ type: Value.Type, orRefuse refusal: HTTPError) async throws -> Value {
        let json = try await json()
        guard JSONLimits.allow(json) else { throw HTTPError.tooMuchJSON }
        guard let value = try? JSONDecoder().decode(type, from: json) else { throw refusal }
        return value
    }

    /// The body, which is JSON by its own word.
    private func json() async throws -> Data {
        guard mediaType == "application/json" else {
            throw HTTPError(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON, as Content-Type: application/json.")
        }
        return try await body(upTo: RequestGuard.longestBody)
    }

    /// The body, whole. It is on the connection until then, and can be read once.
    /// - Throws: An `HTTPError` when it is longer, and when it does not come.
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
    /// A body of more bytes than a limit, or of a length that is not told.
    static func tooLarge(_ limit: Int) -> HTTPError {
        HTTPError(
            status: .payloadTooLarge, code: "body-too-large",
            message: "Send at most \(limit) bytes, with a Content-Length and without a Transfer-Encoding.",
            closesConnection: true)
    }

    fileprivate static let tooMuchJSON = HTTPError(
        status: .badRequest, code: "bad-json",
        message: "This JSON is nested more than \(JSONLimits.deepest) deep, holds more than \(JSONLimits.mostValues) "
            + "values or a string of more than \(JSONLimits.longestString) characters, or is not in UTF-8.")

    fileprivate static let incompleteBody = HTTPError(
        status: .requestTimeout, code: "incomplete-body",
        message: "The body of the request did not come whole, or in time.",
        closesConnection: true)
}
