import CV4L2
import Files
import Glibc

extension Device {
    /// The maximum number of bytes to read of a string control.
    private static let maxTextLength: Int64 = 4096

    /// The ids of the controls that uvcvideo may have: the kernel's "User Controls" and "Camera Controls".
    private static let usbControlIDs = [
        V4L2_CID_BASE..<V4L2_CID_LASTP1, V4L2_CID_CAMERA_CLASS_BASE..<V4L2_CID_CAMERA_CLASS_BASE + 64,
    ]
    .joined().map { UInt32(bitPattern: $0) }

    /// Returns the camera's controls in ascending order of their ids, except disabled ones and those whose value a
    /// person could not write: the driver lists arrays and compound controls only on request.
    public func controls() -> [Control] {
        var found: [Control] = []
        var names: Set<String> = []
        var last: UInt32 = 0
        // The limit and the check for ascending ids guard against a driver that never ends its list.
        for _ in 0..<1024 {
            guard let query = description(after: last), query.id > last else { break }
            last = query.id
            if var control = control(from: query) {
                // A driver may give two controls the same name, but here a name must identify one control.
                while !names.insert(control.name).inserted { control.name += Self.suffix(of: control.id) }
                found.append(control)
            }
        }
        return found
    }

    /// Returns the driver's description of the control that follows an id; nil if none does.
    ///
    /// A USB camera may fail to describe a control. The driver does not say which one, so it would hide all that
    /// follow: they are asked for one by one.
    private func description(after id: UInt32) -> v4l2_query_ext_ctrl? {
        var query = v4l2_query_ext_ctrl()
        for _ in 0..<2 {
            query.id = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            switch unsafe cv4l2_query_ext_ctrl(controlDescriptor, &query) {
            case 0: return query
            // The errors that the camera's answer can cause (uvc_query_ctrl in the kernel's uvc_video.c). A camera that
            // does not answer would cost seconds for each control.
            case EIO, EPIPE, EACCES, EBUSY, EREMOTE, ERANGE: continue
            default: return nil
            }
        }
        for later in Self.usbControlIDs where later > id {
            if let found = description(of: later) { return found }
        }
        return nil
    }

    /// Whether the device has been removed, so that it can no longer be asked for its controls.
    var isGone: Bool {
        var query = v4l2_query_ext_ctrl()
        query.id = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        return unsafe cv4l2_query_ext_ctrl(controlDescriptor, &query) == ENODEV
    }

    private func description(of id: UInt32) -> v4l2_query_ext_ctrl? {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        return unsafe cv4l2_query_ext_ctrl(controlDescriptor, &query) == 0 ? query : nil
    }

    /// Returns a suffix that distinguishes a control from all others.
    private static func suffix(of id: UInt32) -> String { "_0x" + String(id, radix: 16) }

    /// Returns a control in its current state.
    /// - Parameter id: `V4L2_CID_*`.
    /// - Returns: Nil if the camera does not have it, or if ``controls()`` would not list it. Its name may be that of
    ///   another control, which ``controls()`` would change.
    public func control(_ id: UInt32) -> Control? { description(of: id).flatMap { control(from: $0) } }

    /// Sets a control, or presses it if it is a button.
    /// - Throws: `V4L2Error.control` if the driver rejects the value, `.system` if the device is gone.
    public func set(_ control: Control, to value: Control.Value) throws(V4L2Error) {
        let errno: Int32
        switch value {
        case .number(let number): errno = set(control, to: number)
        case .text(let text): errno = set(control, to: text)
        }
        if errno == ENODEV { throw .system(call: "VIDIOC_S_EXT_CTRLS", errno: errno, path: path) }
        guard errno == 0 else { throw .control(name: control.name, errno: errno, path: path) }
    }

