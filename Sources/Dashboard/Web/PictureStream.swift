import Capture
import FlyingSocks
import Foundation

/// Pictures as `multipart/x-mixed-replace`, for as long as the viewer stays: what browsers, VLC, ffmpeg and Home
/// Assistant take for motion JPEG.
///
/// A part is made when the one before it is written: a viewer that reads slowly sees fewer pictures, all of them new.
struct PictureStream: AsyncBufferedSequence {
    typealias Element = UInt8

    static let contentType = "multipart/x-mixed-replace; boundary=\(boundary)"
    private static let boundary = "swatchcam-picture"
    /// Without a picture for so long the stream ends: the viewer may be gone, which only writing to it would tell.
    private static let patience = Duration.seconds(10)

    let subscription: PictureSubscription

    func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let subscription: PictureSubscription
        private var isFirst = true

        fileprivate init(subscription: PictureSubscription) {
            self.subscription = subscription
        }

        /// Streams go out in whole parts; nobody asks for a byte.
        mutating func next() async throws -> UInt8? { nil }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard let picture = await subscription.next(within: PictureStream.patience) else {
                // An error is what makes the connection close: the viewer sees that nothing follows.
                throw SocketError.disconnected
            }
            defer { isFirst = false }
            return part(picture)
        }

        /// RFC 2046, 5.1: the line break before a boundary belongs to it.
        private func part(_ picture: Picture) -> Data {
            var part = Data(
                """
                \(isFirst ? "" : "\r\n")--\(PictureStream.boundary)\r
                Content-Type: image/jpeg\r
                Content-Length: \(picture.data.count)\r
                X-Timestamp: \(String(format: "%.6f", picture.time.timeIntervalSince1970))\r
                \r\n
                """.utf8)
            part.append(picture.data)
            return part
        }
    }
}
