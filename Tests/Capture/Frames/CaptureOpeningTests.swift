import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Opening a camera")
struct CaptureOpeningTests {
    private let first = FakeCamera("A", number: 0)

    @Test("controls are set when a camera is opened, and the log names those that cannot be set")
    func controls() throws {
        let fixture = try CaptureLoopFixture(first)
        let brightness = UInt32(V4L2_CID_BRIGHTNESS)
        first.controls.add(V4L2_CID_BRIGHTNESS, "Brightness", value: 1)
        fixture.config.update { $0.effective.camera.controls = ["brightness": .integer(7), "nosuch": .integer(1)] }
        fixture.run(
            first.deliver,
            {
                fixture.config.update { $0.effective.camera.controls = ["brightness": .integer(9)] }
                fixture.config.update { $0.effective.camera.fps = 15 }
            }, first.deliver)
        #expect(fixture.recorder.lines.first == "camera.controls: nosuch is not a control of this camera.")
        #expect(first.controls.changes == [brightness, brightness])
        #expect(first.controls.values[brightness] == .number(9))
    }

    @Test(
        "controls that decide on formats are set before them, and controls that a driver resets with a format after it")
    func order() throws {
        let fixture = try CaptureLoopFixture(first)
        let (flip, exposure) = (UInt32(V4L2_CID_HFLIP), UInt32(V4L2_CID_EXPOSURE))
        first.controls.add(
            V4L2_CID_HFLIP, "Horizontal Flip", V4L2_CTRL_TYPE_BOOLEAN, 0...1, flags: V4L2_CTRL_FLAG_MODIFY_LAYOUT,
            value: 0)
        first.controls.add(V4L2_CID_EXPOSURE, "Exposure", value: 1)
        first.formats = []
        first.controls.afterChange = { [unowned first] in if $0 == flip { first.formats = ["YUYV"] } }
        unsafe first.stream.driver.on(FAKE_S_FMT, v4l2_format.self) { [unowned first] format in
            unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (32, 256)
            first.controls.values[exposure] = .number(128)
            return 0
        }
        fixture.config.update {
            $0.effective.camera.controls = ["horizontal_flip": .boolean(true), "exposure": .integer(7)]
        }
        fixture.run(first.deliver, {})
        #expect(fixture.readings.value.state == .live)
        #expect(first.controls.values == [flip: .number(1), exposure: .number(7)])
    }

    @Test(
        "no control is set while another program streams from the camera", arguments: [0, V4L2_CTRL_FLAG_MODIFY_LAYOUT])
    func busy(flags: Int32) throws {
        let fixture = try CaptureLoopFixture(first)
        first.controls.add(V4L2_CID_HFLIP, "Flip", V4L2_CTRL_TYPE_BOOLEAN, 0...1, flags: flags, value: 0)
        unsafe first.stream.driver.on(FAKE_G_FMT, v4l2_format.self) { _ in 0 }
        unsafe first.stream.driver.on(FAKE_S_FMT, v4l2_format.self) { _ in EBUSY }
        fixture.config.update { $0.effective.camera.controls = ["flip": .boolean(true)] }
        fixture.run(fixture.until(3))
        #expect(fixture.readings.value.state == .busy)
        #expect(first.controls.changes.isEmpty)
    }

