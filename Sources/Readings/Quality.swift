/// How far a reading can be trusted, with the reasons for any doubt.
package struct Quality: Equatable, Sendable {
    /// A grade; a greater one is worse.
    package enum Grade: String, CaseIterable, Comparable, Sendable {
        case good, fair, poor

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .good: 0
            case .fair: 1
            case .poor: 2
            }
        }
    }

    /// A reason for doubt about a reading. The next reading has it only if the reason persists.
    package struct Flag: Equatable, Sendable {
        /// The kind of doubt.
        package enum Code: String, CaseIterable, Sendable {
            case settling
            case clippedHigh = "clipped-high"
            case clippedLow = "clipped-low"
            case outOfGamut = "out-of-gamut"
            case dark, uneven, unsettled, noisy, automatic, moved
            case lostFrames = "skipped"
            case calibration
            case outsideChart = "outside-chart"
            case aboveWhite = "above-white"
        }

        package var code: Code
        /// The figure that is the reason. Shares and luminance are 0...1, differences are in ΔE00, the distance from a
        /// chart's colours in units of CIELAB, a lightness is L*, a movement in pixels, and automatic controls, lost frames and the differences from the conditions of a
        /// calibration are counted.
        package var value: Double
        /// A sentence for a person, with the figure and what to do.
        package var message: String
        /// The best grade that a reading with this flag has.
        package var grade: Grade

        package init(_ code: Code, value: Double, grade: Grade = .fair, message: String) {
            self.code = code
            self.value = value
            self.grade = grade
            self.message = message
        }
    }

    /// The reasons for doubt, the worst first.
    package var flags: [Flag]

    /// The worst grade of a flag; good without any.
    package var grade: Grade { flags.map(\.grade).max() ?? .good }

    /// Whether clipping or darkness has changed the balance of the channels, and with it the colour of the light.
    var isColorDistorted: Bool { flags.contains(where: \.code.distortsColor) }
}

extension Quality.Flag.Code {
    var distortsColor: Bool { [.clippedHigh, .clippedLow, .outOfGamut, .dark].contains(self) }
}
