/// How luma changes from column to column and from row to row in some tiles of a picture.
///
/// A profile is the mean luma of each column, or of each row. Only the differences of neighbours are kept, because a
/// brighter lamp multiplies them and changes nothing else. Two profiles of the same place are shifted against each
/// other until their correlation is greatest.
public struct TileProfiles: Equatable, Sendable {
    struct Tile: Equatable, Sendable {
        var columns: Profile
        var rows: Profile
    }

    let tiles: [Tile]
    /// The profiles of the whole picture.
    let whole: Tile

    /// Whether a profile has texture, which a shift needs to be found.
    public var hasTexture: Bool { (tiles + [whole]).contains { $0.columns.hasTexture || $0.rows.hasTexture } }

    /// Returns how far the picture has moved since these profiles were read.
    ///
    /// Half of the tiles with texture have to agree, so a person who walks through does not count as a shift.
    /// - Parameter present: The profiles of the present picture, from the same reader.
    /// - Returns: Nil if this cannot be determined: there is no texture, something covers the picture, or it has moved
    ///   by more than a quarter.
    public func shift(to present: TileProfiles) -> PictureShift? {
        let pairs = Array(zip(tiles, present.tiles))
        let x = Self.consensus(pairs.map { ($0.columns, $1.columns) })
        let y = Self.consensus(pairs.map { ($0.rows, $1.rows) })
        switch (x, y) {
        case (.found(let x), .found(let y)): return PictureShift(x: x, y: y)
        // Stripes show only how far they have moved across.
        case (.found(let x), .noTexture): return PictureShift(x: x, y: 0)
        case (.noTexture, .found(let y)): return PictureShift(x: 0, y: y)
        default:
            let x = Self.consensus([(whole.columns, present.whole.columns)])
            let y = Self.consensus([(whole.rows, present.whole.rows)])
            guard case .found(let x) = x, case .found(let y) = y else { return nil }
            return PictureShift(x: x, y: y)
        }
    }

    private enum Consensus {
        case found(Double)
        case noTexture
        /// Too many tiles are covered, or have moved differently.
        case none
    }

    /// The greatest distance from the median of the tiles at which a tile agrees with it, in pixels.
    private static let tolerance = 1.0

    private static func consensus(_ pairs: [(reference: Profile, present: Profile)]) -> Consensus {
        let judged = pairs.filter(\.reference.hasTexture)
        guard !judged.isEmpty else { return .noTexture }
        let shifts = judged.compactMap { $0.reference.shift(to: $0.present) }.sorted()
        guard !shifts.isEmpty else { return .none }
        let median = shifts[shifts.count / 2]
        let agreeing = shifts.filter { abs($0 - median) <= tolerance }
        guard 2 * agreeing.count >= judged.count else { return .none }
        return .found(agreeing.reduce(0, +) / Double(agreeing.count))
    }
}

/// The distance by which a picture has moved, in pixels.
public struct PictureShift: Equatable, Sendable {
    /// The pixels to the right in the picture as it is stored; negative to the left.
    public var x: Double
    /// The pixels downwards; negative upwards.
    public var y: Double

    /// The length of the shift, in pixels.
    public var distance: Double { (x * x + y * y).squareRoot() }
}

/// The differences between neighbours in a profile, in code values.
struct Profile: Equatable, Sendable {
    /// The sum of the squared differences from which a profile has texture: that of an edge of 14 code values. Noise
    /// with a standard deviation of 8 code values has less.
    private static let minEnergy: Float = 200
    /// The correlation from which two profiles count as showing the same thing.
    private static let minCorrelation: Float = 0.7
    /// A shift is found up to this share of the profile's length.
    private static let range = 0.25

    private let slopes: [Float]
    private let energy: Float
    /// The distance between two values, in pixels.
    private let step: Int

    /// - Parameters:
    ///   - values: The mean luma of each column or row, in code values.
    ///   - step: The distance between two of them, in pixels.
    init(_ values: [Float], step: Int) {
        slopes = zip(values.dropFirst(), values).map { $0 - $1 }
        energy = slopes.reduce(0) { $0 + $1 * $1 }
        self.step = step
    }

    var hasTexture: Bool { energy >= Self.minEnergy }

    /// Returns the number of pixels by which a present profile has moved against this one; nil if it does not show the
    /// same.
    func shift(to present: Profile) -> Double? {
        let range = Int(Self.range * Double(slopes.count))
        let correlations = (-range...range).map { correlation(with: present, at: $0) }
        guard let greatest = correlations.max(), greatest >= Self.minCorrelation else { return nil }
        // In a regular pattern, several shifts fit equally well within the noise, which shows as a lack of correlation.
        // The smallest of them counts.
        let enough = greatest - (1 - greatest) / 2 - 0.005
        if correlations[range] >= enough { return 0 }
        func isPeak(_ index: Int) -> Bool {
            correlations[index] >= enough && correlations[max(index - 1, 0)] <= correlations[index]
                && correlations[min(index + 1, correlations.count - 1)] <= correlations[index]
        }
        let peaks = correlations.indices.filter(isPeak)
        guard let best = peaks.min(by: { abs($0 - range) < abs($1 - range) }) else { return nil }
        var offset = 0.0
        if best > 0, best + 1 < correlations.count {
            // The top of the parabola through three points.
            let (left, right) = (Double(correlations[best - 1]), Double(correlations[best + 1]))
            let bend = 2 * Double(correlations[best]) - left - right
            if bend > 0 { offset = (right - left) / (2 * bend) }
        }
        return (Double(best - range) + offset) * Double(step)
    }

    /// The correlation of the parts that overlap, -1...1. The energy of a part counts as at least half of the whole's,
    /// so that noise beside the only edge is not taken for a match.
    private func correlation(with present: Profile, at shift: Int) -> Float {
        let count = min(slopes.count, present.slopes.count)
        let (first, last) = (max(0, -shift), min(count, count - shift))
        guard first < last else { return 0 }
        var (product, own, other): (Float, Float, Float) = (0, 0, 0)
        for index in first..<last {
            let (a, b) = (slopes[index], present.slopes[index + shift])
            product += a * b
            own += a * a
            other += b * b
        }
        let square = max(own, energy / 2) * max(other, present.energy / 2)
        return square > 0 ? product / square.squareRoot() : 0
    }
}

extension TileProfiles.Tile {
    /// - Parameter pixels: The distance from one column to the next and from one row to the next, in pixels.
    init(_ sums: LumaSums, pixels: (x: Int, y: Int)) {
        func profile(_ values: [UInt32], of count: Int, _ step: Int) -> Profile {
            Profile(values.map { Float($0) / Float(16 * max(count, 1)) }, step: step)
        }
        columns = profile(sums.columns, of: sums.rows.count, pixels.x)
        rows = profile(sums.rows, of: sums.columns.count, pixels.y)
    }
}
