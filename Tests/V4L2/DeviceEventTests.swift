import CV4L2
import FakeDriver
import Glibc
import Handoff
import ModelCamera
import Testing

@testable import V4L2

@Suite("The events of a device")
struct DeviceEventTests {
    private func event(_ type: Int32, id: UInt32 = 0) -> v4l2_event {
        var event = v4l2_event()
        (event.type, event.id) = (UInt32(bitPattern: type), id)
        return event
    }

    @Test("all waiting events are read")
    func kinds() throws {
        let driver = ModelDriver()
        var waiting = [
            event(V4L2_EVENT_SOURCE_CHANGE), event(V4L2_EVENT_CTRL, id: 7), event(V4L2_EVENT_EOS),
        ]
        driver.on(FAKE_DQEVENT, v4l2_event.self) { event in
            guard !waiting.isEmpty else { return ENOENT }
            event = waiting.removeFirst()
            return 0
        }
        let events = try driver.withDevice { $0.dequeueEvents(of: $0.descriptor.rawValue) }
        #expect(events == [.sourceChange, .control(id: 7), .other(type: UInt32(V4L2_EVENT_EOS))])
    }

    @Test("at most 256 events are read at a time")
    func endless() throws {
        let driver = ModelDriver()
        driver.on(FAKE_DQEVENT, v4l2_event.self) { _ in 0 }
        #expect(try driver.withDevice { $0.dequeueEvents(of: $0.descriptor.rawValue).count } == 256)
    }

    @Test("events of up to 512 controls are subscribed to, even after one that has none")
    func subscription() throws {
        let driver = ModelDriver()
        var asked: [UInt32] = []
        driver.on(FAKE_SUBSCRIBE_EVENT, v4l2_event_subscription.self) { subscription in
            guard subscription.type == UInt32(V4L2_EVENT_CTRL) else { return EIO }
            asked.append(subscription.id)
            return subscription.id == 0 ? EINVAL : 0
        }
        let control = Control(
            id: 0, name: "a", label: "A", kind: .integer, minimum: 0, maximum: 1, step: 1, choices: [],
            isReadOnly: false, isInactive: false)
        let controls = (0..<600).map { id in
            var control = control
            control.id = UInt32(id)
            return control
        }
        try driver.withDevice { $0.subscribe(to: controls) }
        #expect(asked == Array(0..<512))
    }

    @Test("waiting for events ends with an event, the waker, the deadline or the device")
    func waiting() throws {
        let driver = ModelDriver()
        var pair: [Int32] = [0, 0]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        let (near, far) = (pair[0], pair[1])
        defer { close(far) }
        driver.on(FAKE_DQEVENT, v4l2_event.self) { _ in 0 }
        try driver.withDevice(near) { device in
            let waker = try Waker()
            waker.wake()
            #expect(try device.waitForEvents(before: .now() + 60, orUntil: waker).isEmpty)
            #expect(try device.waitForEvents(before: .now(), orUntil: waker).isEmpty)
            // The waker has been reset.
            #expect(waker.wait(until: .now()) == false)
            // poll(2) reports urgent data on a socket as it reports an event of a device.
            unsafe send(far, [1] as [UInt8], 1, Int32(MSG_OOB))
            #expect(try device.waitForEvents(before: .now() + 60, orUntil: waker).count == 256)
            shutdown(far, Int32(SHUT_RDWR))
            let error = #expect(throws: V4L2Error.self) {
                _ = try device.waitForEvents(before: .now() + 60, orUntil: waker)
            }
            #expect(error?.errno == ENODEV)
        }
    }

    @Test("a device whose driver reports no events may have changed controls, and is gone only if it says so")
    func unannounced() throws {
        let driver = ModelDriver()
        var pair: [Int32] = [0, 0]
        unsafe pipe(&pair)
        // poll(2) reports an error alone if nobody reads a pipe, as it does of a sensor without events.
        close(pair[0])
        try driver.withDevice(pair[1]) { device in
            let waker = try Waker()
            #expect(try device.waitForEvents(before: .now(), orUntil: waker) == [.unannounced])
            waker.wake()
            #expect(try device.waitForEvents(before: .now() + 60, orUntil: waker).isEmpty)
            driver.on(FAKE_QUERY_EXT_CTRL, v4l2_query_ext_ctrl.self) { _ in ENODEV }
            let error = #expect(throws: V4L2Error.self) {
                _ = try device.waitForEvents(before: .now() + 60, orUntil: waker)
            }
            #expect(error?.errno == ENODEV)
        }
    }
}
