import Foundation

@testable import Dashboard
@testable import Readings
@testable import Swatchcam
@testable import Untrusted
@testable import V4L2

/// A target for the answers to `swatchcam status`, which must give nothing or a report that cannot control a terminal.
enum StatusTarget: FuzzTarget {
    static let name = "status"

    /// The inputs, whose first byte is the size of the parts in which the others arrive.
    static var seeds: [String: [UInt8]] {
        var none = Reading.none
        (none.time, none.since) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 0))
        let reading = String(decoding: none.json(), as: UTF8.self)
        let texts = [
            "well": "\u{10}HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"status\":\"ok\"}",
            "ill":
                "\u{1}HTTP/1.1 503 No\r\n\r\n{\"error\":{\"code\":\"lost\",\"message\":\"Words \\u001b[2J \u{202E}.\"}}",
            "reading": "\u{7}HTTP/1.0 200 OK\r\nA: b\r\n\r\n\(reading)",
            "color":
                "\u{40}HTTP/1.1 200 OK\r\n\r\n{\"state\":\"live\",\"since\":\"now\",\"hex\":\"#123456\",\"rgb\":{\"r\":1,\"g\":2,\"b\":3},"
                + "\"brightness\":1e300,\"camera\":{\"name\":\"a\u{9B}b\"},\"frame\":{\"width\":1,\"height\":2,\"format\":\"YUYV\"},"
                + "\"rate\":{\"capture\":15.0},\"dropped\":0,\"notices\":[{\"message\":\"a\\nb\"}]}",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        guard let size = bytes.first else { return }
        let content = Array(bytes.dropFirst())
        let answer = received(content, inPartsOf: max(1, Int(size)))
        try check(
            answer == received(content, inPartsOf: 1), "the result depends on the parts in which an answer arrives")
        guard let answer else { return }
        try check(answer.body.count <= ReceivedResponse.maxBodyLength, "a body of \(answer.body.count) bytes")
        let texts = [
            HealthReport(answer)?.text, ErrorReport(answer)?.message, ReadingReport(answer)?.text,
        ].compactMap(\.self)
        guard !texts.isEmpty else { return }
        for text in texts {
            // Joiners are kept between letters that need them.
            let isSafe = text.unicodeScalars.allSatisfy { $0.isPlain || ["\n", "\u{200C}", "\u{200D}"].contains($0) }
            try check(isSafe, "\(text.debugDescription)")
            try check(text.unicodeScalars.count < 50_000, "a report of \(text.unicodeScalars.count) scalars")
        }
        try checkJSON(answer.body)
    }

    /// Parses a response that arrives in parts; nil if it is not valid.
    private static func received(_ bytes: [UInt8], inPartsOf size: Int) -> InstanceResponse? {
        var received = ReceivedResponse()
        for start in stride(from: 0, to: bytes.count, by: size) where !received.isComplete {
            do throws(ReceivedResponse.Unexpected) {
                try received.append(Array(bytes[start...].prefix(size)))
            } catch {
                return nil
            }
        }
        return received.atEnd
    }

    private static func checkJSON(_ body: Data) throws(Finding) {
        let safe = String(decoding: body, as: UTF8.self).terminalSafeJSON
        try check(safe.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" }, "\(safe.debugDescription)")
        // JSONDecoder does not check values that are not decoded, so it accepts some text there that is not JSON.
        guard let before = try? JSONSerialization.jsonObject(with: body) as? NSDictionary else { return }
        let after = try? JSONSerialization.jsonObject(with: Data(safe.utf8)) as? NSDictionary
        try check(before == after, "another document: \(safe.debugDescription)")
    }
}
