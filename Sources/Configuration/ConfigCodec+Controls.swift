extension ConfigCodec<[String: ConfigValue]> {
    /// Values for a camera's controls, by their names. Whether the camera has them, and takes the values, is seen when it
    /// is opened.
    static let controls = ConfigCodec(
        wanted: "a table of the camera's controls",
        range: "names as `swatchcam cameras` prints them, with whole numbers, true, false, or strings",
        decode: { value, _ throws(ConfigRejection) in
            guard case .table(let values) = value else { throw .wrongType }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .integer, .boolean, .string: continue
                default:
                    throw .entry(
                        name, "\(value.sentence); a whole number, true, false or a string is wanted for a control")
                }
            }
            return values
        },
        encode: { _ in nil })
}

extension Dictionary: ConfigRepresentable where Key == String, Value == ConfigValue {
    var configValue: ConfigValue? { .table(self) }
}
