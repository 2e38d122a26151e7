import FlyingSocks
import FoundationEssentials

/// A body that fails after its last byte, which makes FlyingFox close the connection.
///
/// FlyingFox ignores `Connection: close` in a response, and would read an unread request body as further requests.
struct ClosingBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let content: Data

    func makeAsyncIterator() -> Iterator { Iterator(content: content) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var content: Data

        mutating func next() async throws -> UInt8? {
            guard let byte = content.popFirst() else { throw SocketError.disconnected }
            return byte
        }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard !content.isEmpty else { throw SocketError.disconnected }
            defer { content = Data() }
            return content
        }
    }
}
