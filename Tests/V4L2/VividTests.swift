import Foundation
import Glibc
import Testing

@testable import Handoff
@testable import V4L2

/// Tests of a camera on the running kernel with its test driver.
@Suite("Camera on the vivid driver", .serialized, .enabled(if: Vivid.isPresent, "needs the vivid driver; run make lab"))
struct VividTests {
    static let formats: [FourCC] = ["YUYV", "UYVY", "RGB3", "BGR3", "XR24", "BGR4", "GREY", "NV12"]

    private func open(
        _ node: DeviceNode, _ fourCC: FourCC = "YUYV", width: Int = 640, height: Int = 480, rate: Double = 25
    ) throws -> Camera {
        try Camera(
            try Device(opening: node.path), fourCC: fourCC, width: width, height: height, framesPerSecond: rate)
    }

    /// A generous deadline, because the lab is an emulated machine.
    private var deadline: MonotonicTime { .now() + 20 }

    @Test("a camera lends whole frames in every format, one after another", arguments: Vivid.nodes, formats)
    func frames(node: DeviceNode, fourCC: FourCC) throws {
        let start = MonotonicTime.now()
        var camera = try open(node, fourCC)
        let format = camera.format
        #expect(format.fourCC == fourCC)
        let waker = try Waker()
        var last: UInt32?
        for _ in 0..<3 {
            let frame = try #require(
                try camera.withNextFrame(before: deadline, orUntil: waker) { frame in
                    (info: frame.info, size: frame.withBytes(ofPlane: 0) { $0.byteCount })
                })
            #expect(frame.size == format.planes[0].sizeImage)
            // The time is that of this clock, however slow the machine is. vivid stamps a frame with the time of its
            // end, which may be in the future.
            #expect(start - frame.info.timestamp < 5)
            #expect(frame.info.timestamp - MonotonicTime.now() < 5)
            if let last { #expect(frame.info.sequence > last) }
            last = frame.info.sequence
        }
    }

    @Test("a camera reports the format that the driver granted instead of the requested one", arguments: Vivid.nodes)
    func negotiation(node: DeviceNode) throws {
        let camera = try open(node, width: 100_000, height: 1, rate: 1000)
        let granted = camera.format
        #expect(granted.width < 100_000 && granted.height > 1)
        #expect(granted.planes[0].bytesPerLine >= granted.width * 2)
        #expect(try #require(granted.framesPerSecond) <= 60)
    }

    @Test("a slow reader gets the newest frame, and the older ones count as dropped", arguments: Vivid.nodes)
    func newest(node: DeviceNode) throws {
        var camera = try open(node)
        let waker = try Waker()
        let deadline = deadline
        var (start, end) = (UInt32(0), UInt32(0))
        repeat {
            // A reader that takes as long as several frames last, unless the driver itself is late.
            let first = try camera.withNextFrame(before: deadline, orUntil: waker) { frame in
                _ = waker.wait(until: .now() + 0.5)
                return frame.info.sequence
            }
            let second = try camera.withNextFrame(before: deadline, orUntil: waker) { $0.info.sequence }
            (start, end) = (try #require(first), try #require(second))
        } while end - start < 2 && MonotonicTime.now() < deadline
        #expect(end - start >= 2)
        #expect(camera.counters.superseded >= 1)
        #expect(camera.counters.dropped >= UInt64(end - start) - 1)
    }

    @Test(
        "frames that collect during a rest do not count as superseded, even if the rest was ended early",
        arguments: Vivid.nodes)
    func rest(node: DeviceNode) throws {
        var camera = try open(node)
        let waker = try Waker()
        let deadline = deadline
        var gathered: UInt32 = 0
        while gathered < 2, MonotonicTime.now() < deadline {
            // More than one frame collects, unless the driver itself is late.
            let first = try camera.withNextFrame(before: deadline, orUntil: waker) { frame in
                _ = waker.wait(until: .now() + 0.5)
                return frame.info.sequence
            }
            let before = camera.counters.superseded
            waker.wake()
            camera.rest(orUntil: waker)
            #expect(try camera.withNextFrame(before: deadline, orUntil: waker) { _ in true } == nil)
            let second = try camera.withNextFrame(before: deadline, orUntil: waker) { $0.info.sequence }
            gathered = try #require(second) &- #require(first)
            #expect(camera.counters.superseded == before)
        }
        #expect(gathered >= 2)
    }

    @Test("a frame that the driver marks as damaged is skipped and counted", arguments: Vivid.nodes)
    func damaged(node: DeviceNode) throws {
        var camera = try open(node)
        let waker = try Waker()
        try Vivid.set("inject_v4l2_buf_flag_error=1", on: node)
        let deadline = deadline
        while camera.counters.damaged == 0, MonotonicTime.now() < deadline {
            _ = try camera.withNextFrame(before: deadline, orUntil: waker) { _ in }
        }
        #expect(camera.counters.damaged == 1)
    }

    @Test("a camera that is streaming is busy, and can be opened again once it is closed", arguments: Vivid.nodes)
    func busy(node: DeviceNode) throws {
        do {
            let camera = try open(node)
            let error = #expect(throws: V4L2Error.self) { _ = try open(node) }
            #expect(error?.errno == EBUSY)
            _ = consume camera
        }
        _ = try open(node)
    }

    @Test("waiting for a frame ends when the waker is triggered or the deadline passes", arguments: Vivid.nodes)
    func waiting(node: DeviceNode) throws {
        try Vivid.set("percentage_of_dropped_buffers=100", on: node)
        defer { try? Vivid.set("percentage_of_dropped_buffers=0", on: node) }
        var camera = try open(node)
        let waker = try Waker()
        waker.wake()
        #expect(try camera.withNextFrame(before: .now() + 600, orUntil: waker) { _ in true } == nil)
        #expect(try camera.withNextFrame(before: .now() + 0.05, orUntil: waker) { _ in true } == nil)
    }

    @Test("closing a camera closes all its files", arguments: Vivid.nodes)
    func leaks(node: DeviceNode) throws {
        func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        _ = try open(node)
        let before = try openFiles()
        for _ in 0..<20 {
            _ = try open(node)
            #expect(throws: V4L2Error.self) { _ = try Device(opening: "/dev/null") }
        }
        #expect(try openFiles() == before)
    }

    @Test("a device lists its formats, sizes, rates and controls", arguments: Vivid.nodes)
    func description(node: DeviceNode) throws {
        let device = try Device(opening: node.path)
        let formats = device.offeredFormats()
        #expect(Set(Self.formats).isSubset(of: Set(formats.map(\.fourCC))))
        let yuyv = try #require(formats.first { $0.fourCC == "YUYV" })
        guard case .discrete(let sizes) = yuyv.sizes else {
            Issue.record("vivid's webcam has discrete sizes")
            return
        }
        #expect(sizes.first { $0.width == 640 && $0.height == 480 }?.rates.contains(15) == true)
        let controls = device.controls()
        let brightness = try #require(controls.first { $0.name == "brightness" })
        #expect(brightness.minimum == 0 && brightness.maximum == 255 && brightness.defaultValue == .number(128))
        let pattern = try #require(controls.first { $0.name == "test_pattern" })
        #expect(pattern.choices.contains { $0.name == "100% Red" })
    }
}
