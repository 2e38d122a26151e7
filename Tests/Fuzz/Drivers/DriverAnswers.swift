import CV4L2
import Glibc

/// Answers of a driver, as `FakeDriver.h` has them.
enum DriverAnswers {
    /// The structure stays as it is.
    static let same: [UInt8] = [0]
    /// There is no such thing.
    static let none = failure(EINVAL)

    static func failure(_ errno: Int32) -> [UInt8] { [3, UInt8(truncatingIfNeeded: errno)] }

    /// - Parameter count: How much of the structure's beginning, if not all.
    static func whole<Structure>(_ structure: Structure, _ count: Int? = nil) -> [UInt8] {
        let bytes = unsafe withUnsafeBytes(of: structure) { unsafe Array($0.prefix(min(count ?? .max, 255))) }
        return [1, UInt8(bytes.count)] + bytes
    }

    /// A control, and nothing else of it.
    static func control(
        _ id: UInt32, _ name: String, _ type: v4l2_ctrl_type, minimum: Int64, maximum: Int64, step: UInt64 = 1
    ) -> [UInt8] {
        control(id, Array(name.utf8), type, minimum: minimum, maximum: maximum, step: step)
    }

    /// The same, of a name in any bytes.
    static func control(
        _ id: UInt32, _ name: [UInt8], _ type: v4l2_ctrl_type, minimum: Int64, maximum: Int64, step: UInt64 = 1
    ) -> [UInt8] {
        var query = v4l2_query_ext_ctrl()
        (query.id, query.type, query.minimum, query.maximum, query.step) = (id, type.rawValue, minimum, maximum, step)
        unsafe withUnsafeMutableBytes(of: &query.name) { unsafe $0.copyBytes(from: name.prefix(32)) }
        return whole(query, 80)
    }

    /// What a control is set to.
    static func value(_ number: Int32) -> [UInt8] {
        // The list of controls stays as it is, the control itself does not.
        same + [1, 4] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
