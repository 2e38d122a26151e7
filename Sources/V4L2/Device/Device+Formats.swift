import CV4L2
import Files
import Glibc

extension Device {
    /// Returns the pixel formats that the camera offers, in the driver's order.
    public func formats() -> [FourCC] {
        sensorFormats?.map(\.fourCC) ?? formatDescriptions().map(\.fourCC)
    }

    /// Returns the pixel formats in which a receiver stores what arrives in a media bus format, in the driver's order.
    func formats(of busCode: UInt32) -> [FourCC] {
        formatDescriptions(of: busCode).map(\.fourCC)
    }

    /// Returns the pixel formats that the camera offers, with their sizes and rates.
    public func offeredFormats() -> [OfferedFormat] {
        let names = formatDescriptions()
        let ofSensor = sensorFormats?.map { format in
            OfferedFormat(
                fourCC: format.fourCC, name: names.first { $0.fourCC == format.fourCC }?.name ?? "",
                sizes: format.sizes, isAlternative: format.isAlternative)
        }
        return ofSensor
            ?? names.map { fourCC, name in OfferedFormat(fourCC: fourCC, name: name, sizes: sizes(of: fourCC)) }
    }

    /// - Parameter busCode: A media bus format to which the list is restricted; 0 for none. Drivers without a media
    ///   graph ignore it.
    private func formatDescriptions(of busCode: UInt32 = 0) -> [(fourCC: FourCC, name: String)] {
        var request = v4l2_fmtdesc()
        request.type = capability.bufferType.rawValue
        request.mbus_code = busCode
        return unsafe items(cv4l2_enum_fmt, request, \.index) {
            (FourCC(rawValue: $0.pixelformat), string(of: $0.description))
        }
    }

    func sizes(of fourCC: FourCC) -> OfferedFormat.Sizes {
        var request = v4l2_frmsizeenum()
        request.pixel_format = fourCC.rawValue
        let replies = unsafe items(cv4l2_enum_framesizes, request, \.index) { $0 }
        if let first = replies.first, first.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
            let range = first.stepwise
            return .stepwise(
                width: Self.range(range.min_width, range.max_width), widthStep: Int(range.step_width),
                height: Self.range(range.min_height, range.max_height), heightStep: Int(range.step_height))
        }
        return .discrete(
            replies.map { reply in
                let (width, height) = (reply.discrete.width, reply.discrete.height)
                return .init(
                    width: Int(width), height: Int(height), rates: rates(of: fourCC, width: width, height: height))
            })
    }

    private func rates(of fourCC: FourCC, width: UInt32, height: UInt32) -> [Double] {
        var request = v4l2_frmivalenum()
        (request.pixel_format, request.width, request.height) = (fourCC.rawValue, width, height)
        let intervals = unsafe items(cv4l2_enum_frameintervals, request, \.index) { $0 }
        let rates = intervals.flatMap { interval in
            interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
                ? [interval.discrete.rate] : [interval.stepwise.min.rate, interval.stepwise.max.rate]
        }
        return rates.compactMap { $0 }.sorted(by: >)
    }

    private static func range(_ low: UInt32, _ high: UInt32) -> ClosedRange<Int> {
        Int(low)...Int(max(low, high))
    }
}

extension ClosedRange<Int> {
    fileprivate func clamped(_ value: Int) -> Int { Swift.min(Swift.max(value, lowerBound), upperBound) }
}

extension v4l2_fract {
    /// The rate per second of an interval in seconds; nil if either part of the fraction is 0.
    var rate: Double? {
        numerator == 0 || denominator == 0 ? nil : Double(denominator) / Double(numerator)
    }
}

extension Device {
    /// Asks for a format and a rate, and returns what the driver granted.
    ///
    /// Drivers adjust a request instead of refusing it, so the granted format may differ in every respect.
    /// - Parameters:
    ///   - framesPerSecond: The wanted rate; a driver that cannot set it keeps its own.
    /// - Throws: `V4L2Error.system` (`EBUSY` if another program is streaming), `.malformedReply`.
    func negotiate(
        _ fourCC: FourCC, width: Int, height: Int, framesPerSecond: Double
    ) throws(V4L2Error) -> FrameFormat {
        var format = try setNearestFormat(fourCC, width: width, height: height)
        if let sensor {
            // What the receiver declares does not count, because it does not know what it receives.
            format.colorimetry = Colorimetry(quantization: .fullRange, transferFunction: .linear)
            format.colorimetry.sensorBlack = sensor.black
        }
        // The rate comes second: many drivers reset it with the size.
        format.framesPerSecond = setRate(framesPerSecond)
        return format
    }

    /// Checks that no other program streams from the device, by asking it for the format that it has.
    ///
    /// A driver grants that without a change, but no format while another program has buffers.
    /// - Throws: `V4L2Error.busy` if another program is streaming.
    public func ensureFree() throws(V4L2Error) {
        // libcamera's layer has no controls that could disturb another program, and configures the camera each time.
        guard capability.driver != Capability.layerDriver else { return }
        var format = unsafe v4l2_format()
        unsafe format.type = capability.bufferType.rawValue
        guard unsafe cv4l2_g_fmt(descriptor.rawValue, &format) == 0 else { return }
        guard unsafe cv4l2_s_fmt(descriptor.rawValue, &format) == EBUSY else { return }
        throw .busy(path: path, holders: DeviceHolder.all(of: sensor?.captureNode ?? path))
    }

