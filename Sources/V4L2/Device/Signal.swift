import CV4L2
import Files
import Glibc

/// The reason why a connected device delivers no picture.
public enum SignalProblem: String, Error, Equatable, Sendable {
    /// The connected source is turned off.
    case noPower
    /// Nothing is plugged in, or the source sends nothing.
    case noSignal
    /// The receiver cannot lock on to the signal.
    case notLocked
    /// The receiver does not support the signal's format.
    case outOfRange

    /// A sentence that says what is wrong and what to do.
    public var sentence: String {
        switch self {
        case .noPower: "the connected source has no power. Turn it on."
        case .noSignal: "there is no signal. Connect a source and turn it on."
        case .notLocked: "the receiver cannot lock on to the signal. Check the cable and the source's format."
        case .outOfRange: "the device does not support the signal's format. Set the source to another resolution."
        }
    }
}

extension Device {
    /// Sets the receiver to the video standard or the timings that it detects.
    ///
    /// A webcam has neither, and never reports a problem. Call this before a format is negotiated, because the timings
    /// determine the picture size (kernel documentation, "Detecting the video format").
    /// - Returns: Why there is no picture; nil if the driver reports no problem.
    /// - Throws: `V4L2Error.system` if the device is gone, or another program is streaming (`EBUSY`).
    public func adoptSignal() throws(V4L2Error) -> SignalProblem? {
        guard let input = currentInput() else { return nil }
        if let problem = SignalProblem(status: input.status) { return problem }
        if input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 { return try adoptTimings() }
        if input.capabilities & UInt32(V4L2_IN_CAP_STD) != 0 { return try adoptStandard() }
        return nil
    }

    /// The problem that the driver reports with the signal of the current input; nil if it reports none.
    var signalProblem: SignalProblem? { currentInput().flatMap { SignalProblem(status: $0.status) } }

    /// Returns the driver's description of the current input; nil if the device has no inputs to choose from.
    func currentInput() -> v4l2_input? {
        var index = Int32()
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
        // A receiver that cannot detect timings keeps those it has.
        default: return nil
        }
        try unsafe wish("VIDIOC_S_DV_TIMINGS", cv4l2_s_dv_timings, &seen)
        return nil
    }

    private func adoptStandard() throws(V4L2Error) -> SignalProblem? {
        var seen = v4l2_std_id()
        // ENODATA and ENOTTY mean that the receiver cannot detect the standard.
        guard unsafe cv4l2_querystd(descriptor.rawValue, &seen) == 0 else { return nil }
        // V4L2_STD_UNKNOWN
        guard seen != 0 else { return .noSignal }
        var current = v4l2_std_id()
        // The receiver reports several standards if it cannot distinguish them; any of them will do.
        guard unsafe cv4l2_g_std(descriptor.rawValue, &current) == 0, current & seen == 0 else { return nil }
        try unsafe wish("VIDIOC_S_STD", cv4l2_s_std, &seen)
        return nil
    }
}

extension SignalProblem {
    /// Creates a problem from an input's `V4L2_IN_ST_*` flags; nil if there is none.
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
