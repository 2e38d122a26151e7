import FlyingSocks
import FoundationEssentials
import Handoff

/// A body that many responses share. It is sent in pieces, and holds the places of its client until it is sent.
///
/// A client that reads too slowly is cut off, because it keeps an old version of a document in memory.
struct SharedBody: AsyncBufferedSequence {
    typealias Element = UInt8

    /// The maximum length of a piece in bytes.
    static let maxPiece = 65_536
    /// The time after which the speed of the client counts.
    static let grace = Duration.seconds(10)
    /// The speed that a client must reach on average, in bytes a second. A slow mobile network is twice as fast.
    static let minSpeed = 16_384

    let content: Data
    let places: Places?
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    func makeAsyncIterator() -> Iterator { Iterator(body: self, start: now()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let body: SharedBody
        fileprivate let start: ContinuousClock.Instant
        private var sent = 0

        fileprivate init(body: SharedBody, start: ContinuousClock.Instant) {
            (self.body, self.start) = (body, start)
        }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard sent < body.content.count else { return nil }
            let limit = SharedBody.grace + .seconds(sent / SharedBody.minSpeed)
            guard start.duration(to: body.now()) <= limit else { throw SocketError.disconnected }
            let from = body.content.startIndex + sent
            let piece = body.content[
                from..<Swift.min(from + Swift.min(count, SharedBody.maxPiece), body.content.endIndex)]
            sent += piece.count
            return piece
        }
    }
}
