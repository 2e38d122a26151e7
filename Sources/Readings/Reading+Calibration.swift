package import Color
package import Documents
package import Metrology
import Pixels

extension Reading {
    /// The colour by the calibration of the camera, if that is in force.
    package struct Calibrated: Equatable, Sendable {
        /// The linear light of sRGB. A channel is outside of 0...1 if sRGB does not hold the colour.
        package var linear: LinearRGB
    }

    /// Whether the calibration of the camera is in force.
    package struct CalibrationStatus: Equatable, Sendable {
        /// What differs from the conditions under which it was made; empty if it is in force.
        package var differences: [String]

        package var isInForce: Bool { differences.isEmpty }

        /// What differs, as one text; nil if it is in force.
        package var because: String? { isInForce ? nil : differences.joined(separator: ", ") }
    }

    /// The conditions of the reading; nil without a frame, or while the controls of its camera are not known.
    package func conditions(_ influence: ControlInfluence) -> MeasuringConditions? {
        guard let camera, let frame else { return nil }
        // Those of the test pattern change its scene, and not how it is captured.
        guard state == .testPattern || influence.camera == camera.id else { return nil }
        return MeasuringConditions(
            camera: camera.id, format: frame.format, width: frame.width, height: frame.height,
            colorimetry: frame.colorimetry, controls: state == .testPattern ? [:] : influence.controls)
    }

    /// Applies the calibration of the camera.
    mutating func apply(_ calibration: Calibration, _ influence: ControlInfluence) {
        guard state.hasColor else { return }
        guard let conditions = conditions(influence) else {
            self.calibration = CalibrationStatus(differences: ["the controls are not known yet"])
            return
        }
        let status = CalibrationStatus(differences: calibration.differences(from: conditions))
        self.calibration = status
        if let because = status.because {
            quality?.flags.append(
                Quality.Flag(
                    .calibration, value: Double(status.differences.count),
                    message: "The calibration is not in force: \(because). Restore that, or calibrate again."))
        }
        guard status.isInForce, let linear else { return }
        for index in probes.indices {
            let area = PictureArea(probes[index].probe.region)
            probes[index].calibrated = probes[index].measurement?.linear.map {
                Calibrated(linear: calibration.calibrated($0, in: area))
            }
        }
        let light = calibration.calibrated(linear, in: PictureArea(region))
        calibrated = Calibrated(linear: light)
        for flag in Quality.doubts(about: CIELab(light), by: calibration) { quality?.add(flag) }
    }
}

extension PictureArea {
    fileprivate init(_ region: Region) {
        self.init(x: region.x, y: region.y, width: region.width, height: region.height)
    }
}

extension Quality {
    /// Adds a reason for doubt, the worst first.
    fileprivate mutating func add(_ flag: Flag) {
        let place = flag.grade == .poor ? flags.firstIndex { $0.grade != .poor } : nil
        flags.insert(flag, at: place ?? flags.endIndex)
    }

    /// The lightness above which a calibrated colour is lighter than white, with room for noise.
    private static let maxLightness = 101.0

    /// Returns the reasons for doubt about a colour that a calibration gives.
    fileprivate static func doubts(about color: CIELab, by calibration: Calibration) -> [Flag] {
        var flags: [Flag] = []
        if let distance = calibration.chart?.span?.distance(of: color), distance > 0 {
            flags.append(
                Flag(
                    .outsideChart, value: distance,
                    message: "The calibrated colour is outside of what the chart spans, by "
                        + "\(distance.formatted(decimals: 0)): it was not measured there. Use a chart with such colours."
                ))
        }
        if color.lightness > maxLightness {
            flags.append(
                Flag(
                    .aboveWhite, value: color.lightness, grade: .poor,
                    message:
                        "The calibrated colour has L* \(color.lightness.formatted(decimals: 0)), which is lighter "
                        + "than white: the light has changed, or the area shines. Calibrate again in this light."))
        }
        return flags
    }
}

extension Reading.Calibrated: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("hex", .hex, "Clamped if sRGB does not hold the colour.") { $0.rgb.hex },
        .value("lab", .component("CalibratedLab")) { CIELab($0.linear) },
        .channels("linear", .component("CalibratedLight"), decimals: 6) { $0.linear },
        .value("rgb", .component("RoundedColor")) { $0.rgb },
    ]

    private var rgb: RGB8 { RGB(linear.map { 255 * SRGB.encoded($0) }).rounded }
}

extension Reading.Calibrated: Decodable {
    /// The fields that samples keep.
    static let stored = JSONFieldList(fields.filter { ["hex", "linear"].contains($0.key) })

    private enum CodingKeys: CodingKey { case linear }

    package init(from decoder: any Decoder) throws {
        self.init(linear: try decoder.container(keyedBy: CodingKeys.self).decode(LinearRGB.self, forKey: .linear))
    }
}

extension Reading.Calibrated {
    /// Returns the columns of a table that have the colour of a row.
    static func columns<Row>(
        _ meaning: String, _ color: @escaping @Sendable (Row) -> Reading.Calibrated?
    ) -> CSVColumns<Row> {
        CSVColumns(
            "calibrated_hex", "calibrated_red_linear", "calibrated_green_linear", "calibrated_blue_linear", meaning
        ) {
            let color = color($0)
            return [.text(color?.rgb.hex)] + CSVCell.numbers(color?.linear, decimals: 6)
        }
    }

    /// Returns the light in the cells of these columns; nil if there is none.
    static func light(in cells: CSVValues) -> LinearRGB? {
        // What is farther from the colours of sRGB, no calibration of a camera has made.
        let lights = (1...3).compactMap { cells.number($0, in: -10...10) }
        return lights.count == 3 ? LinearRGB(r: lights[0], g: lights[1], b: lights[2]) : nil
    }
}

extension Reading.CalibrationStatus: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "because", .string.orNull,
            "What differs from the conditions under which it was made, such as `gain 64 → 80`; null if it is in force."
        ) { $0.because },
        .value("inForce", .boolean) { $0.isInForce },
    ]
}
