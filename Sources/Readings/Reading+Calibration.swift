package import Color
package import Metrology
import Pixels
package import Untrusted

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
        // The test pattern has no controls.
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
        let area = PictureArea(x: region.x, y: region.y, width: region.width, height: region.height)
        calibrated = Calibrated(linear: calibration.calibrated(linear, in: area))
    }
}

extension Reading.Calibrated: JSONObject {
    /// Writes linear light to six decimals, and CIELAB to four.
    package func writeFields(to json: inout JSONWriter) {
        let rgb = RGB(linear.map { 255 * SRGB.encoded($0) }).rounded
        let lab = CIELab(linear)
        json.field("hex", rgb.hex)
        json.field("lab") { $0.fields(lab.lightness, a: lab.a, b: lab.b, decimals: 4) }
        json.field("linear", linear, decimals: 6)
        json.field("rgb", rgb)
    }
}

extension Reading.CalibrationStatus: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("because", because)
        json.field("inForce", isInForce)
    }
}
