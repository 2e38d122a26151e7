import JPEG
import Pixels

/// The mean of a picture as the program reads it, for benchmark.py.
/// - Returns: The mean of red, as proof that the work was done; -1 if there is no such format.
@_cdecl("bench_mean")
public func mean(
    _ fourCC: UnsafePointer<CChar>, _ bytes: UnsafeRawPointer, _ count: Int, _ width: Int, _ height: Int,
    _ bytesPerLine: Int
) -> Double {
    guard let analyser = analyser(String(cString: fourCC), width: width, height: height, bytesPerLine: bytesPerLine)
    else { return -1 }
    return analyser.mean(of: UnsafeRawBufferPointer(start: bytes, count: count).bytes)?.r ?? -1
}

/// The mean and the statistics of a picture, as the program reads them.
/// - Returns: The sum of red's mean and of its standard deviation, as proof that the work was done; -1 if there is no
///   such format.
@_cdecl("bench_statistics")
public func statistics(
    _ fourCC: UnsafePointer<CChar>, _ bytes: UnsafeRawPointer, _ count: Int, _ width: Int, _ height: Int,
    _ bytesPerLine: Int
) -> Double {
    guard let analyser = analyser(String(cString: fourCC), width: width, height: height, bytesPerLine: bytesPerLine)
    else { return -1 }
    let span = UnsafeRawBufferPointer(start: bytes, count: count).bytes
    guard let colors = analyser.colors(of: span, withStatistics: true) else { return -1 }
    return colors.sums.mean.r + (colors.statistics?.standardDeviation?.r ?? 0)
}

/// Probes in the middle of each cell of a grid over a whole picture, as the program reads them.
/// - Parameters:
///   - rows: The number of rows; 0 for a single region of the same area as `columns` probes.
///   - share: The part of a cell's width and height that a probe covers.
/// - Returns: The sum of the means of red, as proof that the work was done; -1 if there is no such format.
@_cdecl("bench_probes")
public func probes(
    _ fourCC: UnsafePointer<CChar>, _ bytes: UnsafeRawPointer, _ count: Int, _ width: Int, _ height: Int,
    _ bytesPerLine: Int, _ rows: Int, _ columns: Int, _ share: Double
) -> Double {
    guard let analyser = analyser(String(cString: fourCC), width: width, height: height, bytesPerLine: bytesPerLine)
    else { return -1 }
    let key = [width, height, rows, columns, Int(1000 * share)]
    if lastProbes.key != key {
        let cells = max(1, rows) * columns
        let (cellWidth, cellHeight) = (1 / Double(columns), 1 / Double(max(1, rows)))
        let regions =
            rows == 0
            ? [Region(x: (1 - share) / 2, y: (1 - share) / 2, width: share, height: share)]
            : (0..<cells).map { cell in
                Region(
                    x: (Double(cell % columns) + (1 - share) / 2) * cellWidth,
                    y: (Double(cell / columns) + (1 - share) / 2) * cellHeight, width: share * cellWidth,
                    height: share * cellHeight)
            }
        lastProbes = (key, regions.compactMap { analyser.reading(Area($0), oneOf: regions.count) })
    }
    let span = UnsafeRawBufferPointer(start: bytes, count: count).bytes
    return lastProbes.analysers.reduce(0) { $0 + ($1.colors(of: span, withStatistics: true)?.sums.mean.r ?? -1) }
}

private nonisolated(unsafe) var lastProbes: (key: [Int], analysers: [Analyser]) = ([], [])

/// The last analyser: a program makes one for each camera, not for each frame.
private nonisolated(unsafe) var last: (fourCC: String, analyser: Analyser)?

private func analyser(_ fourCC: String, width: Int, height: Int, bytesPerLine: Int) -> Analyser? {
    if let last, last.fourCC == fourCC, last.analyser.layout.width == width { return last.analyser }
    let isRaw = fourCC.first == "p"
    let encoding = ColorEncoding(
        matrix: .bt601, range: isRaw || fourCC.first == "R" || fourCC.first == "X" ? .full : .limited,
        linearLight: isRaw ? .init(black: 1 / 16) : nil)
    guard let format = PixelFormat.named(fourCC) else { return nil }
    let layout = PictureLayout(
        format: format, encoding: encoding, width: width, height: height, bytesPerLine: [bytesPerLine])
    guard let analyser = Analyser(layout: layout, region: .full) else { return nil }
    last = (fourCC, analyser)
    return analyser
}

/// The mean of a JPEG image.
@_cdecl("bench_jpeg")
public func jpegMean(_ bytes: UnsafeRawPointer, _ count: Int, _ width: Int, _ height: Int) -> Double {
    let span = UnsafeRawBufferPointer(start: bytes, count: count).bytes
    do {
        try JPEGDecoder.decode(span, width: width, height: height, into: &image)
    } catch {
        return -1
    }
    let layout = PictureLayout(
        format: .decoded(xShift: image.xShift, yShift: image.yShift),
        encoding: ColorEncoding(matrix: .bt601, range: .full), width: image.width, height: image.height,
        bytesPerLine: image.planes.map(\.bytesPerLine))
    guard let analyser = Analyser(layout: layout, region: .full) else { return -1 }
    let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
    return analyser.mean(of: y.span.bytes, cb.span.bytes, cr.span.bytes)?.r ?? -1
}

/// Kept from frame to frame, as the program keeps it.
private nonisolated(unsafe) var image = PlanarImage()

/// Encodes a frame for viewers, from raw bytes to a JPEG image.
/// - Returns: The size of the image in bytes; -1 if it cannot be encoded.
@_cdecl("bench_encode")
public func encode(
    _ fourCC: UnsafePointer<CChar>, _ bytes: UnsafeRawPointer, _ count: Int, _ width: Int, _ height: Int,
    _ bytesPerLine: Int
) -> Int {
    guard
        let layout = analyser(String(cString: fourCC), width: width, height: height, bytesPerLine: bytesPerLine)?.layout
    else { return -1 }
    let span = UnsafeRawBufferPointer(start: bytes, count: count).bytes
    do {
        let encoder = try JPEGEncoder()
        if let converter = JFIFConverter(layout: layout) {
            guard converter.convert(span, RawSpan(), RawSpan(), into: &planes) else { return -1 }
            let (y, cb, cr) = (planes.planes[0], planes.planes[1], planes.planes[2])
            return try encoder.encode(
                (y.bytes.span.bytes, cb.bytes.span.bytes, cr.bytes.span.bytes),
                bytesPerLine: [y.bytesPerLine, cb.bytesPerLine, cr.bytesPerLine], width: width, height: height,
                chromaShifts: (planes.xShift, planes.yShift), quality: 80
            ).count
        }
        return try encoder.encode(
            span, order: .rgb, bytesPerLine: bytesPerLine, width: width, height: height, quality: 80
        ).count
    } catch {
        return -1
    }
}

private nonisolated(unsafe) var planes = JFIFPlanes()
