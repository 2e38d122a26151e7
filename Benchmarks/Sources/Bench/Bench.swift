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

/// The last analyser: a program makes one for each camera, not for each frame.
private nonisolated(unsafe) var last: (fourCC: String, analyser: Analyser)?

private func analyser(_ fourCC: String, width: Int, height: Int, bytesPerLine: Int) -> Analyser? {
    if let last, last.fourCC == fourCC, last.analyser.layout.width == width { return last.analyser }
    let encoding = ColorEncoding(matrix: .bt601, range: fourCC.first == "R" || fourCC.first == "X" ? .full : .limited)
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
