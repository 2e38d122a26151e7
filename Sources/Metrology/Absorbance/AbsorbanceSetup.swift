import Color
package import Untrusted

/// What absorbances and concentrations are computed from: the light of a blank and of the dark, and standards.
package struct AbsorbanceSetup: Equatable, Sendable {
    /// A named sample of known concentration, as it was measured.
    package struct Standard: Named, Codable, Equatable, Sendable {
        /// The greatest concentration, in any unit.
        package static let maxConcentration = 1e12

        package var name: Name
        package var concentration: Double
        package var absorbance: Absorbance
        /// The id of the camera: its channels pass other bands of wavelengths than those of another.
        package var camera: String
        /// The time of the measurement, in ISO 8601.
        package var time: String

        package init(name: Name, concentration: Double, absorbance: Absorbance, camera: String, time: String) {
            (self.name, self.concentration, self.absorbance) = (name, concentration, absorbance)
            (self.camera, self.time) = (camera, time)
        }

        /// Whether its numbers are in their ranges. The square of the least concentration is not 0.
        package var isValid: Bool {
            (concentration == 0 || 1 / Self.maxConcentration...Self.maxConcentration ~= concentration)
                && absorbance.isValid
        }
    }

    /// A curve, or why there is none.
    package enum Curve: Equatable, Sendable {
        case fitted(StandardCurve)
        case refused(MeasurementRefusal)
    }

    package static let maxStandards = 100

    /// The light of a sample without the substance, I₀.
    package var blank: LightRecord? { didSet { fit() } }
    /// The light that the camera reports in the dark, D; nil to subtract nothing.
    package var dark: LightRecord?
    package var standards: [Standard] = [] { didSet { fit() } }
    /// The unit of the concentrations; empty if it was not set.
    package var unit = ""
    /// The channel of the curve; nil to choose that with the best signal.
    package var channel: StandardCurve.Channel? { didSet { fit() } }
    package private(set) var curve: Curve?

    package init() {}

    /// The unit of the concentrations that the curve gives; nil without a curve.
    package var unitOfCurve: String? {
        if case .fitted? = curve { unit } else { nil }
    }

    private mutating func fit() {
        curve = standards.isEmpty ? nil : fitted()
    }

    private func fitted() -> Curve {
        if let blank, let other = standards.first(where: { $0.camera != blank.conditions.camera }) {
            return .refused(
                MeasurementRefusal(
                    "\(other.name) was measured with another camera than the blank: measure it again, or delete it."))
        }
        do throws(MeasurementRefusal) {
            return .fitted(
                try StandardCurve(
                    standards.map { .init(concentration: $0.concentration, absorbance: $0.absorbance) },
                    channel: channel))
        } catch {
            return .refused(error)
        }
    }

    /// Returns a sentence that says why nothing can be measured under some conditions; nil if it can.
    /// - Parameter conditions: The conditions of the sample; nil if they are not known.
    package func obstacle(under conditions: MeasuringConditions?) -> String? {
        guard let conditions else { return "The controls of the camera are not known yet." }
        for (name, record) in [("blank", blank), ("dark", dark)] {
            let differences = record.map { conditions.differences(from: $0.conditions) } ?? []
            guard differences.isEmpty else {
                return "The \(name) was measured with other settings: \(differences.joined(separator: ", "))."
                    + " Restore them, or measure the \(name) again."
            }
        }
        return nil
    }

    /// Returns the absorbance of a sample in a region, under the conditions of the blank; nil without a blank.
    package func absorbance(of sample: LightMeasurement, in region: [Double]) -> Absorbance? {
        guard let blank else { return nil }
        guard let whole = blank.light(in: region) else { return Absorbance(refusal: Self.elsewhere("blank")) }
        guard let dark else { return Absorbance(of: sample, blank: whole, dark: nil) }
        guard let black = dark.light(in: region) else { return Absorbance(refusal: Self.elsewhere("dark")) }
        return Absorbance(of: sample, blank: whole, dark: black)
    }

    private static func elsewhere(_ name: String) -> String {
        "The \(name) was measured in another area: move the area back, or measure the \(name) again."
    }
}

/// The light of one or more regions at one time, such as that of a blank in each well of a plate.
package struct LightRecord: Codable, Equatable, Sendable {
    package struct Spot: Codable, Equatable, Sendable {
        /// The region: x, y, width and height.
        package var region: [Double]
        package var light: LightMeasurement

        package init(region: [Double], light: LightMeasurement) { (self.region, self.light) = (region, light) }
    }

    /// The time of the last reading, in ISO 8601.
    package var time: String
    package var readings: Int
    package var conditions: MeasuringConditions
    /// Whether the light of the first spot counts in every region: the samples stand side by side in even light.
    package var everywhere: Bool
    package var spots: [Spot]

    /// - Parameter spots: The spots, of which only the first is kept if its light counts everywhere.
    package init(time: String, readings: Int, conditions: MeasuringConditions, everywhere: Bool, spots: [Spot]) {
        (self.time, self.readings, self.conditions) = (time, readings, conditions)
        (self.everywhere, self.spots) = (everywhere, everywhere ? Array(spots.prefix(1)) : spots)
    }

    /// Returns the light that counts in a region; nil if there is none.
    package func light(in region: [Double]) -> LightMeasurement? {
        everywhere ? spots.first?.light : spots.first { $0.region == region }?.light
    }

    func mapTexts(_ change: (String) -> String) -> LightRecord {
        LightRecord(
            time: change(time), readings: readings, conditions: conditions.mapTexts(change), everywhere: everywhere,
            spots: spots)
    }

    /// Whether its numbers are in their ranges.
    var isValid: Bool {
        !spots.isEmpty
            && spots.allSatisfy { $0.region.count == 4 && $0.region.allSatisfy { 0...1 ~= $0 } && $0.light.isValid }
    }
}

extension LightMeasurement {
    fileprivate var isValid: Bool {
        (light.values + clippedHigh.values).allSatisfy { 0...1 ~= $0 }
            && standardError.values.allSatisfy { 0...1 ~= $0 } && 1...1e6 ~= degreesOfFreedom
    }
}

extension AbsorbanceSetup: Codable {
    private enum CodingKeys: CodingKey { case blank, dark, standards, unit, channel }

    /// - Throws: A `DecodingError` if a figure is not in its range.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        blank = try container.decodeIfPresent(LightRecord.self, forKey: .blank)
        dark = try container.decodeIfPresent(LightRecord.self, forKey: .dark)
        standards = try container.decode([Standard].self, forKey: .standards)
        unit = try container.decode(String.self, forKey: .unit)
        channel = try container.decodeIfPresent(StandardCurve.Channel.self, forKey: .channel)
        guard [blank, dark].allSatisfy({ $0?.isValid ?? true }), standards.allSatisfy(\.isValid),
            standards.count <= Self.maxStandards
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .standards, in: container, debugDescription: "a figure is out of range")
        }
        // Observers do not run in initializers.
        fit()
    }

    /// Returns the setup with every text changed.
    package func mapTexts(_ change: (String) -> String) -> AbsorbanceSetup {
        var changed = self
        changed.blank = blank?.mapTexts(change)
        changed.dark = dark?.mapTexts(change)
        changed.unit = change(unit)
        changed.standards = standards.map { standard in
            Standard(
                name: Name(change(standard.name.text)), concentration: standard.concentration,
                absorbance: standard.absorbance,
                camera: change(standard.camera), time: change(standard.time))
        }
        return changed
    }
}
