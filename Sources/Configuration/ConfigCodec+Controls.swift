extension ConfigCodec<[String: ConfigValue]> {
    /// Values for a camera's controls, by name. Whether the camera has these controls and accepts the values is checked
    /// when the camera is opened.
    static let controls = ConfigCodec(
        expected: "a table of the camera's controls",
        allowedValues: "names that `swatchcam cameras` prints, with whole numbers, true, false or strings",
        decode: { value, _ throws(ConfigRejection) in
            guard case .table(let values) = value else { throw .wrongType }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .integer, .boolean, .string: continue
                default:
                    throw .entry(name, "\(value.sentence); expected a whole number, true, false or a string")
                }
            }
            return values
        },
        encode: { _ in nil })
}

extension Dictionary: ConfigRepresentable where Key == String, Value == ConfigValue {
    var configValue: ConfigValue? { .table(self) }
}
