import Logging
import Pixels

/// A decoded value that can be converted back to a `ConfigValue`.
protocol ConfigRepresentable {
    /// The value as it may be written in the file; nil if the key is omitted.
    var configValue: ConfigValue? { get }
}

extension Int: ConfigRepresentable {
    var configValue: ConfigValue? { .integer(self) }
}

extension UInt16: ConfigRepresentable {
    var configValue: ConfigValue? { .integer(Int(self)) }
}

extension Double: ConfigRepresentable {
    var configValue: ConfigValue? { .float(self) }
}

extension Bool: ConfigRepresentable {
    var configValue: ConfigValue? { .boolean(self) }
}

extension String: ConfigRepresentable {
    var configValue: ConfigValue? { .string(self) }
}

extension Optional: ConfigRepresentable where Wrapped: ConfigRepresentable {
    var configValue: ConfigValue? { flatMap(\.configValue) }
}

extension Region: ConfigRepresentable {
    var configValue: ConfigValue? { .list([x, y, width, height].map(ConfigValue.float)) }
}

extension RawRepresentable<String> where Self: ConfigRepresentable {
    var configValue: ConfigValue? { .string(rawValue) }
}

extension Config.Camera.Colorimetry: ConfigRepresentable {}
extension Config.Kiosk.Show: ConfigRepresentable {}
extension Average: ConfigRepresentable {}
extension Logger.Level: ConfigRepresentable {}
