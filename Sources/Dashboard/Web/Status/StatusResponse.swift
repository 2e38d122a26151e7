package import FoundationEssentials
import Untrusted

/// A response from the address of the server.
package struct StatusResponse: Equatable, Sendable {
    /// The status code, of three digits.
    package var status: Int
    /// The body, which may come from another program.
    package var body: Data
}

extension StatusResponse {
    /// Decodes the body, a JSON object; returns nil if it is anything else.
    ///
    /// The body must be in UTF-8, because it is printed. `JSONDecoder` would accept UTF-16 and UTF-32, too.
    package func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        guard body.first == UInt8(ascii: "{"), JSONLimits.allows(body), String(validating: body, as: UTF8.self) != nil
        else {
            return nil
        }
        return try? JSONDecoder().decode(type, from: body)
    }
}

extension String {
    /// The text as one line of at most 500 printable scalars, because it may come from another program.
    package var excerpt: String { sanitized(limit: 500) }
}
