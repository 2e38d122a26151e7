import CV4L2
import FakeDriver
import Foundation
import Glibc
import Handoff
import ModelCamera
import Testing

@testable import V4L2

@Suite("A streaming camera")
struct CameraTests {
    private typealias Frame = ModelStream.Frame

    private static let damaged = UInt32(V4L2_BUF_FLAG_ERROR | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)

    /// Returns the sequence number and the first plane of the next frame.
    private func next(_ camera: inout Camera) throws -> (sequence: UInt32, bytes: [UInt8]) {
        let lent = try camera.withNextFrame(before: .now() + 60, orUntil: try Waker()) { frame in
            var bytes: [UInt8] = []
            frame.copyBytes(ofPlane: 0, to: &bytes)
            return (frame.info.sequence, bytes)
        }
        return try #require(lent)
    }

    @Test("a camera lends the bytes that the driver filled, frame after frame")
    func bytes() throws {
        let stream = ModelStream()
        try stream.run { camera in
            for number in UInt8(0)..<12 {
                stream.waiting = [Frame(sequence: UInt32(number), bytes: [number, 2, 3])]
                try #expect(next(&camera) == (UInt32(number), [number, 2, 3]))
            }
        }
    }

    @Test("the planes of a frame are lent without their headers")
    func planes() throws {
        let stream = ModelStream(isMultiplanar: true, planes: 2)
        try stream.run([Frame(sequence: 0, bytes: [1, 2, 3], header: 5)]) { camera in
            let planes = try camera.withNextFrame(before: .now() + 60, orUntil: try Waker()) { frame in
                (0..<frame.planeCount).map { plane in
                    var bytes: [UInt8] = []
                    frame.copyBytes(ofPlane: plane, to: &bytes)
                    return bytes
                }
            }
            #expect(planes == [[1, 2, 3], [101, 102, 103]])
        }
    }

    @Test("no byte beyond a buffer is lent, whatever the driver says", arguments: [4097, .max] as [UInt32])
    func bounds(used: UInt32) throws {
        try ModelStream().run([Frame(sequence: 0, used: used)]) { camera in
            try #expect(next(&camera).bytes.count == 4096)
        }
    }

    @Test("an empty frame, or one whose header is longer than its content, is counted and not lent")
    func empty() throws {
        let frames = [Frame(sequence: 0, header: 9, used: 4), Frame(sequence: 1, used: 0), Frame(sequence: 2)]
        try ModelStream(isMultiplanar: true).run(frames) { camera in
            try #expect(next(&camera).sequence == 2)
            #expect(camera.counters.empty == 2)
            #expect(camera.counters.dropped == 2)
        }
    }

    @Test("the newest waiting frame is lent, and the others count as superseded")
    func newest() throws {
        try ModelStream().run((0..<4).map { Frame(sequence: $0) }) { camera in
            try #expect(next(&camera).sequence == 3)
            #expect(camera.counters.superseded == 3)
            #expect(camera.counters.delivered == 4)
        }
    }

    @Test("frames that gathered during a rest do not count as superseded, later ones do")
    func rest() throws {
        let stream = ModelStream()
        try stream.run([Frame(sequence: 0), Frame(sequence: 1)], framesPerSecond: 1000) { camera in
            camera.rest(orUntil: try Waker())
            try #expect(next(&camera).sequence == 1)
            #expect(camera.counters.superseded == 0)
            stream.waiting = [Frame(sequence: 2), Frame(sequence: 3)]
            try #expect(next(&camera).sequence == 3)
            #expect(camera.counters.superseded == 1)
        }
    }

    @Test("waking ends a rest and then the wait for the next frame")
    func woken() throws {
        // One frame a minute: if nothing woke the camera, it would rest for three minutes.
        let stream = ModelStream()
        stream.driver.on(FAKE_G_PARM, v4l2_streamparm.self) { parameters in
            unsafe parameters.parm.capture.timeperframe = v4l2_fract(numerator: 60, denominator: 1)
            return 0
        }
        try stream.run([Frame(sequence: 0)]) { camera in
            let waker = try Waker()
            waker.wake()
            camera.rest(orUntil: waker)
            #expect(try camera.withNextFrame(before: .now() + 60, orUntil: waker) { _ in true } == nil)
            #expect(try camera.withNextFrame(before: .now() + 60, orUntil: waker) { _ in true } == true)
        }
    }

