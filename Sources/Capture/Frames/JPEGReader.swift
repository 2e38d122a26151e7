import Configuration
import JPEG
import Pixels

/// The reader of the colours of frames that are JPEG images.
struct JPEGReader {
    private let region: Region
    private let average: Average
    private let colorimetry: Config.Camera.Colorimetry
    private let width: Int
    private let height: Int
    private var image = PlanarImage()
    /// The analysers for the layouts of the last images. A camera's images usually share one layout.
    private var analysers: [Analyser] = []

    /// - Parameters:
    ///   - width: The negotiated width, in pixels.
    ///   - height: The negotiated height, in pixels.
    ///   - region: The part of the stored picture that is read.
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

    /// The assumed interpretation of code values, for people.
    ///
    /// JFIF prescribes BT.601 with full range, whatever the driver declares.
    var assumedEncoding: String? {
        PictureLayout(
            jfif: .decoded(xShift: 0, yShift: 0), width: 1, height: 1, strides: [1, 1, 1], colorimetry: colorimetry
        )
        .assumedEncoding
    }

    /// Reads the colours of an image.
    /// - Returns: Nil if the frame cannot be decoded: for example, because it is cut off, not a JPEG image, or of
    ///   another size.
    mutating func colors(of bytes: RawSpan, withStatistics: Bool) -> RegionColors? {
        guard (try? JPEGDecoder.decode(bytes, width: width, height: height, into: &image)) != nil else {
            return nil
        }
        let layout = PictureLayout(
            jfif: image.isGrey ? .decodedGrey : .decoded(xShift: image.xShift, yShift: image.yShift),
            width: image.width, height: image.height,
            strides: image.planes.prefix(image.isGrey ? 1 : 3).map(\.bytesPerLine), colorimetry: colorimetry)
        guard let analyser = analyser(for: layout) else { return nil }
        let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
        return unsafe analyser.colors(
            of: y.span.bytes, cb.span.bytes, cr.span.bytes, withStatistics: withStatistics)
    }

    private mutating func analyser(for layout: PictureLayout) -> Analyser? {
        if let known = analysers.first(where: { $0.layout == layout }) { return known }
        guard
            let analyser = Analyser(layout: layout, region: region, average: average)
        else { return nil }
        // Two layouts are enough. Images whose layout keeps changing must not fill the memory.
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
