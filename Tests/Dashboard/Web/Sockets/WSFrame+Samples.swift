import FlyingFox
import Foundation

extension WSFrame {
    /// Returns a masked frame, as clients send it.
    static func client(
        _ opcode: Opcode, _ payload: Data = Data(), fin: Bool = true, reserved: [Bool] = []
    ) -> WSFrame {
        let bits = reserved + [Bool](repeating: false, count: 3)
        return WSFrame(
            fin: fin, rsv1: bits[0], rsv2: bits[1], rsv3: bits[2], opcode: opcode,
            mask: Mask(m1: 1, m2: 2, m3: 3, m4: 4), payload: payload)
    }
}
