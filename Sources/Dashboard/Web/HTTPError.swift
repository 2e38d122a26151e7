import FlyingFox
import Foundation
import Untrusted

/// An error as clients get it: a status, a code for programs, a sentence for people.
struct HTTPError: Error, Equatable, Sendable {
    var status: HTTPStatusCode
    /// Lower case with hyphens, such as `not-found`; part of the contract.
    var code: String
    var message: String
    /// What else its response says, such as the methods that a route has.
    var headers: [HTTPHeader: String] = [:]
    /// The rest of the connection cannot be trusted, or is not worth reading: close it after the answer.
    var closesConnection = false

    /// `{"error":{"code":...,"message":...}}`.
    var response: HTTPResponse {
        let document = ["error": ["code": code, "message": message]]
        var response = HTTPResponse.json(document, status: status)
        for (name, value) in headers { response.headers[name] = value }
        if closesConnection {
            response.headers[.connection] = "close"
            guard !FlyingFoxPatches.arePresent else { return response }
            let content = JSONText.data(of: document)
            response.payload = .httpBody(HTTPBodySequence(from: ClosingBody(content: content), count: content.count))
        }
        return response
    }
}

extension HTTPError {
    static let notFound = HTTPError(
        status: .notFound, code: "not-found", message: "There is nothing here. The dashboard is at /.")

    static func methodNotAllowed(allowed: [String]) -> HTTPError {
        HTTPError(
            status: .methodNotAllowed, code: "method-not-allowed",
            message: "This address answers to \(allowed.joined(separator: ", ")) only.",
            headers: [HTTPHeader("Allow"): allowed.joined(separator: ", ")])
    }
}
