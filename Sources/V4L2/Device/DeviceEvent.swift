import CV4L2

/// What a device tells beside its frames (`VIDIOC_DQEVENT`).
enum DeviceEvent: Equatable {
    /// What is plugged into the device has changed: its signal came, went, or has another size.
    case sourceChange
    /// One of those that were subscribed to, and none of the above.
    case other(type: UInt32)
}

extension Device {
    /// Asks for word when the signal of the current input changes.
    /// - Returns: Whether the driver has any; a webcam's has none.
    @discardableResult
    public func subscribeToSourceChanges() -> Bool {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        // Each input has events of its own (kernel documentation, "VIDIOC_DQEVENT").
        subscription.id = currentInput()?.index ?? 0
        return unsafe cv4l2_subscribe_event(descriptor.rawValue, &subscription) == 0
    }

    /// Takes the events that wait.
    func dequeueEvents() -> [DeviceEvent] {
        var found: [DeviceEvent] = []
        // Bounded, for a driver that always has one more.
        for _ in 0..<256 {
            var event = v4l2_event()
            // ENOENT: no event waits.
            guard unsafe cv4l2_dqevent(descriptor.rawValue, &event) == 0 else { break }
            let type = event.type
            found.append(type == UInt32(V4L2_EVENT_SOURCE_CHANGE) ? .sourceChange : .other(type: type))
        }
        return found
    }
}
