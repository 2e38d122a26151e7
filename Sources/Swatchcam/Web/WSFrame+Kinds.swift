import FlyingFox
import Foundation

extension WSFrame {
    /// A ping without a payload.
    static let ping = WSFrame(fin: true, opcode: .ping, mask: nil, payload: Data())

    /// The answer to a client's close: its own status code, without its words (RFC 6455, 5.5.1).
    static func echo(ofClose frame: WSFrame) -> WSFrame {
        WSFrame(fin: true, opcode: .close, mask: nil, payload: Data(frame.payload.prefix(2)))
    }
}
