package import Foundation
import Untrusted
import V4L2

/// What somebody answered.
package struct StatusResponse: Equatable, Sendable {
    /// Three digits.
    package var status: Int
    package var body: Data
}

extension StatusResponse {
    /// The body, if it is such a JSON object.
    ///
    /// In UTF-8, for that is how it is printed: JSONDecoder reads UTF-16 and UTF-32, too.
    package func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        guard body.first == UInt8(ascii: "{"), JSONLimits.allow(body), String(validating: body, as: UTF8.self) != nil
        else {
            return nil
        }
        return try? JSONDecoder().decode(type, from: body)
    }
}

extension String {
    /// A piece of an answer, in a line that is printed: whoever answered chose the words.
    package var piece: String { sanitized(limit: 500) }
}
