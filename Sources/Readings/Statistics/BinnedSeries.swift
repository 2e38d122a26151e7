import Color
import Glibc

/// The mean colours of successive intervals of time, kept in bounded number whatever the rate of readings.
struct BinnedSeries: Sendable {
    /// The way in which the number of intervals is bounded.
    enum Limit: Sendable {
        /// Intervals that are older than this are dropped, and so is the oldest if there are too many.
        case span(seconds: Double)
        /// If there are too many, intervals are joined in pairs, so that they still cover the whole time.
        case joining
    }

    private struct Bin: Sendable {
        var number: Int
        var count: Double
        var time: Double
        /// The colour in CIELAB.
        var color: SIMD3<Double>

        mutating func add(_ other: Bin) {
            count += other.count
            let share = other.count / count
            time += share * (other.time - time)
            color += share * (other.color - color)
        }
    }

    private static let capacity = 64

    private let limit: Limit
    private var width = 1.0
    private var bins: [Bin] = []
    /// The change of the colour; nil until eight intervals have passed. Until the next interval has passed, it stays the
    /// same, and is not computed for each colour.
    private(set) var drift: Reading.Drift?

    init(_ limit: Limit) {
        self.limit = limit
    }

    /// Adds a colour.
    /// - Parameter time: The time in seconds, not earlier than that of the previous colour.
    mutating func add(_ color: CIELab, at time: Double) {
        let bin = Bin(number: Int((time / width).rounded(.down)), count: 1, time: time, color: color.vector)
        let (count, newest) = (bins.count, bins.last?.number)
        defer { if bins.count != count || bins.last?.number != newest { drift = estimatedDrift } }
        Self.append(bin, to: &bins)
        if case .span(let seconds) = limit { bins.removeAll { $0.time < time - seconds } }
        guard bins.count > Self.capacity else { return }
        guard case .joining = limit else {
            bins.removeFirst()
            return
        }
        width *= 2
        var joined: [Bin] = []
        for var bin in bins {
            bin.number = Int((bin.time / width).rounded(.down))
            Self.append(bin, to: &joined)
        }
        bins = joined
    }

    var count: Int { bins.count }

    private var estimatedDrift: Reading.Drift? {
        // The newest interval may still receive readings.
        let passed = bins.dropLast()
        guard passed.count >= SeriesEstimate.minCount,
            let polynomials = SeriesEstimate.polynomials(at: passed.map(\.time))
        else { return nil }
        let series = passed.map { CIELab($0.color) }.coordinates.series
        return Reading.Drift(slopes: series.compactMap { SeriesEstimate($0, polynomials: polynomials)?.slope })
    }

    private static func append(_ bin: Bin, to bins: inout [Bin]) {
        if bins.last?.number == bin.number { bins[bins.count - 1].add(bin) } else { bins.append(bin) }
    }
}

extension Reading.Drift {
    /// Combines the slopes of the coordinates, per second.
    ///
    /// The length of a vector of slopes is never 0, however steady the colour is, because noise adds to it. On average,
    /// noise adds the sum of the squared standard errors to the square of the length; that sum is subtracted.
    fileprivate init(slopes: [SeriesEstimate.Figure]) {
        let square = slopes.reduce(0) { $0 + $1.value * $1.value }
        let noise = slopes.reduce(0) { $0 + $1.standardError * $1.standardError }
        deltaEPerMinute = 60 * max(0, square - noise).squareRoot()
        // The error along the direction of the change (JCGM 100:2008, 5.1.2).
        let along = slopes.reduce(0) { sum, slope in
            let term = slope.value * slope.standardError
            return sum + term * term
        }
        standardError = square > 0 ? 60 * (along / square).squareRoot() : 0
    }
}

extension Collection where Element == CIELab {
    /// The mean; black if there are no colours.
    var mean: CIELab {
        CIELab(reduce(SIMD3<Double>.zero) { $0 + $1.vector } / Double(Swift.max(1, count)))
    }

    /// The colours in coordinates around their mean, in which a distance is ΔE00.
    var coordinates: [SIMD3<Double>] {
        let space = DifferenceSpace(around: mean)
        return map(space.coordinates)
    }
}

extension [SIMD3<Double>] {
    /// The series of each coordinate.
    // By closures, because key paths of a generic type would be looked up for each point.
    var series: [[Double]] { [map { $0.x }, map { $0.y }, map { $0.z }] }
}