    @Test("a notice reports a size other than the requested one, until the camera is unplugged")
    func negotiated() throws {
        let fixture = try CaptureLoopFixture(first)
        unsafe first.stream.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.height, format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (4, 32, 128)
            return 0
        }
        let sentence = "Requested 16x8; the camera delivers 16x4."
        var notices: [Notice] = []
        fixture.run(
            first.deliver,
            {
                notices = fixture.notices.all
                first.isPluggedIn = false
            }, {})
        #expect(notices == [Notice(topic: .negotiated, message: sentence)])
        #expect(fixture.recorder.lines.first == "/dev/video0: \(sentence)")
        #expect(fixture.notices.all.isEmpty)
    }

    @Test("a notice warns of a camera whose transfer function or primaries are not followed, until it is unplugged")
    func colorimetry() throws {
        let fixture = try CaptureLoopFixture(first)
        unsafe first.stream.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (32, 256)
            unsafe format.fmt.pix.colorspace = V4L2_COLORSPACE_BT2020.rawValue
            unsafe format.fmt.pix.xfer_func = V4L2_XFER_FUNC_SMPTE2084.rawValue
            return 0
        }
        var notices: [Notice] = []
        var encoding: String?
        fixture.run(
            first.deliver,
            {
                (notices, encoding) = (fixture.notices.all, fixture.readings.value.frame?.colorimetry)
                first.isPluggedIn = false
            }, {})
        #expect(notices.map(\.topic) == [.colorimetry])
        #expect(notices.first?.message.contains("SMPTE 2084 and the primaries of BT.2020") == true)
        #expect(encoding == "BT.2020, limited range, SMPTE 2084 taken for sRGB")
        #expect(fixture.notices.all.isEmpty)
    }

    @Test("the test pattern stays while only a node without a media graph is present")
    func mediaController() throws {
        first.node.role = .receiver
        let fixture = try CaptureLoopFixture(first)
        fixture.run(fixture.until(2))
        #expect(fixture.openings.isEmpty)
        #expect(fixture.readings.value.state == .testPattern)
        let notice = fixture.readings.value.notices.first?.message ?? ""
        #expect(notice.hasPrefix("No camera was found that works by itself, but the receiver of a camera module, A"))
    }

    @Test("the test pattern stays while only parts of an image processor are present, as on a Pi without a camera")
    func imageProcessor() throws {
        first.node.role = .imageProcessor
        let fixture = try CaptureLoopFixture(first)
        fixture.run(fixture.until(2))
        #expect(fixture.openings.isEmpty)
        #expect(fixture.readings.value.notices.first?.message.hasPrefix("No camera was found. Plug one in") == true)
    }

    @Test("toggling passes over what is not a camera by itself")
    func toggle() throws {
        let second = FakeCamera("B", number: 1)
        second.node.role = .receiver
        let fixture = try CaptureLoopFixture(first, second)
        fixture.run(first.deliver, { fixture.ask(.next) }, first.deliver)
        #expect(fixture.openings.count == 1)
        #expect(fixture.trace.last?.contains("There is no other camera.") == true)
    }

    @Test("a better id that udev gives to the camera in use is adopted while it runs")
    func betterID() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(
            first.deliver,
            {
                first.node.id = "usb-better"
                fixture.directory.refresh()
            }, first.deliver, first.deliver)
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "live usb-A", "live usb-better"])
        #expect(fixture.revisions.value.cameras == 2)
    }
}

@Suite("Attempts to open a camera")
struct CaptureAttemptTests {
    private let first = FakeCamera("A", number: 0)
    private let second = FakeCamera("B", number: 1)
    private let busy = V4L2Error.busy(path: "/dev/video0", holders: [])

    @Test("the wait between attempts grows to 2 s")
    func backoff() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(fixture.until(8))
        #expect(fixture.openings == [0, 0.25, 0.75, 1.75, 3.75, 5.75, 7.75])
        #expect(Set(fixture.trace) == ["starting usb-A", "open /dev/video0", "busy usb-A"])
        #expect(fixture.recorder.lines.count == 1)
    }

    @Test("the wait between attempts starts over after a frame")
    func backoffReset() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(
            fixture.until(2), { first.problem = nil }, fixture.until(4), first.deliver, { first.isPluggedIn = false },
            { first.isPluggedIn = true }, {})
        #expect(fixture.openings == [0, 0.25, 0.75, 1.75, 3.75, 4.75])
    }

    @Test("the wait between attempts starts over after an edit to the configuration")
    func backoffAfterEdit() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(
            fixture.until(2),
            {
                fixture.config.update { $0.effective.camera.fps = 15 }
                fixture.requests.waker.wake()
            }, fixture.until(3))
        #expect(fixture.openings == [0, 0.25, 0.75, 1.75, 2.25, 2.5, 3])
    }

    @Test("a program that can never open its camera again is restarted after a minute, if somebody restarts it")
    func restart() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = .lostByLayer(path: "/dev/video0")
        fixture.run(fixture.until(55), { #expect(fixture.restarts == 0) }, fixture.until(60))
        #expect(fixture.restarts > 0)
    }

    @Test("a program is not restarted because of a camera that may come back")
    func noRestart() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(fixture.until(600))
        #expect(fixture.restarts == 0)
    }

    @Test("the next camera is used if the first cannot be opened")
    func nextCandidate() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.problem = busy
        fixture.run(second.deliver)
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "starting usb-B", "open /dev/video1", "live usb-B",
            ])
    }

    @Test("if no camera can be opened, the reading says why the first cannot")
    func noCandidate() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.problem = busy
        second.problem = .denied(path: "/dev/video1", group: "video")
        fixture.run({})
        #expect(fixture.readings.value.state == .busy)
        #expect(fixture.readings.value.camera?.id == "usb-A")
    }

    @Test("a camera without a format that can be read is unsupported, which is logged once")
    func unsupported() throws {
        let camera = FakeCamera("A", number: 0, formats: ["H264"])
        let fixture = try CaptureLoopFixture(camera)
        fixture.run(fixture.until(8))
        #expect(fixture.openings.count > 5)
        #expect(fixture.readings.value.state == .unsupported)
        let sentence = "/dev/video0: The camera does not offer the format YUYV. The camera offers: H264."
        #expect(fixture.messages.last == sentence)
        #expect(fixture.recorder.lines == [sentence])
        #expect(camera.stream.driver.count(of: FAKE_STREAMON) == 0)
    }

    @Test("a camera whose driver grants a format that cannot be read is unsupported")
    func unsupportedGrant() throws {
        let fixture = try CaptureLoopFixture(first, second)
        unsafe first.stream.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe format.fmt.pix.pixelformat = FourCC("H264").rawValue
            return 0
        }
        fixture.run({})
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "unsupported usb-A", "open /dev/video0"])
        #expect(
            fixture.messages.last
                == "The driver granted H264 16x8 at 30.0 frames a second, which cannot be read: "
                + "Swatchcam does not know this pixel format.")
    }
}

