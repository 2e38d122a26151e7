import Untrusted

extension ReadingCSV {
    /// The longest comment, in scalars. A camera may have many controls.
    private static let maxComment = 4000

    /// Returns the comments that say what a table's figures depend on, for `comment(_:)`.
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - reading: A reading of the table, which names the camera and its format.
    ///   - controls: The values of the camera's controls by their names.
    package static func comments(
        version: String, reading: Reading, controls: [String: Sample.Setting]
    ) -> [String] {
        let frame = reading.frame.map { frame in
            ["\(frame.format) \(frame.width)x\(frame.height)", frame.colorimetry].compactMap(\.self)
                .joined(separator: ", ")
        }
        let region = reading.region.coordinates.map { $0.formatted(decimals: 6) }.joined(separator: " ")
        return [
            "Swatchcam \(version)",
            "camera: \(reading.camera.map { "\($0.name) (\($0.id))" } ?? "none")",
            "format: \(frame ?? "none")",
            "region (x y width height): \(region)",
            "controls: \(controls.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))",
        ].map { $0.sanitized(limit: maxComment) }
    }
}
