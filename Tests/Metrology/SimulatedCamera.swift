import Color

@testable import Metrology

/// A camera with known faults.
struct SimulatedCamera {
    /// What each channel sees of red, green and blue light, row by row.
    var crosstalk: [[Double]]
    /// The factor of each channel.
    var gains: LinearRGB
    /// The light that a channel has in the dark.
    var black = 0.0
    /// The standard deviation of a pixel of full light. That of less light is smaller, as it is by photon noise.
    var noise = 0.003
    /// The share of the light that is lost in a corner of the picture.
    var vignetting = 0.0
    /// The share of √RG, √GB and √RB in each channel, which no matrix can undo.
    var curvature = 0.0
    var random = SplitMix(state: 1)

    /// Returns the light of a pixel of some colour at a point of the picture, before the noise.
    func light(of color: LinearRGB, x: Double, y: Double) -> LinearRGB {
        let mixed = crosstalk.map { row in zip(row, color.values).reduce(0) { $0 + $1.0 * max(0, $1.1) } }
        let roots = [mixed[0] * mixed[1], mixed[1] * mixed[2], mixed[0] * mixed[2]].map { max(0, $0).squareRoot() }
        let distance = (2 * x - 1) * (2 * x - 1) + (2 * y - 1) * (2 * y - 1)
        let shade = 1 - vignetting * distance / 2
        let response = LinearRGB(
            r: mixed[0] - curvature * roots[1], g: mixed[1] + curvature * roots[2], b: mixed[2] + curvature * roots[0])
        return response.combined(with: gains) { $0 * $1 * shade + black }
    }

    /// Returns a measurement of a patch, as Swatchcam makes it from the camera's bytes.
    mutating func measure(
        _ color: LinearRGB, in area: PictureArea = PictureArea(x: 0.45, y: 0.45, width: 0.1, height: 0.1),
        side: Int = 6
    ) -> PatchMeasurement {
        let readings = 16
        var sum = LinearRGB.zero
        var (low, high) = (ChannelFigures.zero, ChannelFigures.zero)
        for pixel in 0..<side * side {
            let light = light(
                of: color, x: area.x + area.width * (Double(pixel % side) + 0.5) / Double(side),
                y: area.y + area.height * (Double(pixel / side) + 0.5) / Double(side))
            for _ in 0..<readings {
                let codes = light.map { value in
                    (255
                        * SRGB.encoded(
                            min(max(value + noise * (max(value, 0) + 0.05).squareRoot() * random.normal(), 0), 1)))
                        .rounded()
                }
                sum = sum + codes.map { Self.decoded[Int($0)] }
                low = low + ChannelFigures(codes.map { $0 <= 0 ? 1 : 0 })
                high = high + ChannelFigures(codes.map { $0 >= 255 ? 1 : 0 })
            }
        }
        let count = Double(side * side * readings)
        return PatchMeasurement(
            linear: sum / count, clippedLow: low / count, clippedHigh: high / count, readings: readings, area: area)
    }

    mutating func measure(_ lab: CIELab, in area: PictureArea? = nil) -> PatchMeasurement {
        area.map { measure(LinearRGB(lab), in: $0) } ?? measure(LinearRGB(lab))
    }

    private static let decoded = (0...255).map { SRGB.linear(Double($0) / 255) }
}

extension SimulatedCamera {
    /// Cameras whose faults a matrix can undo.
    static let linear = [
        // A warm white balance, and filters that overlap.
        SimulatedCamera(
            crosstalk: [[0.80, 0.15, 0.05], [0.12, 0.78, 0.10], [0.03, 0.20, 0.77]],
            gains: LinearRGB(r: 0.9, g: 0.75, b: 0.5)),
        // Colours exaggerated as by a camera's own processing, a black that is lifted, and a dim picture.
        SimulatedCamera(
            crosstalk: [[0.85, -0.12, 0.02], [-0.15, 0.9, -0.06], [0.02, -0.2, 0.9]],
            gains: LinearRGB(r: 0.35, g: 0.4, b: 0.55), black: 0.006),
        // A camera that hardly tells red from green, with much noise.
        SimulatedCamera(
            crosstalk: [[0.55, 0.40, 0.02], [0.30, 0.62, 0.06], [0.05, 0.25, 0.65]],
            gains: LinearRGB(r: 0.95, g: 0.8, b: 0.9), black: 0.002, noise: 0.01),
    ]

    /// Returns the parts of the picture that patches of a chart occupy: the middle half of each of 6x4 cells.
    static func cells(count: Int) -> [PictureArea] {
        (0..<count).map { index in
            let (column, row) = (Double(index % 6), Double(index / 6))
            return PictureArea(x: 0.05 + 0.15 * (column + 0.25), y: 0.1 + 0.2 * (row + 0.25), width: 0.075, height: 0.1)
        }
    }
}

/// Twenty colours that are not on the chart.
enum TestColors {
    static let colors: [CIELab] = {
        var random = SplitMix(state: 20)
        var colors: [CIELab] = []
        while colors.count < 20 {
            let lab = CIELab(
                lightness: 30 + 55 * random.uniform(), a: 120 * random.uniform() - 60, b: 120 * random.uniform() - 60)
            // sRGB holds them, and the nearest patch is ΔE00 4 away at least.
            let isHeld = LinearRGB(lab).values.allSatisfy { 0.02...0.95 ~= $0 }
            let isNew = Chart.colorChecker.patches.allSatisfy { CIEDE2000($0.lab, lab).total > 4 }
            if isHeld, isNew { colors.append(lab) }
        }
        return colors
    }()
}

/// Reproducible random numbers (S. Vigna's SplitMix64).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number of 0..<1.
    mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// Returns a number of an approximately normal distribution: the sum of four uniform ones.
    mutating func normal() -> Double { 3.0.squareRoot() * (uniform() + uniform() + uniform() + uniform() - 2) }
}
