import FoundationEssentials
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
    static let maxBodyLength = 64 << 10
    private static let emptyLine = Array("\r\n\r\n".utf8)

    private var bytes: [UInt8] = []
    private var head: Head?

    /// Whether the response is complete.
    var isComplete: Bool {
        guard let head, let length = head.length else { return false }
        return bytes.count - head.bodyStart >= length
    }

    /// The response; nil until it is complete.
    var response: StatusResponse? {
        guard isComplete, let head, let length = head.length else { return nil }
        return StatusResponse(status: head.status, body: Data(bytes[head.bodyStart..<head.bodyStart + length]))
    }

    /// The response at the end of the connection; nil if it is incomplete.
    var atEnd: StatusResponse? {
        guard let head, head.length == nil else { return response }
        return StatusResponse(status: head.status, body: Data(bytes[head.bodyStart...]))
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
                guard length == nil, let value = number(text, digits: 1...5), value <= maxBodyLength else {
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
