import Configuration
import JPEG
import Pixels

/// Adds up the colours of frames that are JPEG images.
struct JPEGReader {
    private let region: Region
    private let average: Average
    private let colorimetry: Config.Camera.Colorimetry
    private let width: Int
    private let height: Int
    private var image = PlanarImage()
    /// For the shapes of the last images: a camera's images are all alike.
    private var analysers: [Analyser] = []

    /// - Parameters:
    ///   - width: As it was negotiated, in pixels.
    ///   - height: As it was negotiated, in pixels.
    ///   - region: The part of the picture that is read, as it is stored.
    init(
        width: Int, height: Int, region: Region = .full, average: Average = .srgb,
        colorimetry: Config.Camera.Colorimetry = .auto
    ) {
        self.width = width
        self.height = height
        self.region = region
        self.average = average
        self.colorimetry = colorimetry
    }

    /// What is assumed of the code values, for people. JFIF says BT.601 of full range, whatever the driver declares.
    var assumption: String? {
        PictureLayout(
            jfif: .decoded(xShift: 0, yShift: 0), width: 1, height: 1, strides: [1, 1, 1], colorimetry: colorimetry
        )
        .assumption
    }

    /// - Returns: Nil if the frame is damaged: cut short, or no JPEG at all.
    mutating func sums(of bytes: RawSpan) -> PictureSums? {
        guard (try? JPEGDecoder.decode(bytes, width: width, height: height, into: &image)) != nil else {
            return nil
        }
        let layout = PictureLayout(
            jfif: image.isGrey ? .decodedGrey : .decoded(xShift: image.xShift, yShift: image.yShift),
            width: image.width, height: image.height,
            strides: image.planes.prefix(image.isGrey ? 1 : 3).map(\.bytesPerLine), colorimetry: colorimetry)
        guard let analyser = analyser(for: layout) else { return nil }
        let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
        return unsafe analyser.sums(of: y.span.bytes, cb.span.bytes, cr.span.bytes)
    }

    private mutating func analyser(for layout: PictureLayout) -> Analyser? {
        if let known = analysers.first(where: { $0.layout == layout }) { return known }
        guard
            let analyser = Analyser(layout: layout, region: region, average: average)
        else { return nil }
        // Two sizes; images of ever other shapes are no reason to keep ever more.
        if analysers.count >= 2 { analysers.removeFirst() }
        analysers.append(analyser)
        return analyser
    }
}

extension PictureLayout {
    fileprivate init(
        jfif format: PixelFormat, width: Int, height: Int, strides: [Int],
        colorimetry: Config.Camera.Colorimetry
    ) {
        let jfif = ColorEncoding(matrix: .bt601, range: .full)
        self.init(
            format: format, encoding: jfif.applying(colorimetry), width: width, height: height,
            bytesPerLine: strides)
    }
}
