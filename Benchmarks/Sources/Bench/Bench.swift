import Pixels

/// The mean of a picture as the program reads it, for benchmark.py.
/// - Returns: Red, as a proof that the work was done; -1 if there is no such format.
@_cdecl("bench_mean")
public func mean(
    _ fourCC: UnsafePointer<CChar>, _ bytes: UnsafeRawPointer, _ count: Int, _ width: Int, _ height: Int,
    _ bytesPerLine: Int
) -> Double {
    guard let analyser = analyser(String(cString: fourCC), width: width, height: height, bytesPerLine: bytesPerLine)
    else { return -1 }
    return analyser.mean(of: UnsafeRawBufferPointer(start: bytes, count: count).bytes)?.r ?? -1
}

/// The last one made: a program makes one a camera, not one a frame.
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
