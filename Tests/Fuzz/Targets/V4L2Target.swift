import CV4L2
import Documents
import FakeDriver
import Files
import Foundation
import Pixels

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import State
@testable import Swatchcam
@testable import Untrusted
@testable import V4L2

/// A target for the answers of video drivers: any bytes in any structure, in any order, with errors in between.
enum V4L2Target: FuzzTarget {
    static let name = "v4l2"

    /// Opens a camera whose driver gives the answers. Its file can be mapped at any length and is always ready to be
    /// read.
    static func fakeDevice() throws(V4L2Error) -> Device {
        try Device(path: "/dev/zero", owning: FileDescriptor(owning: unsafe open("/dev/zero", O_RDWR | O_CLOEXEC)))
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        guard let way = bytes.first else { return }
        // Everything from here on runs on one thread, because only its requests are answered.
        try answered(bytes.dropFirst()) { () throws(Finding) in
            switch way % 4 {
            case 0: try checkDescription()
            case 1: try checkSetting(way)
            case 2: try checkLock()
            default: try checkStream(way)
            }
        }
    }

    private static func answered(_ answers: ArraySlice<UInt8>, _ body: () throws(Finding) -> Void) throws(Finding) {
        let memory = Array(answers)
        let result = unsafe memory.withUnsafeBufferPointer { memory -> Result<Void, Finding> in
            unsafe fake_driver_begin(memory.baseAddress, memory.count)
            defer { fake_driver_end() }
            return Result { () throws(Finding) in try body() }
        }
        try result.get()
    }

    /// Checks that what `swatchcam cameras` prints cannot control a terminal.
    private static func checkDescription() throws(Finding) {
        guard var device = try? fakeDevice() else { return }
        let node = DeviceNode(unprobed: device.path)
        let description = CameraDescription(node, device)
        let lines = description.text.split(separator: "\n", omittingEmptySubsequences: false)
        let known = 7 + description.formats.count + description.controls.count
        try check(lines.count == known, "\(lines.count) lines instead of \(known)")
        for line in lines { try checkText(line) }
        try check((try? JSONEncoder().encode(description)) != nil, "no JSON of a camera")
        _ = try? device.adoptSignal()
        _ = device.signalProblem
        for event in device.dequeueEvents(of: device.descriptor.rawValue) where event == .sourceChange {
            device.subscribeToSourceChanges()
        }
    }

    /// Checks that controls have names that can be written and a JSON form, even after setting them.
    private static func checkSetting(_ way: UInt8) throws(Finding) {
        guard let device = try? fakeDevice() else { return }
        let controls = device.controls()
        try checkControls(controls)
        device.subscribe(to: controls)
        let numbers: [Int64] = [0, 1, -1, .min, .max, Int64(way) << 24]
        for control in controls {
            for number in numbers { _ = control.problem(with: .number(number)) }
            _ = control.problem(with: .text("text"))
        }
        var wanted: [String: ConfigValue] = ["gain": .integer(Int(way)), "none": .boolean(true)]
        for control in controls.prefix(4) { wanted[control.name] = control.value.map(ConfigValue.init) }
        guard let refusals = try? device.apply(wanted) else { return }
        try check(refusals.isEmpty == (refusals.sentence() == nil), "refusals without a sentence")
        for refusal in refusals { try check(!refusal.reason.isEmpty, "a refusal without a reason") }
    }

    private static func checkControls(_ controls: [Control]) throws(Finding) {
        for control in controls {
            let isName = control.name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
            try check(isName && !control.name.isEmpty, "a control called \(control.name.debugDescription)")
            try checkText(ControlDocument(control, among: controls).text)
        }
        try check(
            Set(controls.map(\.name)).count == controls.count, "two controls called \(controls.map(\.name).sorted())")
        let state = ControlState(camera: nil, controls: controls)
        try check((try? JSONSerialization.jsonObject(with: JSONWriter.data(state))) != nil, "no JSON of controls")
    }

    /// Checks that the lock's lines are a configuration that sets the same values.
    private static func checkLock() throws(Finding) {
        guard let device = try? fakeDevice() else { return }
        let before = device.controls()
        _ = MeasuringLock.plan(before)
        let after = device.controls()
        let result = MeasuringLock.result(isSettled: true, before: before, after: after, refused: [])
        try check(
            (try? JSONSerialization.jsonObject(with: JSONWriter.data(MeasuringLock.locked(result)))) != nil,
            "no JSON of a lock")
        let config: Config
        do throws(ConfigError) {
            config = try ConfigFile.config(in: result.locked.configuration, path: "config.toml")
        } catch {
            throw Finding(sentence: "\(error) in \(result.locked.configuration.debugDescription)")
        }
        for control in result.locked {
            guard let written = config.camera.controls[control.name] else {
                throw Finding(sentence: "\(control.name) is not in \(result.locked.configuration.debugDescription)")
            }
            try check(
                control.value(from: written) == control.value,
                "\(control.name) is \(written), not \(control.value.map { "\($0)" } ?? "nothing")")
        }
    }

    /// Checks that a stream lends frames or ends with a sentence.
    private static func checkStream(_ way: UInt8) throws(Finding) {
        switch Result(catching: { () throws(V4L2Error) in try streamed(way) }) {
        case .success(let frames):
            for frame in frames { try check(frame.age.isFinite && frame.sizes.allSatisfy { $0 >= 0 }, "\(frame)") }
        case .failure(let error):
            try checkText(error.description)
        }
    }

    /// Streams some frames, and returns their ages, as readings report them, and the sizes of their planes.
    private static func streamed(_ way: UInt8) throws(V4L2Error) -> [(age: Double, sizes: [Int])] {
        let device = try fakeDevice()
        var camera = try Camera(device, fourCC: "YUYV", width: 16, height: 8, framesPerSecond: Double(1 + way % 240))
        // Any granted format must either be readable or be refused without a crash.
        _ = try? PictureReader(format: camera.format, .init(Config())).assumedEncoding
        _ = camera.format.difference(from: Config.Camera())
        var frames: [(age: Double, sizes: [Int])] = []
        // If no descriptor is left, nothing can be streamed, which is not a finding.
        guard let waker = try? Waker() else { return frames }
        while frames.count < 8, !camera.hasLostSignal(at: .now()) {
            let frame = try camera.withNextFrame(before: .now() + 1, orUntil: waker) { frame in
                let sizes = (0..<frame.planeCount).map { plane in frame.withBytes(ofPlane: plane) { $0.byteCount } }
                return (MonotonicTime.now() - frame.info.timestamp, sizes)
            }
            guard let frame else { break }
            frames.append(frame)
        }
        return frames
    }

    /// Checks that text from a driver cannot break a line, control a terminal or reverse the direction of writing.
    private static func checkText(_ text: some StringProtocol) throws(Finding) {
        // Joiners are kept between letters that need them.
        let isPlain = text.unicodeScalars.allSatisfy { $0.isPlain || ["\u{200C}", "\u{200D}"].contains($0) }
        try check(isPlain && !text.isEmpty, "not printable: \(String(text).debugDescription)")
    }
}
