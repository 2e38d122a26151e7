/// Everything about a camera that its colours depend on.
package struct MeasuringConditions: Codable, Equatable, Sendable {
    /// The value of a camera's control.
    package enum ControlValue: Equatable, Sendable {
        case number(Int64)
        case text(String)
    }

    /// The id of the camera.
    package var camera: String
    /// The V4L2 fourcc of its frames.
    package var format: String
    package var width: Int
    package var height: Int
    /// The interpretation of the code values; nil if nothing was assumed.
    package var colorimetry: String?
    /// The controls by their names.
    package var controls: [String: ControlValue]

    package init(
        camera: String, format: String, width: Int, height: Int, colorimetry: String? = nil,
        controls: [String: ControlValue] = [:]
    ) {
        self.camera = camera
        self.format = format
        self.width = width
        self.height = height
        self.colorimetry = colorimetry
        self.controls = controls
    }

    package func mapTexts(_ change: (String) -> String) -> MeasuringConditions {
        let values: [(String, ControlValue)] = controls.map { name, value in
            if case .text(let text) = value { (change(name), .text(change(text))) } else { (change(name), value) }
        }
        return MeasuringConditions(
            camera: change(camera), format: change(format), width: width, height: height,
            colorimetry: colorimetry.map(change), controls: Dictionary(values) { first, _ in first })
    }

    /// Returns what has changed since earlier conditions, such as "gain 64 → 80"; an empty list if nothing has.
    package func differences(from earlier: MeasuringConditions) -> [String] {
        // The other conditions of two cameras cannot be compared.
        guard camera == earlier.camera else { return ["camera \(earlier.camera) → \(camera)"] }
        let facts = [
            ("format", earlier.format, format),
            ("size", "\(earlier.width)x\(earlier.height)", "\(width)x\(height)"),
            ("colorimetry", earlier.colorimetry ?? "none", colorimetry ?? "none"),
        ]
        let names = Set(controls.keys).union(earlier.controls.keys).sorted()
        let values = names.map { name in
            (name, earlier.controls[name]?.description ?? "absent", controls[name]?.description ?? "absent")
        }
        return (facts + values).filter { $0.1 != $0.2 }.map { "\($0.0) \($0.1) → \($0.2)" }
    }
}

extension MeasuringConditions.ControlValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}

extension MeasuringConditions.ControlValue: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}
