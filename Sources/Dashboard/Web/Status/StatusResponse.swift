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
    /// The maximum number of values in a document, including names. A sample has two for each of up to 1,024 controls.
    private static let maxValues = 4_096

    /// Decodes the body, a JSON object; returns nil if it is anything else.
    ///
    /// The body must be in UTF-8, because it is printed. `JSONDecoder` would accept UTF-16 and UTF-32, too.
    ///
    /// Only the length of the body limits that of a string: the server writes longer ones than it accepts, such as a
    /// message that lists cameras. Even 64 KiB of combining marks take no more than 0.2 s.
    package func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        guard body.first == UInt8(ascii: "{"),
            JSONLimits.allows(body, maxValues: Self.maxValues, maxStringLength: body.count),
            String(validating: body, as: UTF8.self) != nil
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
