import CV4L2
import Files
import Glibc
public import Handoff

/// An event that a device reports besides its frames (`VIDIOC_DQEVENT`).
public enum DeviceEvent: Equatable, Sendable {
    /// A change of the input signal: it appeared, disappeared or changed its size.
    case sourceChange
    /// A change of a control's value, range or state, made by another program or by the camera itself.
    ///
    /// `id` is `V4L2_CID_*`.
    case control(id: UInt32)
    /// Any other event.
    case other(type: UInt32)
    /// The driver reports no events: any control may have changed.
    case unannounced
}

extension Device {
    /// Subscribes to events about the signal of the current input. A webcam's driver has none.
    public mutating func subscribeToSourceChanges() {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        // Each input has its own events (kernel documentation, "VIDIOC_DQEVENT").
        subscription.id = currentInput()?.index ?? 0
        announcesSourceChanges = unsafe cv4l2_subscribe_event(descriptor.rawValue, &subscription) == 0
    }

    /// Subscribes to events that report changes of these controls by another program or by the camera itself.
    public func subscribe(to controls: [Control]) {
        for control in controls.prefix(512) {
            var subscription = v4l2_event_subscription()
            subscription.type = UInt32(V4L2_EVENT_CTRL)
            subscription.id = control.id
            // A failure can be ignored: without events, a change becomes visible when the controls are next read.
            _ = unsafe cv4l2_subscribe_event(controlDescriptor, &subscription)
        }
    }

    /// The time after which the controls of a driver that reports no events may have changed, in seconds.
    private static let unannouncedInterval = 2.0

    /// Waits for events of a device that is not used for streaming here.
    /// - Returns: The events; none after the deadline or if the waker was triggered. A driver that reports no events
    ///   has ``DeviceEvent/unannounced`` every two seconds.
    /// - Throws: `V4L2Error.system` if the device is gone.
    public func waitForEvents(before deadline: MonotonicTime, orUntil waker: Waker) throws(V4L2Error) -> [DeviceEvent] {
        let events = try poll(POLLPRI, ofControls: true, before: deadline, orUntil: waker)
        if events & POLLHUP != 0 { throw .system(call: "poll", errno: ENODEV, path: path) }
        if events & POLLERR != 0 {
            // poll(2) also reports this at once for a sensor whose driver reports no events (subdev_poll in the
            // kernel), such as imx296's.
            guard !isGone else { throw .system(call: "poll", errno: ENODEV, path: path) }
            return waker.wait(until: min(deadline, .now() + Self.unannouncedInterval)) ? [] : [.unannounced]
        }
        return events & POLLPRI != 0 ? dequeueEvents(of: controlDescriptor) : []
    }

    /// Removes and returns the events that are waiting.
    /// - Parameter file: The open device that has them.
    func dequeueEvents(of file: Int32) -> [DeviceEvent] {
        var found: [DeviceEvent] = []
        // The limit guards against a driver that always has one more.
        for _ in 0..<256 {
            var event = v4l2_event()
            // ENOENT: no event is waiting.
            guard unsafe cv4l2_dqevent(file, &event) == 0 else { break }
            switch Int32(bitPattern: event.type) {
            case V4L2_EVENT_SOURCE_CHANGE: found.append(.sourceChange)
            case V4L2_EVENT_CTRL: found.append(.control(id: event.id))
            case let type: found.append(.other(type: UInt32(bitPattern: type)))
            }
        }
        return found
    }
}
