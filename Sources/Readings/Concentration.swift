package import Documents
import Glibc
import Metrology
import Untrusted

/// The concentration of a solution by a standard curve.
package struct Concentration: Equatable, Sendable {
    /// What limits how far a concentration can be trusted.
    package struct Flags: OptionSet, Sendable {
        package static let belowDetection = Flags(rawValue: 1)
        package static let extrapolated = Flags(rawValue: 2)
        static let all: [Flags] = [belowDetection, extrapolated]

        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The names that tables have.
        private static let names = [(belowDetection, "below-detection"), (extrapolated, "extrapolated")]

        /// Reads names with spaces between them. Others are left out.
        package init(names text: String) {
            let words = text.split(separator: " ")
            self.init(Self.names.filter { words.contains(Substring($0.1)) }.map(\.0))
        }

        package var names: String { Self.names.filter { contains($0.0) }.map(\.1).joined(separator: " ") }
    }

    /// The longest unit that is read, in scalars.
    static let maxUnit = 60
    /// The greatest magnitude of a value that is read from a table.
    static let maxValue = 1e15

    package var value: Double
    /// The interval that holds the true one with a confidence of 95 %; nil if the standards do not tell enough.
    package var interval: ClosedRange<Double>?
    package var flags: Flags
    /// The unit of the standards; empty if it was not set.
    package var unit: String

    package init(value: Double, interval: ClosedRange<Double>?, flags: Flags = [], unit: String) {
        (self.value, self.interval, self.flags, self.unit) = (value, interval, flags, unit)
    }

    /// - Parameter unit: The unit of the curve's standards.
    /// - Returns: Nil if no number can tell it.
    init?(_ concentration: StandardCurve.Concentration, unit: String) {
        guard concentration.value.isFinite else { return nil }
        let interval = concentration.interval.flatMap {
            [$0.lowerBound, $0.upperBound].allSatisfy(\.isFinite) ? $0 : nil
        }
        var flags = Flags()
        if concentration.isBelowDetection { flags.insert(.belowDetection) }
        if concentration.isExtrapolated { flags.insert(.extrapolated) }
        self.init(value: concentration.value, interval: interval, flags: flags, unit: unit)
    }
}

extension Concentration: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("belowDetection", .boolean, "Whether the value is below the limit of detection.") {
            $0.flags.contains(.belowDetection)
        },
        .value("extrapolated", .boolean, "Whether the value is beyond the standards.") {
            $0.flags.contains(.extrapolated)
        },
        .significant("high", .number.orNull, "Its upper end; null together with `low`.") { $0.interval?.upperBound },
        .significant(
            "low", .number.orNull,
            "The lower end of the interval that holds the true concentration with a confidence of 95 % (Fieller). "
                + "Beyond the standards, it also allows for the bend that they do not exclude; null if they do not "
                + "tell enough, or bend by more than 1.5 % of the rise."
        ) { $0.interval?.lowerBound },
        .value("unit", .string(0...20), "Empty if none was set.") { $0.unit },
        .significant("value", .number) { $0.value },
    ]
}

extension JSONField {
    /// A number to six significant digits.
    static func significant(
        _ key: String, _ schema: JSONSchema, _ meaning: String = "", _ value: @escaping @Sendable (Object) -> Double?
    ) -> Self {
        .number(key, schema, decimals: 15, meaning) { value($0)?.significant }
    }
}

extension Concentration: Decodable {
    private enum CodingKeys: CodingKey { case belowDetection, extrapolated, high, low, unit, value }

    /// Reads a stored concentration, whose unit is sanitized.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var flags = Flags()
        if try container.decode(Bool.self, forKey: .belowDetection) { flags.insert(.belowDetection) }
        if try container.decode(Bool.self, forKey: .extrapolated) { flags.insert(.extrapolated) }
        let low = try container.decodeIfPresent(Double.self, forKey: .low)
        let high = try container.decodeIfPresent(Double.self, forKey: .high)
        var interval: ClosedRange<Double>?
        if let low, let high, low <= high { interval = low...high }
        self.init(
            value: try container.decode(Double.self, forKey: .value), interval: interval, flags: flags,
            unit: try container.decode(String.self, forKey: .unit).sanitized(limit: Self.maxUnit))
    }
}

/// In tables, a concentration has five columns, and that of a probe two.
extension Concentration {
    static func columns<Row>(
        _ meaning: String, of concentration: @escaping @Sendable (Row) -> Concentration?
    ) -> CSVColumns<Row> {
        CSVColumns(
            "concentration", "concentration_low", "concentration_high", "concentration_unit", "concentration_flags",
            meaning
        ) { row in
            let found = concentration(row)
            let interval = found?.interval
            return [found?.value, interval?.lowerBound, interval?.upperBound].map { .significant($0) }
                + [.text(found?.unit), .word(found?.flags.names)]
        }
    }

    /// Reads the cells of those columns; nil if there is no value.
    init?(_ cells: CSVValues) {
        let range = -Self.maxValue...Self.maxValue
        guard let value = cells.number(0, in: range) else { return nil }
        var interval: ClosedRange<Double>?
        if let low = cells.number(1, in: range), let high = cells.number(2, in: range), low <= high {
            interval = low...high
        }
        self.init(
            value: value, interval: interval, flags: .init(names: cells[4]),
            unit: cells[3].sanitized(limit: Self.maxUnit))
    }

    static func probeCells(_ concentration: Concentration?) -> [CSVCell] {
        [.significant(concentration?.value), .word(concentration?.flags.names)]
    }
}

extension CSVCell {
    /// A number with at least six significant digits.
    fileprivate static func significant(_ number: Double?) -> CSVCell {
        guard let number, number.isFinite else { return .number(nil, decimals: 0) }
        let order = number == 0 ? 0 : floor(log10(number.magnitude))
        return .number(number, decimals: Int(min(max(5 - order, 0), 15)))
    }
}

extension Double {
    /// The number rounded to six significant digits.
    var significant: Double {
        guard self != 0, isFinite else { return self }
        let power = pow(10, 5 - floor(log10(magnitude)))
        // Of the smallest numbers, the power is not finite.
        return power.isFinite ? (self * power).rounded() / power : self
    }
}

/// The concentrations of some readings, of which those in the last unit count.
struct ConcentrationSums: Equatable, Sendable {
    private var value: Double
    private var low: Double
    private var high: Double
    private var hasInterval: Bool
    private var count: Double
    private var flags: Concentration.Flags
    private var unit: String

    /// - Parameter count: The number of readings whose mean it is.
    init(_ concentration: Concentration, of count: Int) {
        self.count = Double(count)
        value = concentration.value * self.count
        (low, high) = (
            (concentration.interval?.lowerBound ?? 0) * self.count,
            (concentration.interval?.upperBound ?? 0) * self.count
        )
        hasInterval = concentration.interval != nil
        (flags, unit) = (concentration.flags, concentration.unit)
    }

    mutating func add(_ other: Self) {
        guard other.unit == unit else { return self = other }
        value += other.value
        low += other.low
        high += other.high
        count += other.count
        hasInterval = hasInterval && other.hasInterval
        flags.formUnion(other.flags)
    }

    /// The mean, with the mean of the intervals if all have one, and the flags of any.
    var mean: Concentration {
        Concentration(
            value: value / count, interval: hasInterval ? min(low, high) / count...max(low, high) / count : nil,
            flags: flags, unit: unit)
    }

    /// Returns the sums of two sets of readings, of which each may lack a concentration.
    static func sum(_ first: Self?, _ second: Self?) -> Self? {
        guard var sum = first else { return second }
        if let second { sum.add(second) }
        return sum
    }
}
