import Documents
package import FoundationEssentials
import Untrusted

/// The part of a response that has been received (RFC 9112), of bounded length.
struct ReceivedResponse {
    /// The error for a response that Swatchcam would not send.
    struct Unexpected: Error {}

    private struct Head {
        var status: Int
        /// The length of the body in bytes; nil if it ends with the connection.
        var length: Int?
        /// The index of the start of the body.
        var bodyStart: Int
    }

    static let maxHeadLength = 16 << 10
    /// The longest response is a calibration by a chart of 500 patches.
    static let maxBodyLength = 256 << 10
    private static let emptyLine = Array("\r\n\r\n".utf8)

    private var bytes: [UInt8] = []
    private var head: Head?

    var isComplete: Bool {
        guard let head, let length = head.length else { return false }
        return bytes.count - head.bodyStart >= length
    }

    /// The response; nil until it is complete.
    var response: InstanceResponse? {
        guard isComplete, let head, let length = head.length else { return nil }
        return InstanceResponse(status: head.status, body: Data(bytes[head.bodyStart..<head.bodyStart + length]))
    }

    /// The response at the end of the connection; nil if it is incomplete.
    var atEnd: InstanceResponse? {
        guard let head, head.length == nil else { return response }
        return InstanceResponse(status: head.status, body: Data(bytes[head.bodyStart...]))
    }

    /// Appends received bytes.
    /// - Throws: `Unexpected` if they are not a response, or one that Swatchcam would not send.
    mutating func append(_ new: [UInt8]) throws(Unexpected) {
        // The empty line may begin among the bytes received earlier.
        let start = max(0, bytes.count - (Self.emptyLine.count - 1))
        bytes += new
        if head == nil, let gap = bytes[start...].firstRange(of: Self.emptyLine) {
            head = try Self.head(in: bytes[..<gap.lowerBound], bodyStart: gap.upperBound)
        }
        let limit = head.map { $0.bodyStart + Self.maxBodyLength } ?? Self.maxHeadLength
        guard bytes.count <= limit else { throw Unexpected() }
    }

    private static func head(in bytes: ArraySlice<UInt8>, bodyStart: Int) throws(Unexpected) -> Head {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        guard bodyStart <= maxHeadLength, let first = lines.first, first.hasPrefix("HTTP/1."),
            let status = first.split(separator: " ").dropFirst().first.flatMap({ number($0, digits: 3...3) })
        else { throw Unexpected() }
        var length: Int?
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Unexpected() }
            switch parts[0].lowercased() {
            case "content-length":
                let text = parts[1].trimmed
                guard length == nil, let value = number(text, digits: 1...6), value <= maxBodyLength else {
                    throw Unexpected()
                }
                length = value
            case "transfer-encoding": throw Unexpected()
            default: break
            }
        }
        return Head(status: status, length: length, bodyStart: bodyStart)
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int? {
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber && digits.contains(text.utf8.count) ? Int(text) : nil
    }
}

/// A response from the address of the server.
package struct InstanceResponse: Equatable, Sendable {
    /// The status code, of three digits.
    package var status: Int
    /// The body, which may come from another program.
    package var body: Data
}

extension InstanceResponse {
    /// The maximum number of values in a document, including names. A flat has 30 for each of its 192 cells.
    private static let maxValues = 65_536
    private static let maxStringLength = 64 << 10

    /// Decodes the body, a JSON object; returns nil if it is anything else.
    ///
    /// The body must be in UTF-8, because it is printed. `JSONDecoder` would accept UTF-16 and UTF-32, too.
    ///
    /// A string may have 64 KiB: the server writes longer ones than it accepts, such as a message that lists cameras.
    /// Even 64 KiB of combining marks take no more than 0.2 s.
    package func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        guard body.first == UInt8(ascii: "{"),
            JSONLimits.allows(body, maxValues: Self.maxValues, maxStringLength: Self.maxStringLength),
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
