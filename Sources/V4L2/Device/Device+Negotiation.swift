import CV4L2
import Files

extension Device {
    /// Asks for a format and a rate, and returns what the driver granted.
    ///
    /// Drivers adjust a request instead of refusing it, so the granted format may differ in every respect.
    /// - Parameters:
    ///   - framesPerSecond: The wanted rate; ignored if the driver cannot set one.
    /// - Throws: `V4L2Error.system` (`EBUSY` if another program is streaming), `.malformedReply`.
    func negotiate(
        _ fourCC: FourCC, width: Int, height: Int, framesPerSecond: Double
    ) throws(V4L2Error) -> FrameFormat {
        var format = try setFormat(fourCC, width: width, height: height)
        // The rate comes second: many drivers reset it with the size.
        format.framesPerSecond = try setRate(framesPerSecond)
        return format
    }

    private func setFormat(_ fourCC: FourCC, width: Int, height: Int) throws(V4L2Error) -> FrameFormat {
        // All else is 0, such as V4L2_FIELD_ANY.
        var format = unsafe v4l2_format()
        unsafe format.type = capability.bufferType.rawValue
        if capability.isMultiplanar {
            unsafe format.fmt.pix_mp.pixelformat = fourCC.rawValue
            unsafe format.fmt.pix_mp.width = UInt32(clamping: width)
            unsafe format.fmt.pix_mp.height = UInt32(clamping: height)
        } else {
            unsafe format.fmt.pix.pixelformat = fourCC.rawValue
            unsafe format.fmt.pix.width = UInt32(clamping: width)
            unsafe format.fmt.pix.height = UInt32(clamping: height)
            // Without the magic number, the kernel ignores the extended fields (ycbcr_enc and so on).
            unsafe format.fmt.pix.priv = V4L2_PIX_FMT_PRIV_MAGIC
        }
        try unsafe request("VIDIOC_S_FMT", cv4l2_s_fmt, &format)
        let granted =
            capability.isMultiplanar
            ? unsafe FrameFormat(format.fmt.pix_mp) : unsafe FrameFormat(format.fmt.pix)
        guard granted.width > 0, granted.height > 0, !granted.planes.isEmpty else {
            throw .malformedReply(
                path: path, problem: "it granted a picture of \(granted.width)x\(granted.height) pixels")
        }
        return granted
    }

    private func setRate(_ rate: Double) throws(V4L2Error) -> Double? {
        var parameters = v4l2_streamparm()
        parameters.type = capability.bufferType.rawValue
        guard unsafe cv4l2_g_parm(descriptor.rawValue, &parameters) == 0 else { return nil }
        if unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 {
            unsafe parameters.parm.capture.timeperframe =
                v4l2_fract(numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
            try unsafe request("VIDIOC_S_PARM", cv4l2_s_parm, &parameters)
        }
        return unsafe parameters.parm.capture.timeperframe.rate
    }
}

extension FrameFormat {
    fileprivate init(_ pix: v4l2_pix_format) {
        let fourCC = FourCC(rawValue: pix.pixelformat)
        self.init(
            fourCC: fourCC, width: Int(pix.width), height: Int(pix.height),
            planes: [Plane(bytesPerLine: Int(pix.bytesperline), sizeImage: Int(pix.sizeimage))],
            colorimetry: Colorimetry(
                colorspace: pix.colorspace, encoding: pix.ycbcr_enc, quantization: pix.quantization,
                isRGB: fourCC.isRGBOrHSV),
            framesPerSecond: nil)
    }

    fileprivate init(_ pix: v4l2_pix_format_mplane) {
        let fourCC = FourCC(rawValue: pix.pixelformat)
        let (p0, p1, p2, p3, _, _, _, _) = pix.plane_fmt
        let planes = [p0, p1, p2, p3].prefix(Int(pix.num_planes))
        self.init(
            fourCC: fourCC, width: Int(pix.width), height: Int(pix.height),
            planes: planes.map { Plane(bytesPerLine: Int($0.bytesperline), sizeImage: Int($0.sizeimage)) },
            colorimetry: Colorimetry(
                colorspace: pix.colorspace, encoding: UInt32(pix.ycbcr_enc),
                quantization: UInt32(pix.quantization), isRGB: fourCC.isRGBOrHSV),
            framesPerSecond: nil)
    }
}
