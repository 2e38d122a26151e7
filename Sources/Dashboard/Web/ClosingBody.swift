import FlyingSocks
import Foundation

/// A body that fails after its bytes, which is how a response makes FlyingFox close the connection: it heeds no
/// `Connection: close` of a response, and would take what follows an unread body for further requests.
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
