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

    @Test("a head of 16,384 bytes is accepted, and a longer one is refused", arguments: [16_384, 16_385])
    func headLength(length: Int) throws {
        let start = "HTTP/1.1 200 OK\r\na: "
        let head = start + String(repeating: "b", count: length - start.utf8.count - 4) + "\r\n\r\n"
        #expect(head.utf8.count == length)
        if length == 16_384 {
            #expect(try answer(head)?.status == 200)
        } else {
            #expect(throws: ReceivedResponse.Unexpected.self) { try answer(head) }
        }
    }

    @Test("of a head that does not end, at most 16,384 bytes are received", arguments: [16_384, 16_385])
    func endlessHead(length: Int) throws {
        var received = ReceivedResponse()
        let bytes = Array(repeating: UInt8(ascii: "a"), count: length)
        if length == 16_384 {
            try received.append(bytes)
        } else {
            #expect(throws: ReceivedResponse.Unexpected.self) { try received.append(bytes) }
        }
    }

    @Test(
        "a body of 262,144 bytes is announced by its length, and a longer one is refused",
        arguments: [262_144, 262_145])
    func announcedLength(length: Int) throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "a", count: length)
        if length == 262_144 {
            #expect(try answer(text)?.body.count == 262_144)
        } else {
            #expect(throws: ReceivedResponse.Unexpected.self) { try answer(text) }
        }
    }

    @Test("an answer that arrives in parts, with a body that ends with the connection, has the same limits")
    func bounds() throws {
        let fields = String(repeating: "a: b\r\n", count: 2725)
        #expect(try answer("HTTP/1.1 200 OK\r\n\(fields)\r\nabc", inPartsOf: 4096) != nil)
        let more = String(repeating: "a: b\r\n", count: 2731)
        #expect(throws: ReceivedResponse.Unexpected.self) {
            try answer("HTTP/1.1 200 OK\r\n\(more)\r\nabc", inPartsOf: 4096)
        }
        let body = String(repeating: "a", count: 262_144)
        #expect(try answer("HTTP/1.1 200 OK\r\n\r\n\(body)", inPartsOf: 4096)?.body.count == 262_144)
        #expect(throws: ReceivedResponse.Unexpected.self) {
            try answer("HTTP/1.1 200 OK\r\n\r\n\(body)a", inPartsOf: 4096)
        }
    }
}
