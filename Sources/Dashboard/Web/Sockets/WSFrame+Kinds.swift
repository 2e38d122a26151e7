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