    private func control(from query: v4l2_query_ext_ctrl) -> Control? {
        let flags = query.flags
        guard let kind = Control.Kind(v4l2: query.type), flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else {
            return nil
        }
        let label = string(of: query.name)
        let name = Self.identifier(from: label)
        let isReadable = flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) == 0
        return Control(
            id: query.id, name: name.isEmpty ? "control" + Self.suffix(of: query.id) : name, label: label, kind: kind,
            minimum: query.minimum, maximum: query.maximum, step: Int64(clamping: query.step),
            defaultValue: kind == .button || kind == .string ? nil : .number(query.default_value),
            value: isReadable ? value(of: query, kind: kind) : nil,
            choices: kind == .menu || kind == .integerMenu ? choices(of: query, kind: kind) : [],
            isReadOnly: flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0,
            isInactive: flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0,
            isVolatile: flags & UInt32(V4L2_CTRL_FLAG_VOLATILE) != 0,
            modifiesLayout: flags & UInt32(V4L2_CTRL_FLAG_MODIFY_LAYOUT) != 0)
    }

    private func value(of query: v4l2_query_ext_ctrl, kind: Control.Kind) -> Control.Value? {
        switch kind {
        case .button: return nil
        case .string: return text(of: query).map(Control.Value.text)
        default:
            var control = unsafe v4l2_ext_control()
            unsafe control.id = query.id
            guard unsafe request(cv4l2_g_ext_ctrls, &control) == 0 else { return nil }
            if query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue { return .number(unsafe control.value64) }
            let number = unsafe control.value
            // The highest bit of a mask is not a sign bit.
            return .number(kind == .bitmask ? Int64(UInt32(bitPattern: number)) : Int64(number))
        }
    }

    private func text(of query: v4l2_query_ext_ctrl) -> String? {
        // One more byte for the terminating NUL.
        var bytes = [CChar](repeating: 0, count: Int(min(max(query.maximum, 0), Self.maxTextLength)) + 1)
        let errno = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var control = unsafe v4l2_ext_control()
            unsafe control.id = query.id
            unsafe control.size = UInt32(buffer.count)
            unsafe control.string = buffer.baseAddress
            return unsafe request(cv4l2_g_ext_ctrls, &control)
        }
        guard errno == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    private func set(_ control: Control, to number: Int64) -> Int32 {
        var entry = unsafe v4l2_ext_control()
        unsafe entry.id = control.id
        // Its lower half is `value`, which counts for types of 32 bits: no supported processor is big-endian.
        unsafe entry.value64 = number
        return unsafe request(cv4l2_s_ext_ctrls, &entry)
    }

    private func set(_ control: Control, to text: String) -> Int32 {
        var bytes = text.utf8.map { CChar(truncatingIfNeeded: $0) } + [0]
        return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var entry = unsafe v4l2_ext_control()
            unsafe entry.id = control.id
            unsafe entry.size = UInt32(buffer.count)
            unsafe entry.string = buffer.baseAddress
            return unsafe request(cv4l2_s_ext_ctrls, &entry)
        }
    }

    private func request(
        _ function: (Int32, UnsafeMutablePointer<v4l2_ext_controls>) -> Int32, _ control: inout v4l2_ext_control
    ) -> Int32 {
        unsafe withUnsafeMutablePointer(to: &control) { pointer in
            // `which` stays 0, V4L2_CTRL_WHICH_CUR_VAL.
            var request = unsafe v4l2_ext_controls()
            unsafe request.count = 1
            unsafe request.controls = pointer
            return unsafe function(controlDescriptor, &request)
        }
    }

    private func choices(of query: v4l2_query_ext_ctrl, kind: Control.Kind) -> [Control.Choice] {
        guard query.minimum >= 0, query.maximum >= query.minimum else { return [] }
        // Written so that the sum cannot overflow, whatever minimum the driver reports.
        let last = query.minimum + min(query.maximum - query.minimum, 255)
        return (query.minimum...last).compactMap { index in
            var menu = v4l2_querymenu()
            menu.id = query.id
            menu.index = UInt32(clamping: index)
            // A menu may have gaps, whose indexes give EINVAL.
            guard unsafe cv4l2_querymenu(controlDescriptor, &menu) == 0 else { return nil }
            let name = kind == .menu ? string(of: menu.name) : String(menu.value)
            return Control.Choice(value: index, name: name)
        }
    }

    /// Makes a name from a label as v4l2-ctl does: ASCII letters and digits in lower case, and one underscore for every
    /// run of other characters. `White Balance, Automatic` becomes `white_balance_automatic`.
    static func identifier(from label: String) -> String {
        var name = ""
        for character in label.lowercased() {
            if character.isASCII, character.isLetter || character.isNumber {
                name.append(character)
            } else if !name.isEmpty, !name.hasSuffix("_") {
                name.append("_")
            }
        }
        while name.hasSuffix("_") { name.removeLast() }
        return name
    }
}

