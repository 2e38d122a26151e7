import Foundation
import Glibc
import Testing

@testable import Handoff
@testable import V4L2

/// On the real kernel, with its test driver.
@Suite("A camera", .serialized, .enabled(if: Vivid.isPresent, "needs the vivid driver: make lab"))
struct VividTests {
    static let formats: [FourCC] = ["YUYV", "UYVY", "RGB3", "BGR3", "XR24", "BGR4", "GREY", "NV12"]

    private func open(
        _ node: DeviceNode, _ fourCC: FourCC = "YUYV", width: Int = 640, height: Int = 480, rate: Double = 25
    ) throws -> Camera {
        try Camera(
            try Device(opening: node.path), fourCC: fourCC, width: width, height: height, framesPerSecond: rate)
    }

    /// Generous: the lab is an emulated machine.
    private var patience: MonotonicTime { .now() + 20 }

    @Test("lends whole frames in every format, one after another", arguments: Vivid.nodes, formats)
    func frames(node: DeviceNode, fourCC: FourCC) throws {
        var camera = try open(node, fourCC)
        let format = camera.format
        #expect(format.fourCC == fourCC)
        let waker = try Waker()
        var last: UInt32?
        for _ in 0..<3 {
            let frame = try #require(
                try camera.withNextFrame(before: patience, orUntil: waker) { frame in
                    (info: frame.info, size: frame.withBytes(ofPlane: 0) { $0.byteCount })
                })
            #expect(frame.size == format.planes[0].sizeImage)
            // vivid stamps the end of the frame before it has come.
            #expect(abs(MonotonicTime.now() - frame.info.timestamp) < 5)
            if let last { #expect(frame.info.sequence > last) }
            last = frame.info.sequence
        }
    }

    @Test("says what was granted, which may not be what was asked", arguments: Vivid.nodes)
    func negotiation(node: DeviceNode) throws {
        let camera = try open(node, width: 100_000, height: 1, rate: 1000)
        let granted = camera.format
        #expect(granted.width < 100_000 && granted.height > 1)
        #expect(granted.planes[0].bytesPerLine >= granted.width * 2)
        #expect(try #require(granted.framesPerSecond) <= 60)
    }

    @Test("lends the newest frame and drops those that are late", arguments: Vivid.nodes)
    func newest(node: DeviceNode) throws {
        var camera = try open(node)
        let waker = try Waker()
        // A reader that takes as long as many frames.
        let first = try camera.withNextFrame(before: patience, orUntil: waker) { frame in
            _ = waker.wait(until: .now() + 0.5)
            return frame.info.sequence
        }
        let second = try camera.withNextFrame(before: patience, orUntil: waker) { $0.info.sequence }
        let (start, end) = (try #require(first), try #require(second))
        #expect(end - start >= 2)
        #expect(camera.counters.superseded >= 1)
        #expect(camera.counters.dropped >= UInt64(end - start) - 1)
    }

    @Test(
        "does not count frames as late that gathered in a rest, also when that was ended early", arguments: Vivid.nodes)
    func rest(node: DeviceNode) throws {
        var camera = try open(node)
        let waker = try Waker()
        let deadline = patience
        var gathered: UInt32 = 0
        while gathered < 2, MonotonicTime.now() < deadline {
            // More than one frame gathers, unless the driver is late itself.
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

    @Test("skips a frame that the driver marks as damaged, and counts it", arguments: Vivid.nodes)
    func damaged(node: DeviceNode) throws {
        var camera = try open(node)
        let waker = try Waker()
        try Vivid.set("inject_v4l2_buf_flag_error=1", on: node)
        let deadline = patience
        while camera.counters.damaged == 0, MonotonicTime.now() < deadline {
            _ = try camera.withNextFrame(before: deadline, orUntil: waker) { _ in }
        }
        #expect(camera.counters.damaged == 1)
    }

    @Test("belongs to one program at a time, and is free again when that lets go", arguments: Vivid.nodes)
    func busy(node: DeviceNode) throws {
        do {
            let camera = try open(node)
            let error = #expect(throws: V4L2Error.self) { _ = try open(node) }
            #expect(error?.errno == EBUSY)
            _ = consume camera
        }
        _ = try open(node)
    }

    @Test("gives up waiting when it is woken, or when the time is over", arguments: Vivid.nodes)
    func waiting(node: DeviceNode) throws {
        try Vivid.set("percentage_of_dropped_buffers=100", on: node)
        defer { try? Vivid.set("percentage_of_dropped_buffers=0", on: node) }
        var camera = try open(node)
        let waker = try Waker()
        waker.wake()
        #expect(try camera.withNextFrame(before: .now() + 600, orUntil: waker) { _ in true } == nil)
        #expect(try camera.withNextFrame(before: .now() + 0.05, orUntil: waker) { _ in true } == nil)
    }

    @Test("leaves nothing open", arguments: Vivid.nodes)
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

    @Test("tells its formats, sizes, rates and controls", arguments: Vivid.nodes)
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
