package import Color
package import Documents
import Handoff
import Metrology
import Pixels
import Untrusted

extension Reading {
    /// How the light of the reference has changed since it was set.
    package struct Reference: Equatable, Sendable {
        /// The name of the probe.
        package let name: String
        /// The factors that remove the change of the light; nil if there are none, for the ``reason``.
        package let correction: ChannelFigures?
        /// A sentence that says why nothing is corrected.
        package let reason: String?

        package init(name: String, correction: ChannelFigures) {
            (self.name, self.correction, reason) = (name, correction, nil)
        }

        package init(name: String, reason: String) {
            (self.name, correction, self.reason) = (name, nil, reason)
        }
    }

    /// The light of the region as it would be in the light in which the reference was set; nil if it is not known.
    package var relative: LinearRGB? { relative(linear) }

    /// Returns light as it would be in the light in which the reference was set; nil if it is not known.
    func relative(_ light: LinearRGB?) -> LinearRGB? {
        guard let light, let correction = reference?.correction else { return nil }
        return light.combined(with: correction, by: *)
    }
}

/// Sets the reference light from the first readings of a reference probe, and corrects later ones by it.
///
/// It is used on the capture thread only.
struct ReferenceTracker {
    /// The reference light; nil to take that of the next readings.
    private let stored: Latest<ReferenceLight?>
    /// The readings of the probe so far.
    private var readings: [LinearRGB] = []
    /// The camera and the region that they are of.
    private var place: (camera: String, region: [Double])?

    init(_ stored: Latest<ReferenceLight?>) { self.stored = stored }

    /// Starts again, because something other than the light may have changed the colour.
    mutating func markDisturbance() { readings = [] }

    /// Adds a reading.
    /// - Parameter isNew: Whether it shares no frame with the one before.
    /// - Returns: Nil if there is no reference probe, or no light.
    mutating func status(_ probes: [Reading.ProbeColor], camera: String, isNew: Bool) -> Reading.Reference? {
        guard let color = probes.first(where: \.probe.isReference), let light = color.measurement?.linear else {
            readings = []
            return nil
        }
        let (name, region) = (color.probe.name, color.probe.region.coordinates)
        let clipped = color.measurement?.statistics?.clippedHigh
        do throws(MeasurementRefusal) {
            if let reference = stored.value, reference.camera == camera, reference.region == region {
                readings = []
                return Reading.Reference(
                    name: name.text, correction: try reference.correction(for: light, clippedHigh: clipped))
            }
            if place?.camera != camera || place?.region != region { readings = [] }
            place = (camera, region)
            try ReferenceLight.check(light, clippedHigh: clipped)
            if isNew { readings.append(light) }
        } catch {
            readings = []
            return Reading.Reference(name: name.text, reason: error.message)
        }
        guard readings.count >= ReferenceLight.readings, let mean = readings.mean else {
            return Reading.Reference(
                name: name.text,
                reason:
                    "The reference is being set: \(readings.count) of \(ReferenceLight.readings) readings have come. "
                    + "Keep the light steady.")
        }
        readings = []
        stored.publish(ReferenceLight(camera: camera, region: region, light: mean))
        return Reading.Reference(name: name.text, correction: ChannelFigures(mean.combined(with: light, by: /)))
    }
}

/// What readings say of the reference.
package struct ReferenceFields: JSONFields {
    private let reference: Reading.Reference
    private let relative: LinearRGB?
    /// How much the correction changes the colour of the region.
    private let difference: Double?

    init(reference: Reading.Reference, reading: Reading) {
        (self.reference, relative) = (reference, reading.relative)
        if let light = reading.linear, let relative {
            difference = CIEDE2000(CIELab(light), CIELab(relative)).total
        } else {
            difference = nil
        }
    }

    package static let fields: JSONFieldList<Self> = [
        .channels(
            "correction", .component("RelativeLight").orNull, decimals: 6,
            "The factors that remove the change of the light. Null if there are none, for the reason that `reason` gives."
        ) { $0.reference.correction },
        .number(
            "deltaE", .number(from: 0).orNull, decimals: 4, "How much they change the colour of the region, in ΔE00."
        ) { $0.difference },
        .value("hex", .hex.orNull, "`relative` as sRGB.") {
            $0.relative.map { RGB($0.map { 255 * SRGB.encoded($0) }).rounded.hex }
        },
        .value("name", .component("TargetName")) { $0.reference.name },
        .value("reason", .string.orNull) { $0.reference.reason },
    ]
}
