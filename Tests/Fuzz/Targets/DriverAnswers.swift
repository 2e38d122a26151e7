import CV4L2
import Glibc

/// The answers of a driver in the form that `FakeDriver.h` defines.
enum DriverAnswers {
    /// An answer that leaves the structure unchanged.
    static let same: [UInt8] = [0]
    /// An answer that the requested item does not exist.
    static let none = failure(EINVAL)

    static func failure(_ errno: Int32) -> [UInt8] { [3, UInt8(truncatingIfNeeded: errno)] }

    /// Returns an answer with a structure's bytes.
    /// - Parameter count: The number of bytes from its beginning; nil for all.
    static func whole<Structure>(_ structure: Structure, _ count: Int? = nil) -> [UInt8] {
        let bytes = unsafe withUnsafeBytes(of: structure) { unsafe Array($0.prefix(min(count ?? .max, 255))) }
        return [1, UInt8(bytes.count)] + bytes
    }

    /// Returns an answer that describes a control.
    static func control(
        _ id: UInt32, _ name: String, _ type: v4l2_ctrl_type, minimum: Int64, maximum: Int64, step: UInt64 = 1
    ) -> [UInt8] {
        control(id, Array(name.utf8), type, minimum: minimum, maximum: maximum, step: step)
    }

    /// Returns an answer that describes a control whose name is any bytes.
    static func control(
        _ id: UInt32, _ name: [UInt8], _ type: v4l2_ctrl_type, minimum: Int64, maximum: Int64, step: UInt64 = 1
    ) -> [UInt8] {
        var query = v4l2_query_ext_ctrl()
        (query.id, query.type, query.minimum, query.maximum, query.step) = (id, type.rawValue, minimum, maximum, step)
        unsafe withUnsafeMutableBytes(of: &query.name) { unsafe $0.copyBytes(from: name.prefix(32)) }
        return whole(query, 80)
    }

    /// Returns an answer with the value of a control.
    static func value(_ number: Int32) -> [UInt8] {
        // The list of controls stays unchanged, but not the control itself.
        same + [1, 4] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
