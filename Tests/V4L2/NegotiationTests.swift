import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("The negotiation of a format")
struct NegotiationTests {
    @Test("the granted format is taken, whatever was requested")
    func single() throws {
        let driver = ModelDriver()
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            let isAsked =
                unsafe format.type == V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
                && format.fmt.pix.pixelformat == FourCC("YUYV").rawValue && format.fmt.pix.width == 640
                && format.fmt.pix.height == 480 && format.fmt.pix.priv == V4L2_PIX_FMT_PRIV_MAGIC
            guard isAsked else { return EIO }
            unsafe format.fmt.pix.pixelformat = FourCC("NV12").rawValue
            unsafe (format.fmt.pix.width, format.fmt.pix.height) = (320, 240)
            unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (384, 138_240)
            unsafe format.fmt.pix.colorspace = V4L2_COLORSPACE_REC709.rawValue
            unsafe format.fmt.pix.ycbcr_enc = V4L2_YCBCR_ENC_601.rawValue
            unsafe format.fmt.pix.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue
            unsafe format.fmt.pix.xfer_func = V4L2_XFER_FUNC_SMPTE2084.rawValue
            unsafe format.fmt.pix.field = V4L2_FIELD_SEQ_BT.rawValue
            return 0
        }
        let granted = try driver.withDevice { device in
            try device.negotiate("YUYV", width: 640, height: 480, framesPerSecond: 30)
        }
        #expect(
            granted
                == FrameFormat(
                    fourCC: "NV12", width: 320, height: 240, planes: [.init(bytesPerLine: 384, sizeImage: 138_240)],
                    colorimetry: .init(
                        ycbcrEncoding: .bt601, quantization: .fullRange, transferFunction: .smpte2084),
                    framesPerSecond: nil, fields: .sequential))
    }

    @Test(
        "of a driver that refuses a size instead of adjusting it, the nearest size is asked for, or the one that it has",
        arguments: [true, false])
    func refusedSize(hasList: Bool) throws {
        let driver = ModelDriver()
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe format.fmt.pix.width == 1280 && format.fmt.pix.height == 720 ? 0 : EINVAL
        }
        unsafe driver.on(FAKE_G_FMT, v4l2_format.self) { format in
            unsafe (format.fmt.pix.width, format.fmt.pix.height) = (1280, 720)
            return 0
        }
        driver.on(FAKE_ENUM_FRAMESIZES, v4l2_frmsizeenum.self) { size in
            let sizes: [(UInt32, UInt32)] = hasList ? [(.max, .max), (320, 240), (1280, 720)] : []
            guard let found = sizes.dropFirst(Int(size.index)).first else { return EINVAL }
            size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            (size.discrete.width, size.discrete.height) = found
            return 0
        }
        let granted = try driver.withDevice { device in
            try device.negotiate("YUYV", width: 1024, height: 768, framesPerSecond: 30)
        }
        #expect((granted.width, granted.height) == (1280, 720))
    }

    @Test("the granted format of a multi-planar camera has all of its planes")
    func multiplanar() throws {
        let driver = ModelDriver(isMultiplanar: true)
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            let isAsked =
                unsafe format.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
                && format.fmt.pix_mp.pixelformat == FourCC("NM12").rawValue && format.fmt.pix_mp.width == 640
                && format.fmt.pix_mp.height == 480
            guard isAsked else { return EIO }
            unsafe format.fmt.pix_mp.num_planes = 3
            unsafe (format.fmt.pix_mp.plane_fmt.0.bytesperline, format.fmt.pix_mp.plane_fmt.0.sizeimage) = (
                640, 307_200
            )
            unsafe (format.fmt.pix_mp.plane_fmt.1.bytesperline, format.fmt.pix_mp.plane_fmt.1.sizeimage) = (
                640, 153_600
            )
            unsafe (format.fmt.pix_mp.plane_fmt.2.bytesperline, format.fmt.pix_mp.plane_fmt.2.sizeimage) = (320, 300)
            unsafe format.fmt.pix_mp.colorspace = V4L2_COLORSPACE_REC709.rawValue
            unsafe format.fmt.pix_mp.ycbcr_enc = UInt8(V4L2_YCBCR_ENC_601.rawValue)
            unsafe format.fmt.pix_mp.quantization = UInt8(V4L2_QUANTIZATION_FULL_RANGE.rawValue)
            unsafe format.fmt.pix_mp.xfer_func = UInt8(V4L2_XFER_FUNC_NONE.rawValue)
            unsafe format.fmt.pix_mp.field = V4L2_FIELD_ALTERNATE.rawValue
            return 0
        }
        let granted = try driver.withDevice { device in
            try device.negotiate("NM12", width: 640, height: 480, framesPerSecond: 30)
        }
        #expect(
            granted
                == FrameFormat(
                    fourCC: "NM12", width: 640, height: 480,
                    planes: [
                        .init(bytesPerLine: 640, sizeImage: 307_200), .init(bytesPerLine: 640, sizeImage: 153_600),
                        .init(bytesPerLine: 320, sizeImage: 300),
                    ],
                    colorimetry: .init(quantization: .fullRange, transferFunction: .linear), framesPerSecond: nil,
                    fields: .alternating))
    }

    /// Returns the requested rate in thousandths, and the granted rate.
    private func rate(
        _ wanted: Double, capability: Int32 = V4L2_CAP_TIMEPERFRAME, errno: Int32 = 0
    ) throws -> (UInt32?, Double?) {
        let driver = ModelDriver()
        var asked: UInt32?
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { _ in 0 }
        driver.on(FAKE_G_PARM, v4l2_streamparm.self) { parameters in
            guard parameters.type == V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue else { return EINVAL }
            unsafe parameters.parm.capture.capability = UInt32(capability)
            unsafe parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1, denominator: 15)
            return 0
        }
        driver.on(FAKE_S_PARM, v4l2_streamparm.self) { parameters in
            let interval = unsafe parameters.parm.capture.timeperframe
            asked = interval.numerator == 1000 ? interval.denominator : 0
            unsafe parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1001, denominator: 30_000)
            return errno
        }
        let granted = try driver.withDevice { device in
            try device.negotiate("YUYV", width: 16, height: 8, framesPerSecond: wanted).framesPerSecond
        }
        return (asked, granted)
    }

    @Test("a frame rate is requested to a thousandth")
    func rates() throws {
        #expect(try rate(29.97) == (29_970, 30_000 / 1001))
        #expect(try rate(7.5) == (7500, 30_000 / 1001))
    }

    @Test("no frame rate is requested from a driver that cannot set one")
    func fixedRate() throws {
        #expect(try rate(30, capability: 0) == (nil, 15))
    }

    @Test("a driver that refuses a frame rate keeps its own", arguments: [EINVAL, EIO, EPROTO, ENOTTY, EBUSY])
    func refusedRate(errno: Int32) throws {
        #expect(try rate(30, errno: errno) == (30_000, 15))
    }

    @Test(
        "a granted picture without pixels or planes is an error",
        arguments: [(0, 8), (16, 0), nil] as [(UInt32, UInt32)?]
    )
    func empty(size: (width: UInt32, height: UInt32)?) throws {
        let driver = ModelDriver(isMultiplanar: size == nil)
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            if let size { unsafe (format.fmt.pix.width, format.fmt.pix.height) = (size.width, size.height) }
            return 0
        }
        let error = #expect(throws: V4L2Error.self) {
            _ = try driver.withDevice { try $0.negotiate("YUYV", width: 16, height: 8, framesPerSecond: 30) }
        }
        guard case .malformedReply = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a driver that does not grant a format, because it streams, is reported")
    func fails() {
        let driver = ModelDriver()
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { _ in EBUSY }
        #expect(throws: V4L2Error.system(call: "VIDIOC_S_FMT", errno: EBUSY, path: "/dev/video9")) {
            _ = try driver.withDevice { try $0.negotiate("YUYV", width: 16, height: 8, framesPerSecond: 30) }
        }
    }

    @Test("the report of a device has its present format, of either API", arguments: [false, true])
    func report(isMultiplanar: Bool) throws {
        let driver = ModelDriver(isMultiplanar: isMultiplanar)
        #expect(try driver.withDevice { $0.colorimetryLine } == nil)
        unsafe driver.on(FAKE_G_FMT, v4l2_format.self) { format in
            if isMultiplanar {
                unsafe (format.fmt.pix_mp.pixelformat, format.fmt.pix_mp.width) = (FourCC("NM12").rawValue, 640)
                unsafe (format.fmt.pix_mp.height, format.fmt.pix_mp.colorspace) = (480, 8)
                unsafe (format.fmt.pix_mp.ycbcr_enc, format.fmt.pix_mp.quantization, format.fmt.pix_mp.xfer_func) = (
                    1, 2, 3
                )
            } else {
                unsafe (format.fmt.pix.pixelformat, format.fmt.pix.width) = (FourCC("NM12").rawValue, 640)
                unsafe (format.fmt.pix.height, format.fmt.pix.colorspace) = (480, 8)
                unsafe (format.fmt.pix.ycbcr_enc, format.fmt.pix.quantization, format.fmt.pix.xfer_func) = (1, 2, 3)
            }
            return 0
        }
        let line = "  set to NM12 640x480, colorspace 8, ycbcr_enc 1, quantization 2, xfer_func 3"
        #expect(try driver.withDevice { $0.colorimetryLine } == line)
    }
}
