import FlyingFox
import FoundationEssentials

extension WSFrame {
    /// A ping without a payload.
    static let ping = WSFrame(fin: true, opcode: .ping, mask: nil, payload: Data())

    /// Returns the reply to a client's close frame: its status code without the reason (RFC 6455, 5.5.1), or an error
    /// if the frame is invalid.
    static func reply(toClose frame: WSFrame) -> WSFrame {
        let payload = Data(frame.payload)
        guard !payload.isEmpty else { return WSFrame(fin: true, opcode: .close, mask: nil, payload: Data()) }
        guard payload.count >= 2, isCloseCode(Int(payload[0]) << 8 | Int(payload[1])) else {
            return .close(code: .protocolError)
        }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
            return .close(code: .invalidFramePayload)
        }
        return WSFrame(fin: true, opcode: .close, mask: nil, payload: payload.prefix(2))
    }

    /// Returns whether a client may send a status code: one that RFC 6455 (7.4) or IANA defines for frames, or one for
    /// libraries and applications.
    private static func isCloseCode(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A text message for all WebSockets, encoded once.
struct TextFrame: Sendable {
    /// The maximum size of a message that is written directly, in bytes. A longer one may not fit into the buffer of the
    /// socket, so a task sends it, which waits for room.
    private static let maxDirect = 16_384

    let frame: WSFrame
    /// The frame as it is written directly; nil if it is too long for that.
    let bytes: Data?

    /// Makes a frame from a whole text message in UTF-8.
    init(text utf8: Data) {
        frame = WSFrame(fin: true, opcode: .text, mask: nil, payload: utf8)
        guard utf8.count <= Self.maxDirect else {
            bytes = nil
            return
        }
        // RFC 6455, 5.2: FIN and the opcode for text, then the shortest form of the length; servers do not mask.
        var bytes = Data([0x81])
        switch utf8.count {
        case ...125:
            bytes.append(UInt8(utf8.count))
        default:
            bytes.append(126)
            unsafe withUnsafeBytes(of: UInt16(utf8.count).bigEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        self.bytes = bytes + utf8
    }
}
