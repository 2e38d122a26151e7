import FlyingSocks
import FoundationEssentials
import Handoff

/// A body that holds a token until it is sent.
struct TokenHoldingBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let content: Data
    let token: InterestToken

    func makeAsyncIterator() -> Iterator { Iterator(content: content, token: token) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var content: Data
        fileprivate let token: InterestToken

        mutating func next() async throws -> UInt8? { content.popFirst() }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard !content.isEmpty else { return nil }
            defer { content = Data() }
            return content
        }
    }
}