extension Control.Kind {
    fileprivate init?(v4l2 type: UInt32) {
        switch type {
        case V4L2_CTRL_TYPE_INTEGER.rawValue, V4L2_CTRL_TYPE_INTEGER64.rawValue: self = .integer
        case V4L2_CTRL_TYPE_BOOLEAN.rawValue: self = .boolean
        case V4L2_CTRL_TYPE_MENU.rawValue: self = .menu
        case V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: self = .integerMenu
        case V4L2_CTRL_TYPE_BUTTON.rawValue: self = .button
        case V4L2_CTRL_TYPE_BITMASK.rawValue: self = .bitmask
        case V4L2_CTRL_TYPE_STRING.rawValue: self = .string
        default: return nil
        }
    }
}

/// A control that could not be set to the wanted value.
public struct ControlRefusal: Error, Equatable, Sendable {
    /// The control's name.
    public var name: String
    /// The reason, in a few words that follow the name.
    public var reason: String

    /// Creates a refusal from the given values, unchecked.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}

extension Device {
    /// Sets several controls in the order that their dependencies require, and reads them back.
    ///
    /// Automatic controls come first, then other switches and menus, then the rest: a value that an automatic control
    /// adjusts can be set only while that control is off. Of the rest, the vertical blanking comes first, because it
    /// decides how long a sensor may expose.
    /// - Returns: The controls that could not be set, were set to another value, or have no effect.
    /// - Throws: `V4L2Error.system` if the device is gone.
    public func apply(_ wanted: [(control: Control, value: Control.Value)]) throws(V4L2Error) -> [ControlRefusal] {
        var refusals: [ControlRefusal] = []
        var applied: [(control: Control, value: Control.Value)] = []
        for (control, value) in wanted.sorted(by: { $0.control.rank < $1.control.rank }) {
            // A control that was set before may have changed the range.
            if control.problem(with: value) != nil,
                let problem = (self.control(control.id) ?? control).problem(with: value)
            {
                refusals.append(ControlRefusal(name: control.name, reason: problem))
                continue
            }
            do throws(V4L2Error) {
                try set(control, to: value)
                applied.append((control, value))
            } catch .control(_, let errno, _) {
                refusals.append(ControlRefusal(name: control.name, reason: V4L2Error.controlReason(errno)))
            }
        }
        let now = controls()
        for (control, value) in applied where control.kind != .button {
            guard let current = now.first(where: { $0.id == control.id }) else { continue }
            if current.isInactive {
                let controller =
                    now.controller(of: current).map { "\($0.label) has taken it over" } ?? "something else controls it"
                refusals.append(ControlRefusal(name: control.name, reason: "has no effect: \(controller)"))
            } else if let read = current.value, read != value {
                refusals.append(
                    ControlRefusal(name: control.name, reason: "was set to \(value.brief), but is \(read.brief)"))
            }
        }
        return refusals
    }
}

extension Control {
    /// The position in the order of setting; lower ranks are set first.
    fileprivate var rank: Int {
        if AutoControl.all.contains(where: { $0.id == id }) { return 0 }
        return switch kind {
        case .boolean, .menu, .integerMenu: 1
        default: id == UInt32(V4L2_CID_VBLANK) ? 2 : 3
        }
    }
}