    @Test("a camera does not rest with two buffers, of which one is being filled, or without a known frame rate")
    func restless() throws {
        for isRateKnown in [true, false] {
            let stream = ModelStream(granted: isRateKnown ? 2 : 5)
            if !isRateKnown { stream.driver.on(FAKE_G_PARM, v4l2_streamparm.self) { _ in 0 } }
            try stream.run([Frame(sequence: 0), Frame(sequence: 1)], framesPerSecond: 1000) { camera in
                camera.rest(orUntil: try Waker())
                try #expect(next(&camera).sequence == 1)
                #expect(camera.counters.superseded == 1)
            }
        }
    }

    @Test("damaged frames are counted and their buffers reused, however many there are")
    func damaged() throws {
        let frames = (0..<20).map { Frame(sequence: $0, flags: Self.damaged) } + [Frame(sequence: 20)]
        let stream = ModelStream()
        try stream.run(frames) { camera in
            try #expect(next(&camera).sequence == 20)
            #expect(camera.counters.flagged == 20)
            #expect(camera.counters.missing == 0)
        }
        #expect(stream.queued.count == 5)
    }

    @Test("frames that the driver lost are counted as missing")
    func missing() throws {
        try ModelStream().run([Frame(sequence: 3), Frame(sequence: 6)]) { camera in
            try #expect(next(&camera).sequence == 6)
            #expect(camera.counters.missing == 2)
        }
    }

    @Test("a frame has the driver's timestamp if that is of the monotonic clock")
    func monotonic() throws {
        // A driver counts in microseconds, and may give the time of a frame's end, which is to come.
        let stamp = MonotonicTime(nanoseconds: (MonotonicTime.now() + 1).nanoseconds / 1000 * 1000)
        try ModelStream().run([Frame(sequence: 0, time: stamp)]) { camera in
            let time = try camera.withNextFrame(before: .now() + 60, orUntil: try Waker()) { $0.info.timestamp }
            #expect(time == stamp)
        }
    }

    @Test("a frame stamped by another clock, or far in the future, counts as captured now", arguments: [true, false])
    func otherClock(isFuture: Bool) throws {
        let frame = isFuture ? Frame(sequence: 0, time: .now() + 3600) : Frame(sequence: 0, flags: 0)
        try ModelStream().run([frame]) { camera in
            let before = MonotonicTime.now()
            let time = try camera.withNextFrame(before: .now() + 60, orUntil: try Waker()) { $0.info.timestamp }
            #expect(before...(before + 1800) ~= (try #require(time)))
        }
    }

    @Test("a camera that is gone ends the stream with an error")
    func gone() throws {
        try ModelStream().run { camera in
            let error = #expect(throws: V4L2Error.self) { _ = try next(&camera) }
            #expect(error == .system(call: "VIDIOC_DQBUF", errno: ENODEV, path: "/dev/video9"))
        }
    }

    @Test("a driver that reports an error, but no frame, has ended the stream")
    func ended() throws {
        let stream = ModelStream()
        try stream.run { camera in
            stream.onWait = { EAGAIN }
            // poll(2) reports an error alone if nobody reads a pipe. The buffers are mapped already.
            var pair: [Int32] = [0, 0]
            unsafe pipe(&pair)
            close(pair[0])
            dup2(pair[1], stream.driver.descriptor)
            close(pair[1])
            #expect(throws: V4L2Error.streamEnded(path: "/dev/video9")) { _ = try next(&camera) }
        }
    }

