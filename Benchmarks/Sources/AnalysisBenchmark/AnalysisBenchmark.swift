import Glibc
import Pixels

/// What a reading costs: the mean of a whole picture, beside the machine's own limit for the same bytes in the same
/// run (a filling memory with as many), and as a share of one core at four readings a second.
@main
struct AnalysisBenchmark {
    static func main() {
        print("format     size        picture us  noise us  fill us   ratio   core at 4/s")
        for (width, height) in [(640, 480), (1280, 720), (1920, 1080)] {
            for format in PixelFormat.all { run(format, width: width, height: height) }
        }
    }

    private static func run(_ format: PixelFormat, width: Int, height: Int) {
        let bytesPerPixel = ["RGB3": 3, "BGR3": 3, "XR24": 4, "BGR4": 4, "YUYV": 2, "UYVY": 2][format.fourCC] ?? 1
        let stride = width * bytesPerPixel
        let size = stride * height * 3 / 2
        let picture = random(in: 100...155, count: size)
        let noise = random(in: 0...255, count: size)
        let layout = PictureLayout(
            format: format, encoding: ColorEncoding(matrix: .bt601, range: .limited), width: width, height: height,
            bytesPerLine: [stride])
        guard let analyser = Analyser(layout: layout, region: .full) else { return }
        let mean = best { analyser.mean(of: picture.span.bytes)?.r ?? 0 }
        let worst = best { analyser.mean(of: noise.span.bytes)?.r ?? 0 }
        var target = [UInt8](repeating: 0, count: stride * height)
        let limit = best {
            target.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 1) }
            return 0
        }
        print(
            pad(format.fourCC, 10), pad("\(width)x\(height)", 11), pad("\(Int(mean * 1e6))", 11),
            pad("\(Int(worst * 1e6))", 9), pad("\(Int(limit * 1e6))", 9),
            pad("\((mean / limit * 10).rounded() / 10)", 7), "\((mean * 4 * 10_000).rounded() / 100) %")
    }

    private static func random(in range: ClosedRange<UInt32>, count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(range.lowerBound + (state >> 16) % UInt32(range.count))
        }
    }

    /// The shortest of many runs, in seconds.
    private static func best(_ body: () -> Double) -> Double {
        var best = Double.infinity
        var sink = 0.0
        for _ in 0..<30 {
            let duration = ContinuousClock().measure { sink += body() }
            best = min(best, Double(duration.components.attoseconds) * 1e-18 + Double(duration.components.seconds))
        }
        return sink < 0 ? .nan : best
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
