package import FoundationEssentials
import Untrusted

/// A response from the address of the server.
package struct StatusResponse: Equatable, Sendable {
    /// The status code, of three digits.
    package var status: Int
    package var body: Data
}

extension StatusResponse {
    /// The body, decoded from a JSON object; nil if it is something else.
    ///
    /// The body must be in UTF-8, because it is printed. `JSONDecoder` would accept UTF-16 and UTF-32, too.
    package func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        guard body.first == UInt8(ascii: "{"), JSONLimits.allow(body), String(validating: body, as: UTF8.self) != nil
        else {
            return nil
        }
        return try? JSONDecoder().decode(type, from: body)
    }
}

extension String {
    /// The text, sanitized and shortened to print it in a line, because it may come from another program.
    package var excerpt: String { sanitized(limit: 500) }
}