    @Test("a buffer number that does not exist is an error")
    func wrongBuffer() throws {
        let stream = ModelStream(granted: 3)
        try stream.run { camera in
            unsafe stream.driver.on(FAKE_DQBUF, v4l2_buffer.self) { buffer in
                unsafe buffer.index = 3
                return 0
            }
            let error = #expect(throws: V4L2Error.self) { _ = try next(&camera) }
            guard case .malformedReply = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a single buffer is enough for a stream")
    func buffers() throws {
        try ModelStream(granted: 1).run([Frame(sequence: 0)]) { try #expect(next(&$0).sequence == 0) }
        let error = #expect(throws: V4L2Error.self) { try ModelStream(granted: 0).run { _ in } }
        #expect(error == .noBuffers(path: "/dev/video9"))
    }

    @Test("a camera that goes out of scope stops streaming and unmaps its buffers")
    func end() throws {
        let stream = ModelStream()
        func mappings() throws -> Int {
            let maps = try #require(try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd())
            return String(decoding: maps, as: UTF8.self).split(separator: "\n").count {
                $0.contains(" \(stream.inode) ")
            }
        }
        try stream.run { _ in
            #expect(stream.driver.count(of: FAKE_STREAMON) == 1)
            #expect(stream.driver.count(of: FAKE_STREAMOFF) == 0)
            try #expect(mappings() > 0)
        }
        #expect(stream.driver.count(of: FAKE_STREAMOFF) == 1)
        try #expect(mappings() == 0)
    }

    @Test("a plane is no larger than the memory that was allocated for it")
    func allocated() throws {
        try ModelStream().run { #expect($0.format.planes == [.init(bytesPerLine: 32, sizeImage: 4096)]) }
        let stream = ModelStream()
        stream.shortage = 96
        try stream.run { #expect($0.format.planes == [.init(bytesPerLine: 32, sizeImage: 4000)]) }
        try ModelStream(isMultiplanar: true, planes: 2).run { camera in
            let sizes = [(32, 512), (16, 4096)].map { FrameFormat.Plane(bytesPerLine: $0.0, sizeImage: $0.1) }
            #expect(camera.format.planes == sizes)
        }
    }

    @Test("the input is asked for its signal at most once a second")
    func signal() throws {
        let stream = ModelStream()
        stream.driver.on(FAKE_G_INPUT, Int32.self) { _ in 0 }
        stream.driver.on(FAKE_ENUMINPUT, v4l2_input.self) { input in
            input.status = UInt32(V4L2_IN_ST_NO_SIGNAL)
            return 0
        }
        let start = MonotonicTime.now()
        try stream.run { camera in
            let later = MonotonicTime.now()
            let moments = [start, later + 1, later + 1.9, later + 2]
            var answers: [Bool] = []
            for moment in moments { answers.append(camera.hasLostSignal(at: moment)) }
            #expect(answers == [false, true, false, true])
        }
        #expect(stream.driver.count(of: FAKE_ENUMINPUT) == 2)
    }

    @Test("the input is not asked for its signal if the driver announces changes")
    func announced() throws {
        let stream = ModelStream()
        stream.driver.on(FAKE_SUBSCRIBE_EVENT, v4l2_event_subscription.self) { _ in 0 }
        try stream.driver.withDevice(stream.makeDescriptor()) { device in
            var device = device
            device.subscribeToSourceChanges()
            var camera = try Camera(device, fourCC: "YUYV", width: 16, height: 8, framesPerSecond: 30)
            stream.driver.on(FAKE_G_INPUT, Int32.self) { _ in 0 }
            stream.driver.on(FAKE_ENUMINPUT, v4l2_input.self) { input in
                input.status = UInt32(V4L2_IN_ST_NO_SIGNAL)
                return 0
            }
            let isLost = camera.hasLostSignal(at: .now() + 60)
            #expect(isLost == false)
        }
    }

    @Test("five buffers of the driver's own memory are requested, and all are queued")
    func request() throws {
        let stream = ModelStream()
        var requests: [v4l2_requestbuffers] = []
        stream.driver.on(FAKE_REQBUFS, v4l2_requestbuffers.self) { request in
            requests.append(request)
            return 0
        }
        try stream.run { #expect($0.format.planes.count == 1) }
        #expect(requests.map(\.count) == [5])
        #expect(requests.map(\.type) == [V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue])
        #expect(requests.map(\.memory) == [V4L2_MEMORY_MMAP.rawValue])
        #expect(stream.queued == [0, 1, 2, 3, 4])
    }

    @Test("buffers that cannot be mapped are reported")
    func mapping() {
        let stream = ModelStream()
        // A pipe has no memory to map.
        var pair: [Int32] = [0, 0]
        unsafe pipe(&pair)
        defer { close(pair[1]) }
        #expect(throws: V4L2Error.system(call: "mmap", errno: ENODEV, path: "/dev/video9")) {
            try stream.driver.withDevice(pair[0]) { device in
                _ = try Camera(device, fourCC: "YUYV", width: 16, height: 8, framesPerSecond: 30)
            }
        }
    }
}
