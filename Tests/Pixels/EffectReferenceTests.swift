import Foundation
import TestSupport
import Testing

@testable import Pixels

/// Tests that compare every pixel of every effect with NumPy, which `make` installs in .venv/.
@Suite("Effects compared with NumPy", .enabled(if: Python.mayRun, "there is no .venv with NumPy; make unit creates it"))
struct EffectReferenceTests {
    /// The tolerated differences of a channel, in code values.
    ///
    /// Luma near the middle between two values may be rounded either way, because the coefficients have a precision of
    /// 14 bits. Edges count the difference eight times, and the ramp's colours are rounded, too. No pixel has luma near
    /// the threshold between black and white.
    private static let tolerances = ["grayscale": 1.0, "edges": 8, "false-color": 2]

    /// Returns a pixel: extremes are more frequent than by chance, for the zebra, and no luma is near the threshold of
    /// black and white.
    private static func pixel(using random: inout SeededGenerator) -> [UInt8] {
        while true {
            var pixel: [UInt8] = []
            for _ in 0..<4 {
                let choices: [UInt8] = [0, 5, 128, 250, 255, random.byte, random.byte]
                pixel.append(choices.randomElement(using: &random) ?? 0)
            }
            let (r, g, b) = (Double(pixel[0]), Double(pixel[1]), Double(pixel[2]))
            if abs(0.2126 * r + 0.7152 * g + 0.0722 * b - 127.5) > 0.1 { return pixel }
        }
    }

    @Test(
        "every pixel of an effect equals NumPy's, within the effect's tolerance", arguments: Effects.all.map(\.name),
        [(64, 48), (37, 21), (1, 1), (641, 3)])
    func reference(name: String, size: (Int, Int)) throws {
        var random = SeededGenerator(seed: 3)
        let effect = try #require(Effects.named(name))
        var pixels: [UInt8] = []
        for _ in 0..<size.0 * size.1 { pixels += Self.pixel(using: &random) }
        var bitmap = try #require(Bitmap(width: size.0, height: size.1, bytes: pixels))
        effect.apply(to: &bitmap)
        let difference = try NumPy.difference(name, size, before: pixels, after: bitmap.bytes)
        #expect(difference <= Self.tolerances[name] ?? 0)
    }
}

extension SeededGenerator {
    fileprivate var byte: UInt8 {
        mutating get { UInt8.random(in: 0...255, using: &self) }
    }
}

private enum NumPy {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    static func difference(_ effect: String, _ size: (Int, Int), before: [UInt8], after: [UInt8]) throws -> Double {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = Python.executable
        process.arguments = [
            folder.appending(path: "effects_reference.py").path, effect, "\(size.0)", "\(size.1)",
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(before + after))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
