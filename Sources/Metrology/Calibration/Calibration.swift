package import Color

/// What turns the light that a camera delivers into colours, and the conditions under which it does.
package struct Calibration: Equatable, Sendable {
    /// The time at which it was made, in ISO 8601.
    package var time: String
    package var conditions: MeasuringConditions
    /// The light that the camera delivers with its lens covered; nil if it was not measured.
    package var dark: LinearRGB?
    package var shading: Shading?
    package var card: GreyCard?
    package var chart: ChartFit?

    /// The light above which a lens does not count as covered (ours): a black of 56 on the scale of 0...255.
    static let maxDark = 0.04

    package init(
        _ measurements: CalibrationMeasurements, conditions: MeasuringConditions, time: String
    ) throws(MeasurementRefusal) {
        guard measurements.all.allSatisfy(\.isValid) else {
            throw MeasurementRefusal("A figure of the measurements is not in its range.")
        }
        self.conditions = conditions
        self.time = time
        if let measured = measurements.dark {
            guard measured.linear.values.allSatisfy({ $0 <= Self.maxDark }) else {
                throw MeasurementRefusal(
                    "The lens is not covered: a channel is at \((measured.linear.values.max() ?? 0).percent) of full scale."
                )
            }
            dark = measured.linear
        }
        if let flat = measurements.flat {
            shading = try Shading(columns: flat.columns, cells: flat.cells, dark: dark ?? .zero)
        }
        if let measured = measurements.card?.measured, let luminance = measurements.card?.luminance {
            card = try GreyCard(
                measured, light: corrected(measured.linear, in: measured.area), luminance: luminance)
        }
        if let chart = measurements.chart {
            let patches = chart.patches.map { one in
                ChartFit.Measurement(
                    patch: Chart.Patch(name: one.name, lab: one.reference), measured: one.measured,
                    light: corrected(one.measured.linear, in: one.measured.area))
            }
            self.chart = try ChartFit(chart: chart.name, patches)
        }
        guard dark != nil || shading != nil || card != nil || self.chart != nil else {
            throw MeasurementRefusal("Nothing was measured: a calibration has a dark, a flat, a card or a chart.")
        }
    }

    /// Returns the light after all stages but the chart.
    private func corrected(_ light: LinearRGB, in area: PictureArea?) -> LinearRGB {
        var light = light - (dark ?? .zero)
        if let shading { light = light.combined(with: shading.mean(in: area ?? .whole), by: /) }
        return card.map { $0(light) } ?? light
    }

    /// Returns the colour of the light that the camera delivers in a part of the picture.
    /// - Returns: Linear light of sRGB, outside of 0...1 if sRGB does not hold the colour.
    package func calibrated(_ light: LinearRGB, in area: PictureArea = .whole) -> LinearRGB {
        let light = corrected(light, in: area)
        return chart.map { $0.transform(light) } ?? light
    }

    /// Returns the calibration with each of its texts changed by a function, such as one that sanitizes them.
    package func mapTexts(_ change: (String) -> String) -> Calibration {
        var calibration = self
        calibration.time = change(time)
        calibration.conditions = conditions.mapTexts(change)
        calibration.chart = chart?.mapTexts(change)
        return calibration
    }

    /// Returns why the calibration is not in force under other conditions, such as "gain 64 → 80"; an empty list if it
    /// is.
    package func differences(from present: MeasuringConditions) -> [String] {
        present.differences(from: conditions)
    }
}

extension Calibration: Codable {
    private enum CodingKeys: CodingKey { case time, conditions, dark, shading, card, chart }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        time = try container.decode(String.self, forKey: .time)
        conditions = try container.decode(MeasuringConditions.self, forKey: .conditions)
        dark = try container.decodeIfPresent(LinearRGB.self, forKey: .dark)
        shading = try container.decodeIfPresent(Shading.self, forKey: .shading)
        card = try container.decodeIfPresent(GreyCard.self, forKey: .card)
        chart = try container.decodeIfPresent(ChartFit.self, forKey: .chart)
        guard dark?.values.allSatisfy({ 0...Self.maxDark ~= $0 }) != false, shading?.isValid != false,
            card?.isValid != false, chart?.transform.isValid != false
        else { throw DecodingError.dataCorruptedError(forKey: .dark, in: container, debugDescription: "out of range") }
    }
}

/// What is measured for a calibration. Each stage may be left out.
package struct CalibrationMeasurements: Codable, Equatable, Sendable {
    /// A white sheet over the whole picture.
    package struct Flat: Codable, Equatable, Sendable {
        package var columns: Int
        /// The cells, row by row from the top.
        package var cells: [PatchMeasurement]

        package init(columns: Int, cells: [PatchMeasurement]) {
            self.columns = columns
            self.cells = cells
        }
    }

    /// A white or grey card.
    package struct Card: Codable, Equatable, Sendable {
        package var measured: PatchMeasurement
        /// Its reflectance Y, 0...1.
        package var luminance: Double

        package init(measured: PatchMeasurement, luminance: Double) {
            self.measured = measured
            self.luminance = luminance
        }
    }

    /// The patches of a colour chart.
    package struct ChartPatches: Codable, Equatable, Sendable {
        /// A patch with the colour that it should have.
        package struct Patch: Codable, Equatable, Sendable {
            package var name: String
            package var reference: CIELab
            package var measured: PatchMeasurement

            package init(name: String, reference: CIELab, measured: PatchMeasurement) {
                self.name = name
                self.reference = reference
                self.measured = measured
            }
        }

        package var name: String
        package var patches: [Patch]

        package init(name: String, patches: [Patch]) {
            self.name = name
            self.patches = patches
        }
    }

    /// The covered lens.
    package var dark: PatchMeasurement?
    package var flat: Flat?
    package var card: Card?
    package var chart: ChartPatches?

    package init(
        dark: PatchMeasurement? = nil, flat: Flat? = nil, card: Card? = nil, chart: ChartPatches? = nil
    ) {
        self.dark = dark
        self.flat = flat
        self.card = card
        self.chart = chart
    }
    var all: [PatchMeasurement] {
        [dark, card?.measured].compactMap { $0 } + (flat?.cells ?? []) + (chart?.patches.map(\.measured) ?? [])
    }
}
