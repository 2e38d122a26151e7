import Documents
import FlyingSocks
import FoundationEssentials
import Readings
import State

/// A stream of pictures as `multipart/x-mixed-replace`, which browsers, VLC, ffmpeg and Home Assistant accept as motion
/// JPEG.
///
/// A part is made when the previous one has been written, so a slow viewer gets fewer pictures, but recent ones.
struct PictureStream: AsyncBufferedSequence {
    typealias Element = UInt8

    static let contentType = "multipart/x-mixed-replace; boundary=\(boundary)"
    private static let boundary = "swatchcam-picture"

    let subscription: PictureSubscription
    /// The time without a picture after which the stream ends, because only a write can detect that a viewer is gone.
    ///
    /// At a low rate it is twice the time between two pictures: the next one becomes due only when that time has passed,
    /// and arrives later.
    var maxWait: Duration { Swift.max(.seconds(10), .seconds(2 * subscription.interval)) }

    func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let stream: PictureStream
        fileprivate var isFirst = true

        /// Returns nil; never called, because streams are sent in whole parts.
        mutating func next() async throws -> UInt8? { nil }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard let picture = await stream.subscription.next(within: stream.maxWait) else {
                // An error closes the connection, so that the viewer detects the end.
                throw SocketError.disconnected
            }
            defer { isFirst = false }
            return part(picture)
        }

        /// Returns the part for a picture. The line break before a boundary belongs to the boundary (RFC 2046, 5.1).
        private func part(_ picture: Picture) -> Data {
            var part = Data(
                """
                \(isFirst ? "" : "\r\n")--\(PictureStream.boundary)\r
                Content-Type: image/jpeg\r
                Content-Length: \(picture.data.count)\r
                X-Timestamp: \(picture.time.timeIntervalSince1970.formatted(decimals: 6))\r
                \r\n
                """.utf8)
            part.append(picture.data)
            return part
        }
    }
}
