import FlyingFox
import FoundationEssentials

/// A text message for all WebSockets, encoded once.
struct TextFrame: Sendable {
    let frame: WSFrame
    /// The frame as it is sent.
    let bytes: Data

    /// Makes a frame from a whole text message in UTF-8.
    init(text utf8: Data) {
        frame = WSFrame(fin: true, opcode: .text, mask: nil, payload: utf8)
        // RFC 6455, 5.2: FIN and the opcode for text, then the shortest form of the length; servers do not mask.
        var bytes = Data([0x81])
        switch utf8.count {
        case ...125:
            bytes.append(UInt8(utf8.count))
        case ...0xFFFF:
            bytes.append(126)
            unsafe withUnsafeBytes(of: UInt16(utf8.count).bigEndian) { unsafe bytes.append(contentsOf: $0) }
        default:
            bytes.append(127)
            unsafe withUnsafeBytes(of: UInt64(utf8.count).bigEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        self.bytes = bytes + utf8
    }
}
