package import Color
import Documents
import Pixels
package import Untrusted

/// The colours of probes, summed over some readings.
package struct ProbeSums: Equatable, Sendable {
    /// The sums of one probe.
    private struct Sum: Equatable {
        let name: Name
        var mean: RGB
        var linear: LinearRGB?
        var count: Double
        var concentration: ConcentrationSums?
    }

    /// The colour of a probe.
    package struct Color: Equatable, Sendable {
        package var name: Name
        /// The mean R'G'B', 0...255.
        package var mean: RGB
        /// The mean light, 0...1; nil if it is not known.
        package var linear: LinearRGB?
        /// The concentration; nil if it is not defined.
        package var concentration: Concentration?
    }

    private var sums: [Sum] = []

    package init() {}

    /// - Parameter count: The number of readings that the colours are the means of.
    init(_ colors: [Color], of count: Int = 1) {
        let weight = Double(count)
        sums = colors.map {
            Sum(
                name: $0.name, mean: $0.mean * weight, linear: $0.linear.map { $0 * weight }, count: weight,
                concentration: $0.concentration.map { .init($0, of: count) })
        }
    }

    package var isEmpty: Bool { sums.isEmpty }

    package var names: [Name] { sums.map(\.name) }

    /// The means, in the order of the probes.
    package var colors: [Color] {
        sums.map { sum in
            Color(
                name: sum.name, mean: sum.mean / sum.count, linear: sum.linear.map { $0 / sum.count },
                concentration: sum.concentration?.mean)
        }
    }

    package mutating func add(_ other: Self) {
        for (index, sum) in other.sums.enumerated() {
            // Probes seldom change, so most have the same place in both.
            let isSame = sums.indices ~= index && sums[index].name == sum.name
            guard let place = isSame ? index : sums.firstIndex(where: { $0.name == sum.name }) else {
                // A client may rename probes again and again.
                if sums.count < Probe.maxCount { sums.append(sum) }
                continue
            }
            sums[place].mean = sums[place].mean + sum.mean
            sums[place].count += sum.count
            sums[place].concentration = .sum(sums[place].concentration, sum.concentration)
            if let linear = sums[place].linear, let other = sum.linear {
                sums[place].linear = linear + other
            } else {
                sums[place].linear = nil
            }
        }
    }
}

extension Name {
    /// The name of the region among the probes, none of which has an empty one.
    static let region = Name("")
}

extension Reading {
    /// The colour of the region; nil if there is none.
    var regionColor: ProbeSums.Color? {
        mean.map { .init(name: .region, mean: $0, linear: linear, concentration: concentration) }
    }

    /// The colours of the probes that have one.
    var probeColors: [ProbeSums.Color] {
        probes.compactMap { color in
            color.measurement.map {
                .init(
                    name: color.probe.name, mean: $0.mean, linear: $0.linear, concentration: concentration(color))
            }
        }
    }
}

extension [ProbeSums.Color] {
    /// The header's cells for probes with these names.
    static func header(_ names: [Name]) -> [CSVCell] {
        names.flatMap { name in
            ["hex", "red_linear", "green_linear", "blue_linear", "concentration", "concentration_flags"]
                .map { CSVCell.text("\(name) \($0)") }
        }
    }

    /// The cells of the probes with these names, which are empty for those that are not among them.
    func cells(_ names: [Name]) -> [CSVCell] {
        guard !names.isEmpty else { return [] }
        let colors = Dictionary(map { ($0.name, $0) }) { first, _ in first }
        return names.flatMap { name in
            let color = colors[name]
            return [CSVCell.text(color?.mean.rounded.hex)]
                + CSVCell.numbers(color?.linear, decimals: 6)
                + Concentration.probeCells(color?.concentration)
        }
    }
}
