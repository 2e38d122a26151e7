import CV4L2

extension Device {
    /// The controls that the camera has, in the driver's order; those whose kind has no value that a person could
    /// write (matrices and the like) are left out.
    public func controls() -> [Control] {
        let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        var found: [Control] = []
        var query = v4l2_query_ext_ctrl()
        query.id = next
        // Bounded, for a driver that goes round in circles.
        for _ in 0..<1024 {
            guard unsafe cv4l2_query_ext_ctrl(descriptor.rawValue, &query) == 0 else { break }
            if let control = control(from: query) { found.append(control) }
            query.id |= next
        }
        return found
    }

    private func control(from query: v4l2_query_ext_ctrl) -> Control? {
        let flags = query.flags
        guard let kind = Control.Kind(v4l2: query.type), flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else {
            return nil
        }
        let label = string(of: query.name)
        let isReadable = flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) == 0 && kind != .button && kind != .string
        return Control(
            id: query.id, name: Self.identifier(from: label), label: label, kind: kind,
            minimum: query.minimum, maximum: query.maximum, step: Int64(clamping: query.step),
            defaultValue: query.default_value, value: isReadable ? value(of: query) : nil,
            choices: kind == .menu || kind == .integerMenu ? choices(of: query, kind: kind) : [],
            isReadOnly: flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0,
            isInactive: flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0)
    }

    private func value(of query: v4l2_query_ext_ctrl) -> Int64? {
        var control = unsafe v4l2_ext_control()
        unsafe control.id = query.id
        let errno = unsafe withUnsafeMutablePointer(to: &control) { pointer in
            var request = unsafe v4l2_ext_controls()
            unsafe request.which = UInt32(V4L2_CTRL_WHICH_CUR_VAL)
            unsafe request.count = 1
            unsafe request.controls = pointer
            return unsafe cv4l2_g_ext_ctrls(descriptor.rawValue, &request)
        }
        guard errno == 0 else { return nil }
        return query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
            ? unsafe Int64(control.value64) : unsafe Int64(control.value)
    }

    private func choices(of query: v4l2_query_ext_ctrl, kind: Control.Kind) -> [Control.Choice] {
        guard query.minimum >= 0, query.maximum >= query.minimum else { return [] }
        return (query.minimum...min(query.maximum, query.minimum + 255)).compactMap { index in
            var menu = v4l2_querymenu()
            menu.id = query.id
            menu.index = UInt32(clamping: index)
            // A menu may have gaps: those indexes give EINVAL.
            guard unsafe cv4l2_querymenu(descriptor.rawValue, &menu) == 0 else { return nil }
            let name = kind == .menu ? string(of: menu.name) : String(menu.value)
            return Control.Choice(value: index, name: name)
        }
    }

    /// `White Balance, Automatic` becomes `white_balance_automatic`: lower case, every run of other characters one
    /// underscore, as v4l2-ctl does it.
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
