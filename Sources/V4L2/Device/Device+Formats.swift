import CV4L2

extension Device {
    /// Returns the pixel formats that the camera offers, in the driver's order.
    public func formats() -> [FourCC] {
        formatDescriptions().map(\.fourCC)
    }

    /// Returns the pixel formats that the camera offers, with their sizes and rates.
    public func offeredFormats() -> [OfferedFormat] {
        formatDescriptions().map { fourCC, name in
            OfferedFormat(fourCC: fourCC, name: name, sizes: sizes(of: fourCC))
        }
    }

    private func formatDescriptions() -> [(fourCC: FourCC, name: String)] {
        unsafe items(
            cv4l2_enum_fmt,
            at: { index in
                var request = v4l2_fmtdesc()
                request.index = index
                request.type = capability.bufferType.rawValue
                return request
            },
            { (FourCC(rawValue: $0.pixelformat), string(of: $0.description)) })
    }

    /// Returns the sizes in which the camera offers a format.
    func sizes(of fourCC: FourCC) -> OfferedFormat.Sizes {
        let replies = unsafe items(
            cv4l2_enum_framesizes,
            at: { index in
                var request = v4l2_frmsizeenum()
                request.index = index
                request.pixel_format = fourCC.rawValue
                return request
            },
            { $0 })
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
        let intervals = unsafe items(
            cv4l2_enum_frameintervals,
            at: { index in
                var request = v4l2_frmivalenum()
                request.index = index
                request.pixel_format = fourCC.rawValue
                request.width = width
                request.height = height
                return request
            },
            { $0 })
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

extension v4l2_fract {
    /// The rate per second of an interval in seconds; nil if either part of the fraction is 0.
    var rate: Double? {
        numerator == 0 || denominator == 0 ? nil : Double(denominator) / Double(numerator)
    }
}