    /// Asks for a format as ``setFormat(_:width:height:)`` does, and if the driver refuses the size instead of
    /// adjusting it, for the nearest size that it offers, or the one that it has.
    private func setNearestFormat(_ fourCC: FourCC, width: Int, height: Int) throws(V4L2Error) -> FrameFormat {
        do throws(V4L2Error) {
            return try setFormat(fourCC, width: width, height: height)
        } catch {
            guard case .system(_, EINVAL, _) = error, capability.driver != Capability.layerDriver,
                let size = nearestSize(of: fourCC, width: width, height: height), size != (width, height)
            else { throw error }
            return try setFormat(fourCC, width: size.width, height: size.height)
        }
    }

    private func nearestSize(of fourCC: FourCC, width: Int, height: Int) -> (width: Int, height: Int)? {
        switch sizes(of: fourCC) {
        case .stepwise(let widths, _, let heights, _):
            return (widths.clamped(width), heights.clamped(height))
        case .discrete(let sizes):
            // In floating point: the product of two sizes that a driver makes up does not fit in an integer.
            func distance(_ size: (width: Int, height: Int)) -> Double {
                abs(Double(size.width) * Double(size.height) - Double(width) * Double(height))
            }
            let nearest = sizes.min { distance(($0.width, $0.height)) < distance(($1.width, $1.height)) }
            return nearest.map { ($0.width, $0.height) } ?? currentSize
        }
    }

    /// The size in which the device would capture now; nil if it does not say so.
    private var currentSize: (width: Int, height: Int)? {
        var format = unsafe v4l2_format()
        unsafe format.type = capability.bufferType.rawValue
        guard unsafe cv4l2_g_fmt(descriptor.rawValue, &format) == 0 else { return nil }
        return capability.usesMultiplanarAPI
            ? unsafe (Int(format.fmt.pix_mp.width), Int(format.fmt.pix_mp.height))
            : unsafe (Int(format.fmt.pix.width), Int(format.fmt.pix.height))
    }

    private func setFormat(_ fourCC: FourCC, width: Int, height: Int) throws(V4L2Error) -> FrameFormat {
        // All else is 0, such as V4L2_FIELD_ANY.
        var format = unsafe v4l2_format()
        unsafe format.type = capability.bufferType.rawValue
        if capability.usesMultiplanarAPI {
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
        var granted =
            capability.usesMultiplanarAPI
            ? unsafe FrameFormat(format.fmt.pix_mp) : unsafe FrameFormat(format.fmt.pix)
        // libcamera's layer declares no range, but a camera module's pictures have the full one (in Raspberry Pi's
        // pipeline handler: ColorSpace::Sycc).
        if capability.driver == Capability.layerDriver, granted.colorimetry.quantization == nil {
            granted.colorimetry.quantization = .fullRange
        }
        guard granted.width > 0, granted.height > 0, !granted.planes.isEmpty else {
            throw .malformedReply(
                path: path, problem: "it granted a picture of \(granted.width)x\(granted.height) pixels")
        }
        return granted
    }

    /// Asks for a rate, and returns the one that is in force; nil if the driver knows none.
    ///
    /// A driver that refuses keeps the rate that it has: many webcams stall the request (EPIPE, EIO, EPROTO), and other
    /// drivers refuse every rate (EINVAL, ENOTTY), but their pictures can be read.
    private func setRate(_ rate: Double) -> Double? {
        var parameters = v4l2_streamparm()
        parameters.type = capability.bufferType.rawValue
        guard unsafe cv4l2_g_parm(descriptor.rawValue, &parameters) == 0 else { return nil }
        let current = unsafe parameters.parm.capture.timeperframe.rate
        guard unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 else { return current }
        unsafe parameters.parm.capture.timeperframe =
            v4l2_fract(numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
        guard unsafe cv4l2_s_parm(descriptor.rawValue, &parameters) == 0 else { return current }
        return unsafe parameters.parm.capture.timeperframe.rate
    }
}

extension FrameFormat.Fields {
    fileprivate init(_ field: UInt32) {
        self =
            switch field {
            case V4L2_FIELD_ALTERNATE.rawValue: .alternating
            case V4L2_FIELD_SEQ_TB.rawValue, V4L2_FIELD_SEQ_BT.rawValue: .sequential
            default: .together
            }
    }
}

extension FrameFormat {
    fileprivate init(_ pix: v4l2_pix_format) {
        self.init(
            fourCC: FourCC(rawValue: pix.pixelformat), width: Int(pix.width), height: Int(pix.height),
            planes: [Plane(bytesPerLine: Int(pix.bytesperline), sizeImage: Int(pix.sizeimage))],
            colorimetry: Colorimetry(
                colorspace: pix.colorspace, encoding: pix.ycbcr_enc, quantization: pix.quantization,
                transferFunction: pix.xfer_func),
            framesPerSecond: nil, fields: .init(pix.field))
    }

    fileprivate init(_ pix: v4l2_pix_format_mplane) {
        let (p0, p1, p2, p3, _, _, _, _) = pix.plane_fmt
        let planes = [p0, p1, p2, p3].prefix(Int(pix.num_planes))
        self.init(
            fourCC: FourCC(rawValue: pix.pixelformat), width: Int(pix.width), height: Int(pix.height),
            planes: planes.map { Plane(bytesPerLine: Int($0.bytesperline), sizeImage: Int($0.sizeimage)) },
            colorimetry: Colorimetry(
                colorspace: pix.colorspace, encoding: UInt32(pix.ycbcr_enc),
                quantization: UInt32(pix.quantization), transferFunction: UInt32(pix.xfer_func)),
            framesPerSecond: nil, fields: .init(pix.field))
    }
}
