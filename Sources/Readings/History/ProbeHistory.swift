import Color
import FoundationEssentials
import Untrusted

/// The colours of the probes in intervals of the clock, as many as a number of bytes holds: the more probes there are,
/// the shorter is the time.
struct ProbeHistory {
    /// The colours of one interval, packed.
    struct Row {
        /// The start of the interval.
        let time: Date
        let names: [Name]
        /// Three channels of each probe, in units of 1/256 of a code value.
        let channels: [UInt16]
        /// The concentration of each probe, NaN for one without, and its flags; empty if none has one.
        let concentrations: [(value: Float, flags: Concentration.Flags)]

        init(time: Date, _ sums: ProbeSums, sharing names: [Name]?) {
            let colors = sums.colors
            let own = colors.map(\.name)
            self.time = time
            // An equal array is kept only once.
            self.names = own == names ? names ?? own : own
            concentrations =
                colors.allSatisfy { $0.concentration == nil }
                ? []
                : colors.map { (Float($0.concentration?.value ?? .nan), $0.concentration?.flags ?? []) }
            channels = colors.flatMap { $0.mean.values.map { UInt16(min(max($0, 0), 255) * 256) } }
        }

        /// The memory that it takes, in bytes: with the headers of its arrays and of the block, but without the names.
        var byteCount: Int {
            MemoryLayout<Row>.stride + 48 + 2 * channels.count
                + (concentrations.isEmpty ? 0 : 32 + 8 * concentrations.count)
        }

        /// The memory that its names take, in bytes, if it does not share them with another row.
        func nameBytes(sharedWith other: Row?) -> Int {
            guard other?.names != names else { return 0 }
            return names.reduce(32) { $0 + MemoryLayout<Name>.stride + 32 + $1.text.utf8.count }
        }

        /// The colours. Their light is that of the mean colour.
        var sums: ProbeSums {
            ProbeSums(
                names.indices.map { index in
                    let values = channels[3 * index..<3 * index + 3].map { (Double($0) + 0.5) / 256 }
                    let mean = RGB(r: values[0], g: values[1], b: values[2])
                    return .init(
                        name: names[index], mean: mean, linear: mean.linear,
                        concentration: concentration(at: index))
                })
        }

        /// Its unit and its interval are not kept.
        private func concentration(at index: Int) -> Concentration? {
            guard !concentrations.isEmpty, !concentrations[index].value.isNaN else { return nil }
            let (value, flags) = concentrations[index]
            return Concentration(value: Double(value), interval: nil, flags: flags, unit: "")
        }
    }

    let period: Double
    private let maxBytes: Int
    private var rows: [Row] = []
    /// The number of rows at the beginning that are dropped, which are removed together.
    private var dropped = 0
    private(set) var byteCount = 0
    private var current: (time: Date, sums: ProbeSums)?

    /// - Parameters:
    ///   - period: The length of an interval, in seconds.
    ///   - maxBytes: The memory that may be used.
    init(period: Double, maxBytes: Int) {
        (self.period, self.maxBytes) = (period, maxBytes)
    }

    mutating func add(_ sums: ProbeSums, at time: Date) {
        let start = time.start(ofInterval: period)
        if current?.time == start {
            current?.sums.add(sums)
            return
        }
        if let current { append(Row(time: current.time, current.sums, sharing: rows.last?.names)) }
        current = sums.isEmpty ? nil : (start, sums)
    }

    /// The intervals so far, in the order of their arrival, with the one that is not complete.
    var all: [Row] {
        let newest = current.map { Row(time: $0.time, $0.sums, sharing: rows.last?.names) }
        return rows.dropFirst(dropped) + [newest].compactMap(\.self)
    }

    private mutating func append(_ row: Row) {
        byteCount += row.byteCount + row.nameBytes(sharedWith: rows.last)
        rows.append(row)
        while byteCount > maxBytes, dropped < rows.count {
            let next = dropped + 1 < rows.count ? rows[dropped + 1] : nil
            byteCount -= rows[dropped].byteCount + rows[dropped].nameBytes(sharedWith: next)
            dropped += 1
        }
        guard 2 * dropped > rows.count else { return }
        rows.removeFirst(dropped)
        dropped = 0
    }
}
