import CV4L2
import Glibc
public import Handoff

/// What a device tells beside its frames (`VIDIOC_DQEVENT`).
public enum DeviceEvent: Equatable, Sendable {
    /// What is plugged into the device has changed: its signal came, went, or has another size.
    case sourceChange
    /// A control has another value, range or state: set by another program, or by the camera itself.
    ///
    /// `id` is `V4L2_CID_*`.
    case control(id: UInt32)
    /// Anything else.
    case other(type: UInt32)
}

extension Device {
    /// Subscribes to events about the signal of the current input. A webcam's driver has none.
    public mutating func subscribeToSourceChanges() {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        // Each input has events of its own (kernel documentation, "VIDIOC_DQEVENT").
        subscription.id = currentInput()?.index ?? 0
        announcesSourceChanges = unsafe cv4l2_subscribe_event(descriptor.rawValue, &subscription) == 0
    }

    /// Asks for word when another program, or the camera itself, changes one of these controls.
    public func subscribe(to controls: [Control]) {
        for control in controls.prefix(512) {
            var subscription = v4l2_event_subscription()
            subscription.type = UInt32(V4L2_EVENT_CTRL)
            subscription.id = control.id
            // A driver that has no events for it: then its pages are true again when it is next read.
            _ = unsafe cv4l2_subscribe_event(descriptor.rawValue, &subscription)
        }
    }

    /// Waits for word from a device that does not stream here.
    /// - Returns: What it had to say; nothing after the deadline or the waking.
    /// - Throws: `V4L2Error.system` when the device is gone.
    public func waitForEvents(before deadline: MonotonicTime, orUntil waker: Waker) throws(V4L2Error) -> [DeviceEvent] {
        let events = try poll(POLLPRI, before: deadline, orUntil: waker)
        if events & (POLLHUP | POLLERR) != 0 { throw .system(call: "poll", errno: ENODEV, path: path) }
        return events & POLLPRI != 0 ? dequeueEvents() : []
    }

    /// Takes the events that wait.
    func dequeueEvents() -> [DeviceEvent] {
        var found: [DeviceEvent] = []
        // Bounded, for a driver that always has one more.
        for _ in 0..<256 {
            var event = v4l2_event()
            // ENOENT: no event waits.
            guard unsafe cv4l2_dqevent(descriptor.rawValue, &event) == 0 else { break }
            switch Int32(bitPattern: event.type) {
            case V4L2_EVENT_SOURCE_CHANGE: found.append(.sourceChange)
            case V4L2_EVENT_CTRL: found.append(.control(id: event.id))
            case let type: found.append(.other(type: UInt32(bitPattern: type)))
            }
        }
        return found
    }
}
