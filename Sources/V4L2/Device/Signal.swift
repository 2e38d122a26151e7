import CV4L2
import Glibc

/// Why there is no picture although the camera is there.
public enum SignalProblem: String, Error, Equatable, Sendable {
    /// What is plugged in is switched off.
    case noPower
    /// Nothing is plugged in, or it sends nothing.
    case noSignal
    /// Something is sent that the receiver cannot hold on to.
    case notLocked
    /// Something is sent that the receiver is not made for.
    case outOfRange

    /// What is wrong and what to do.
    public var sentence: String {
        switch self {
        case .noPower: "what is plugged into it has no power. Switch it on."
        case .noSignal: "there is no signal. Plug a source in, and switch it on."
        case .notLocked: "the signal cannot be held. Check the cable and the source's format."
        case .outOfRange: "the signal is of a kind that the device cannot take. Set the source to another resolution."
        }
    }
}

extension Device {
    /// Follows what is plugged in: sets the receiver to the video standard or the timings that it sees.
    ///
    /// A webcam has no such thing, and no problem. To be called before a format is negotiated: the size of a picture
    /// follows from the timings (kernel documentation, "Detecting the video format").
    /// - Returns: Why there is no picture; nil if there is one, as far as the driver knows.
    /// - Throws: `V4L2Error.system` when the device is gone, or another program streams (`EBUSY`).
    public func adoptSignal() throws(V4L2Error) -> SignalProblem? {
        guard let input = currentInput() else { return nil }
        if let problem = SignalProblem(status: input.status) { return problem }
        if input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 { return try adoptTimings() }
        if input.capabilities & UInt32(V4L2_IN_CAP_STD) != 0 { return try adoptStandard() }
        return nil
    }

    /// What the driver says of the signal while it streams; nil if it says that there is one, or nothing.
    var signalProblem: SignalProblem? { currentInput().flatMap { SignalProblem(status: $0.status) } }

    /// What the driver says of the input that is switched to; nil if it has none to choose from.
    func currentInput() -> v4l2_input? {
        var index: Int32 = 0
        var input = v4l2_input()
        guard unsafe cv4l2_g_input(descriptor.rawValue, &index) == 0 else { return nil }
        input.index = UInt32(bitPattern: index)
        return unsafe cv4l2_enuminput(descriptor.rawValue, &input) == 0 ? input : nil
    }

    private func adoptTimings() throws(V4L2Error) -> SignalProblem? {
        var seen = v4l2_dv_timings()
        switch unsafe cv4l2_query_dv_timings(descriptor.rawValue, &seen) {
        case 0: break
        case ENOLINK: return .noSignal
        case ENOLCK: return .notLocked
        case ERANGE: return .outOfRange
        case ENODEV: throw .system(call: "VIDIOC_QUERY_DV_TIMINGS", errno: ENODEV, path: path)
        // A receiver that cannot look keeps what it was set to.
        default: return nil
        }
        try unsafe request("VIDIOC_S_DV_TIMINGS", cv4l2_s_dv_timings, &seen)
        return nil
    }

    private func adoptStandard() throws(V4L2Error) -> SignalProblem? {
        var seen: v4l2_std_id = 0
        // ENODATA and ENOTTY: a receiver that cannot look.
        guard unsafe cv4l2_querystd(descriptor.rawValue, &seen) == 0 else { return nil }
        // V4L2_STD_UNKNOWN
        guard seen != 0 else { return .noSignal }
        var current: v4l2_std_id = 0
        // A set of standards is seen where they cannot be told apart: one of them will do.
        guard unsafe cv4l2_g_std(descriptor.rawValue, &current) == 0, current & seen == 0 else { return nil }
        try unsafe request("VIDIOC_S_STD", cv4l2_s_std, &seen)
        return nil
    }
}

extension SignalProblem {
    /// `V4L2_IN_ST_*` of the input.
    fileprivate init?(status: UInt32) {
        func has(_ flag: Int32) -> Bool { status & UInt32(flag) != 0 }
        if has(V4L2_IN_ST_NO_POWER) {
            self = .noPower
        } else if has(V4L2_IN_ST_NO_SIGNAL) {
            self = .noSignal
        } else if has(V4L2_IN_ST_NO_H_LOCK) || has(V4L2_IN_ST_NO_V_LOCK) || has(V4L2_IN_ST_NO_STD_LOCK)
            || has(V4L2_IN_ST_NO_SYNC)
        {
            self = .notLocked
        } else {
            return nil
        }
    }
}
