package import CV4L2
import FakeDriver
import Glibc

/// The controls of a driver, which are described, read and set as in the kernel.
package final class ModelControls {
    /// A number, a 64-bit number or a text.
    package enum Value: Equatable {
        case number(Int32)
        case wide(Int64)
        case text(String)
    }

    package let driver: ModelDriver
    package var list: [v4l2_query_ext_ctrl] = []
    package var values: [UInt32: Value] = [:]
    /// How often describing a control fails, by its id.
    package var failures: [UInt32: Int] = [:]
    /// The errno with which setting a control fails, by the control's id.
    package var refusals: [UInt32: Int32] = [:]
    /// The ids of the controls that were set, in order.
    package private(set) var changes: [UInt32] = []
    /// The side effect of setting a control, such as that an automatic control takes another over.
    package var afterChange: (UInt32) -> Void = { _ in }

    package init(_ list: [v4l2_query_ext_ctrl] = [], of driver: ModelDriver = ModelDriver()) {
        self.list = list
        self.driver = driver
        driver.on(FAKE_QUERY_EXT_CTRL, v4l2_query_ext_ctrl.self) { [unowned self] query in
            let wanted = query.id & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            let isNext = wanted != query.id
            guard let found = self.list.first(where: { isNext ? $0.id > wanted : $0.id == wanted }) else {
                return EINVAL
            }
            if let count = failures[found.id], count > 0 {
                failures[found.id] = count - 1
                return EIO
            }
            query = found
            return 0
        }
        unsafe driver.on(FAKE_G_EXT_CTRLS, v4l2_ext_controls.self) { [unowned self] request in
            guard unsafe request.count == 1, unsafe request.which == UInt32(V4L2_CTRL_WHICH_CUR_VAL) else {
                return EINVAL
            }
            return unsafe get(&request.controls[0])
        }
        unsafe driver.on(FAKE_S_EXT_CTRLS, v4l2_ext_controls.self) { [unowned self] request in
            guard unsafe request.count == 1, unsafe request.which == UInt32(V4L2_CTRL_WHICH_CUR_VAL) else {
                return EINVAL
            }
            return unsafe set(request.controls[0])
        }
    }

    private func get(_ control: inout v4l2_ext_control) -> Int32 {
        switch unsafe values[control.id] {
        case nil: return EACCES
        case .number(let number): unsafe control.value = number
        case .wide(let number): unsafe control.value64 = number
        case .text(let text):
            let bytes = text.utf8.map { CChar(truncatingIfNeeded: $0) } + [0]
            guard unsafe bytes.count <= control.size else { return ENOSPC }
            for (index, byte) in bytes.enumerated() { unsafe control.string[index] = byte }
        }
        return 0
    }

    private func set(_ control: v4l2_ext_control) -> Int32 {
        let id = unsafe control.id
        if let refusal = refusals[id] { return refusal }
        changes.append(id)
        let kind = list.first { $0.id == id }?.type
        if kind == V4L2_CTRL_TYPE_STRING.rawValue, unsafe control.size > 0 {
            values[id] = unsafe .text(String(cString: control.string))
        } else if kind == V4L2_CTRL_TYPE_INTEGER64.rawValue {
            values[id] = unsafe .wide(control.value64)
        } else if kind != V4L2_CTRL_TYPE_BUTTON.rawValue {
            values[id] = unsafe .number(control.value)
        }
        afterChange(id)
        return 0
    }

    /// Adds a control with its value. The default of every control is 128.
    package func add(
        _ id: Int32, _ name: String, _ type: v4l2_ctrl_type = V4L2_CTRL_TYPE_INTEGER,
        _ range: ClosedRange<Int64> = 0...255, flags: Int32 = 0, value: Int32
    ) {
        list.append(v4l2_query_ext_ctrl(id, name, type, range, flags: flags))
        list.sort { $0.id < $1.id }
        values[UInt32(bitPattern: id)] = .number(value)
    }

    package func setFlags(_ flags: Int32, of id: Int32) {
        for index in list.indices where list[index].id == UInt32(bitPattern: id) {
            list[index].flags = UInt32(bitPattern: flags)
        }
    }
}

extension v4l2_query_ext_ctrl {
    /// Creates a control as a driver describes it.
    package init(
        _ id: Int32, _ name: String, _ type: v4l2_ctrl_type = V4L2_CTRL_TYPE_INTEGER,
        _ range: ClosedRange<Int64> = 0...255,
        step: UInt64 = 1, flags: Int32 = 0
    ) {
        self.init()
        (self.id, self.type, minimum, maximum) = (
            UInt32(bitPattern: id), type.rawValue, range.lowerBound, range.upperBound
        )
        (self.step, default_value, self.flags) = (step, 128, UInt32(bitPattern: flags))
        unsafe withUnsafeMutableBytes(of: &self.name) { unsafe $0.copyBytes(from: Array(name.utf8)) }
    }
}
