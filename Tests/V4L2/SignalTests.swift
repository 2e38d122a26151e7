import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("The signal of a receiver")
struct SignalTests {
    /// Returns a driver with two inputs, of which the second is selected.
    private func driver(status: Int32 = 0, capabilities: Int32 = 0) -> ModelDriver {
        let driver = ModelDriver()
        driver.on(FAKE_G_INPUT, Int32.self) { index in
            index = 1
            return 0
        }
        driver.on(FAKE_ENUMINPUT, v4l2_input.self) { input in
            guard input.index == 1 else { return EINVAL }
            (input.status, input.capabilities) = (UInt32(bitPattern: status), UInt32(bitPattern: capabilities))
            return 0
        }
        return driver
    }

    @Test(
        "the problem with a signal follows from the status of the input",
        arguments: [
            (0, nil), (V4L2_IN_ST_NO_POWER, .noPower), (V4L2_IN_ST_NO_SIGNAL, .noSignal),
            (V4L2_IN_ST_NO_H_LOCK, .notLocked), (V4L2_IN_ST_NO_V_LOCK, .notLocked),
            (V4L2_IN_ST_NO_STD_LOCK, .notLocked), (V4L2_IN_ST_NO_SYNC, .notLocked), (V4L2_IN_ST_NO_COLOR, nil),
            (V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL, .noPower),
            // A webcam has no inputs.
            (nil, nil),
        ] as [(Int32?, SignalProblem?)])
    func status(status: Int32?, problem: SignalProblem?) throws {
        let driver = status.map { self.driver(status: $0) } ?? ModelDriver()
        #expect(try driver.withDevice { $0.signalProblem } == problem)
        #expect(try driver.withDevice { try $0.adoptSignal() } == problem)
    }

    @Test("a receiver is set to the timings that it detects")
    func timings() throws {
        let driver = driver(capabilities: V4L2_IN_CAP_DV_TIMINGS)
        driver.on(FAKE_QUERY_DV_TIMINGS, v4l2_dv_timings.self) { timings in
            timings.bt.width = 1280
            return 0
        }
        var width: UInt32?
        driver.on(FAKE_S_DV_TIMINGS, v4l2_dv_timings.self) { timings in
            width = timings.bt.width
            return 0
        }
        #expect(try driver.withDevice { try $0.adoptSignal() } == nil)
        #expect(width == 1280)
    }

    @Test(
        "timings that cannot be detected are a problem of the signal",
        arguments: [(ENOLINK, .noSignal), (ENOLCK, .notLocked), (ERANGE, .outOfRange), (ENOTTY, nil)]
            as [(Int32, SignalProblem?)])
    func noTimings(errno: Int32, problem: SignalProblem?) throws {
        let driver = driver(capabilities: V4L2_IN_CAP_DV_TIMINGS)
        driver.on(FAKE_QUERY_DV_TIMINGS, v4l2_dv_timings.self) { _ in errno }
        #expect(try driver.withDevice { try $0.adoptSignal() } == problem)
        #expect(driver.count(of: FAKE_S_DV_TIMINGS) == 0)
    }

    @Test("adopting a signal fails if the receiver is gone or streams for another program")
    func errors() throws {
        let driver = driver(capabilities: V4L2_IN_CAP_DV_TIMINGS)
        driver.on(FAKE_QUERY_DV_TIMINGS, v4l2_dv_timings.self) { _ in ENODEV }
        #expect(
            #expect(throws: V4L2Error.self) { _ = try driver.withDevice { try $0.adoptSignal() } }?.errno == ENODEV)
        driver.on(FAKE_QUERY_DV_TIMINGS, v4l2_dv_timings.self) { _ in 0 }
        driver.on(FAKE_S_DV_TIMINGS, v4l2_dv_timings.self) { _ in EBUSY }
        #expect(
            #expect(throws: V4L2Error.self) { _ = try driver.withDevice { try $0.adoptSignal() } }?.errno == EBUSY)
    }

    @Test(
        "a receiver is set to the standard that it detects, unless that is set already",
        arguments: [
            (0x1000, 0x1000, nil), (0x3000, 0x1000, nil), (0x00FF, 0x1000, 0x00FF), (0x00FF, nil, nil),
        ] as [(UInt64, UInt64?, UInt64?)])
    func standard(seen: UInt64, current: UInt64?, set: UInt64?) throws {
        let driver = driver(capabilities: V4L2_IN_CAP_STD)
        driver.on(FAKE_QUERYSTD, v4l2_std_id.self) { standard in
            standard = seen
            return 0
        }
        driver.on(FAKE_G_STD, v4l2_std_id.self) { standard in
            guard let current else { return ENOTTY }
            standard = current
            return 0
        }
        var changed: UInt64?
        driver.on(FAKE_S_STD, v4l2_std_id.self) { standard in
            changed = standard
            return 0
        }
        #expect(try driver.withDevice { try $0.adoptSignal() } == nil)
        #expect(changed == set)
    }

    @Test("a receiver that detects no standard has no signal, unless it cannot detect any")
    func noStandard() throws {
        let driver = driver(capabilities: V4L2_IN_CAP_STD)
        #expect(try driver.withDevice { try $0.adoptSignal() } == nil)
        driver.on(FAKE_QUERYSTD, v4l2_std_id.self) { standard in
            standard = 0
            return 0
        }
        #expect(try driver.withDevice { try $0.adoptSignal() } == .noSignal)
    }

    @Test("changes of the signal are subscribed to on the current input")
    func subscription() throws {
        var inputs: [UInt32] = []
        for driver in [driver(), ModelDriver()] {
            driver.on(FAKE_SUBSCRIBE_EVENT, v4l2_event_subscription.self) { subscription in
                guard subscription.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) else { return EINVAL }
                inputs.append(subscription.id)
                return 0
            }
            #expect(try announcesChanges(driver))
        }
        #expect(inputs == [1, 0])
        #expect(try !announcesChanges(ModelDriver()))
    }

    private func announcesChanges(_ driver: ModelDriver) throws -> Bool {
        try driver.withDevice { device in
            var device = device
            device.subscribeToSourceChanges()
            return device.announcesSourceChanges
        }
    }
}
