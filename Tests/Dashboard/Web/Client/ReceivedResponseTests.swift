import Foundation
import Testing

@testable import Dashboard

@Suite("Received response")
struct ReceivedResponseTests {
    /// Parses a response that arrives in parts before the connection ends.
    private func answer(_ text: String, inPartsOf size: Int = .max) throws -> InstanceResponse? {
        var received = ReceivedResponse()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            try received.append(Array(bytes[start...].prefix(size)))
            if received.isComplete { return received.response }
        }
        return received.atEnd
    }

    @Test("an answer is read completely, in whatever parts it arrives", arguments: [1, 2, 3, 4, 5, 7, 100])
    func parts(size: Int) throws {
        let text = "HTTP/1.1 503 Service Unavailable\r\nServer: x\r\nCONTENT-LENGTH:\t3 \r\n\r\nabc"
        #expect(try answer(text, inPartsOf: size) == InstanceResponse(status: 503, body: Data("abc".utf8)))
    }

    @Test("an empty line in the body does not end another head", arguments: [1, 100])
    func emptyLine(size: Int) throws {
        let body = "a\r\n\r\nb\r\n\r\n"
        let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        #expect(try answer(text, inPartsOf: size)?.body == Data(body.utf8))
    }

    @Test("an answer ends at its Content-Length or with the connection")
    func end() throws {
        #expect(try answer("HTTP/1.0 200 OK\r\n\r\nabc")?.body == Data("abc".utf8))
        #expect(try answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc")?.body == Data("ab".utf8))
        #expect(
            try answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") == InstanceResponse(status: 200, body: Data()))
    }

    @Test(
        "a cut-off answer is refused",
        arguments: [
            "", "H", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
        ])
    func cutOff(text: String) throws {
        #expect(try answer(text) == nil)
    }

    @Test(
        "an answer that Swatchcam would not send is refused",
        arguments: [
            "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 -20 x\r\n\r\n",
            "HTTP/1.1\r\n\r\n",
            "HTTP/1.1 2000 x\r\n\r\n", "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length: 262145\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
    func unexpected(text: String) {
        #expect(throws: ReceivedResponse.Unexpected.self) { _ = try answer(text) }
    }

    private func isAccepted(_ text: String) -> Bool { (try? answer(text, inPartsOf: 4096)) != nil }

    @Test("a head of 16,384 bytes is accepted, and a longer one is refused, even if it does not end")
    func headLength() throws {
        let start = "HTTP/1.1 200 OK\r\na: "
        func head(_ length: Int) -> String {
            start + String(repeating: "b", count: length - start.utf8.count - 4) + "\r\n\r\n"
        }
        #expect(isAccepted(head(16_384)) && !isAccepted(head(16_385)))
        var received = ReceivedResponse()
        try received.append(Array(repeating: UInt8(ascii: "a"), count: 16_384))
        #expect(throws: ReceivedResponse.Unexpected.self) { try received.append([UInt8(ascii: "a")]) }
    }

    @Test("a body of 262,144 bytes is accepted, and a longer one is refused, whether its length is announced or not")
    func bodyLength() {
        for length in [262_144, 262_145] {
            let body = String(repeating: "a", count: length)
            #expect(isAccepted("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" + body) == (length == 262_144))
            #expect(isAccepted("HTTP/1.1 200 OK\r\n\r\n" + body) == (length == 262_144))
        }
    }
}
