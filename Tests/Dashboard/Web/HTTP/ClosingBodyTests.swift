import FlyingSocks
import Foundation
import Testing

@testable import Dashboard

@Suite("Body that ends the connection")
struct ClosingBodyTests {
    @Test("a body that ends the connection is sent in one part, and then fails")
    func parts() async throws {
        var iterator = ClosingBody(content: Data("ab".utf8)).makeAsyncIterator()
        #expect(try await iterator.nextBuffer(suggested: 1) == Data("ab".utf8))
        await #expect(throws: SocketError.disconnected) { try await iterator.nextBuffer(suggested: 1) }
    }

    @Test("a body that ends the connection is sent byte by byte, and then fails")
    func bytes() async throws {
        var iterator = ClosingBody(content: Data("ab".utf8)).makeAsyncIterator()
        #expect(try await iterator.next() == UInt8(ascii: "a"))
        #expect(try await iterator.next() == UInt8(ascii: "b"))
        await #expect(throws: SocketError.disconnected) { try await iterator.next() }
    }
}