@Suite("The signal of the camera in use")
struct CaptureSignalTests {
    private let first = FakeCamera("A", number: 0)
    private let second = FakeCamera("B", number: 1)
    private let busy = V4L2Error.busy(path: "/dev/video0", holders: [])

    @Test("a receiver without a signal is asked again until it has one")
    func noSignal() throws {
        let fixture = try CaptureLoopFixture(first)
        first.addInput(on: fixture)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        fixture.run({}, {}, { first.signal = 0 }, first.deliver)
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "no-signal usb-A", "live usb-A"])
        #expect(
            fixture.messages.last == "A (/dev/video0): there is no signal. Connect a source and turn it on.")
        #expect(fixture.recorder.lines.first == fixture.messages.last)
    }

    @Test("a receiver's formats are read after its signal is adopted, which decides them")
    func formatsFollowSignal() throws {
        let fixture = try CaptureLoopFixture(first)
        first.addInput(on: fixture)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        first.formats = []
        fixture.run({}, {}, { (first.signal, first.formats) = (0, ["YUYV"]) }, first.deliver)
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "no-signal usb-A", "live usb-A"])
    }

    @Test("a request is carried out while there is no signal")
    func switchWithoutSignal() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.addInput(on: fixture)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        fixture.run({}, {}, { fixture.ask(.device("usb-B")) }, {})
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "no-signal usb-A", "starting usb-B", "open /dev/video1",
                "answer usb-B",
            ])
    }

    @Test("a request can switch to a receiver without a signal")
    func switchToNoSignal() throws {
        let fixture = try CaptureLoopFixture(first, second)
        second.addInput(on: fixture)
        second.signal = V4L2_IN_ST_NO_SIGNAL
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) }, {}, {}, { second.signal = 0 }, second.deliver)
        // A request that was answered twice would end the program.
        #expect(fixture.trace.suffix(4) == ["open /dev/video1", "answer usb-B", "no-signal usb-B", "live usb-B"])
    }

    @Test("a receiver that loses its signal while it delivers is reported as being without a signal")
    func lostSignal() throws {
        let fixture = try CaptureLoopFixture(first)
        first.addInput(on: fixture)
        fixture.run(
            first.deliver,
            {
                fixture.passSignalInterval()
                first.signal = V4L2_IN_ST_NO_SIGNAL
                first.deliver()
            }, {}, {})
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "live usb-A", "starting usb-A", "open /dev/video0",
                "no-signal usb-A",
            ])
    }

    @Test("a camera whose source changes is opened again at once")
    func sourceChanged() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, first.changeSource, {})
        #expect(fixture.openings == [0, 0.5])
        #expect(!fixture.trace.contains("lost usb-A"))
    }

    @Test("a camera whose source changes after a failure is opened again after a wait")
    func sourceChangedAgain() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run({ first.problem = nil }, first.changeSource, {}, {})
        #expect(fixture.openings == [0, 0.25, 1])
        #expect(fixture.messages.last == "/dev/video0: the input signal has changed.")
    }
}
