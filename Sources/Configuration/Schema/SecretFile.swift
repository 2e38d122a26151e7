import Files
import FoundationEssentials
import Glibc
import Untrusted

/// A file whose first line is a password or a token.
package enum SecretFile {
    /// The maximum size, in bytes.
    private static let maxSize = 4096

    /// The reason why there is no secret.
    package struct Problem: Error, Equatable {
        /// The sentence, which begins with the path.
        package let sentence: String
    }

    /// Reads the first line. It blocks the thread.
    package static func firstLine(of path: String) throws(Problem) -> String {
        let place = path.sanitized()
        let content: [UInt8]
        do {
            guard let data = try RegularFile.content(of: path, maxSize: maxSize, followsLinks: true) else {
                throw POSIXError(.ENOENT)
            }
            content = Array(data)
        } catch {
            throw Problem(sentence: "\(place) cannot be read: \(error.reason).")
        }
        let line = content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw Problem(sentence: "\(place): its first line is empty.") }
        guard !line.contains(0), let secret = String(validating: line, as: UTF8.self) else {
            throw Problem(sentence: "\(place): its first line is not a text in UTF-8.")
        }
        return secret
    }
}
