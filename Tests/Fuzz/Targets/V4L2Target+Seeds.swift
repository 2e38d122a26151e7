import CV4L2
import Glibc

@testable import V4L2

extension V4L2Target {
    /// The answers of well-behaved drivers.
    static var seeds: [String: [UInt8]] {
        [
            "list": [0] + webcam(isMultiplanar: false) + formats + controls,
            "receiver": [0] + webcam(isMultiplanar: false) + DriverAnswers.none + DriverAnswers.none + receiver,
            "controls": [1] + webcam(isMultiplanar: false) + controls + controls,
            "lock": [2] + webcam(isMultiplanar: false) + controls + controls,
            "stream": [3] + webcam(isMultiplanar: false) + stream(isMultiplanar: false),
            "planes": [7] + webcam(isMultiplanar: true) + stream(isMultiplanar: true),
        ]
    }

    private static func webcam(isMultiplanar: Bool) -> [UInt8] {
        var reply = v4l2_capability()
        let capture = isMultiplanar ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE
        reply.capabilities = UInt32(capture) | UInt32(V4L2_CAP_STREAMING)
        unsafe withUnsafeMutableBytes(of: &reply.card) { unsafe $0.copyBytes(from: Array("Cam".utf8)) }
        return DriverAnswers.whole(reply)
    }

    private static var formats: [UInt8] {
        var format = v4l2_fmtdesc()
        format.pixelformat = FourCC("YUYV").rawValue
        var size = v4l2_frmsizeenum()
        size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        size.discrete = v4l2_frmsize_discrete(width: 640, height: 480)
        var interval = v4l2_frmivalenum()
        interval.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        interval.discrete = v4l2_fract(numerator: 1, denominator: 30)
        let (one, end) = (DriverAnswers.whole(format), DriverAnswers.none)
        return one + end + DriverAnswers.whole(size) + end + DriverAnswers.whole(interval) + end
    }

    private static var controls: [UInt8] {
        let gain = DriverAnswers.control(
            UInt32(bitPattern: V4L2_CID_GAIN), "Gain", V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 100)
        let automatic = DriverAnswers.control(
            UInt32(bitPattern: V4L2_CID_AUTOGAIN), "Gain, Automatic", V4L2_CTRL_TYPE_BOOLEAN, minimum: 0, maximum: 1)
        let exposure = DriverAnswers.control(
            UInt32(bitPattern: V4L2_CID_EXPOSURE_AUTO), "Auto Exposure", V4L2_CTRL_TYPE_MENU, minimum: 0, maximum: 1)
        var choice = v4l2_querymenu()
        choice.name.0 = 65
        return gain + DriverAnswers.value(7) + automatic + DriverAnswers.value(0) + exposure
            + DriverAnswers.value(1) + DriverAnswers.whole(choice, 44) + DriverAnswers.whole(choice, 44)
            + DriverAnswers.none
    }

    private static var receiver: [UInt8] {
        var input = v4l2_input()
        input.capabilities = UInt32(V4L2_IN_CAP_DV_TIMINGS)
        let index = DriverAnswers.same
        return index + DriverAnswers.whole(input) + DriverAnswers.same + DriverAnswers.same
    }

    private static func stream(isMultiplanar: Bool) -> [UInt8] {
        var format = unsafe v4l2_format()
        if isMultiplanar {
            unsafe format.fmt.pix_mp.pixelformat = FourCC("YUYV").rawValue
            unsafe (format.fmt.pix_mp.width, format.fmt.pix_mp.height, format.fmt.pix_mp.num_planes) = (16, 8, 1)
            unsafe format.fmt.pix_mp.plane_fmt.0.bytesperline = 32
            unsafe format.fmt.pix_mp.plane_fmt.0.sizeimage = 256
        } else {
            unsafe format.fmt.pix.pixelformat = FourCC("YUYV").rawValue
            unsafe (format.fmt.pix.width, format.fmt.pix.height) = (16, 8)
            unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (32, 256)
        }
        var request = v4l2_requestbuffers()
        request.count = 2
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.length = 4096
        unsafe buffer.bytesused = 256
        var plane = v4l2_plane()
        plane.length = 4096
        plane.bytesused = 256
        let one = unsafe DriverAnswers.whole(buffer) + (isMultiplanar ? DriverAnswers.whole(plane) : [])
        let queued = DriverAnswers.same + (isMultiplanar ? DriverAnswers.same : [])
        let begun = unsafe DriverAnswers.whole(format, 208) + DriverAnswers.none + DriverAnswers.whole(request, 8)
        // There is no frame, then one, then no other, and then the camera is gone.
        let again = DriverAnswers.failure(EAGAIN)
        return begun + one + one + queued + queued + DriverAnswers.same + again + one + again + queued
    }
}
