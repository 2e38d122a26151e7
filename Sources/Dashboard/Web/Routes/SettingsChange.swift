import Configuration
import FlyingFox
import FoundationEssentials
import Pixels

/// A change of settings by a client. It is validated like `config.toml`, with the same messages.
struct SettingsChange: Equatable {
    var effect: String?
    var region: Region?

    /// Validates a change, given as new values by setting.
    /// - Throws: An `HTTPError` that describes the problem.
    init(_ values: [String: ConfigValue]) throws(HTTPError) {
        for (key, value) in values {
            switch key {
            case "effect": effect = try Self.decode(value, .word("an effect", among: Effects.all.map(\.name)), key)
            case "region": region = try Self.decode(value, .region, key)
            default: throw Self.refusal("\(key): unknown setting; the settings are effect and region")
            }
        }
    }

    func apply(to config: inout Config) {
        if let effect { config.picture.effect = effect }
        if let region { config.readings.region = region }
    }

    private static func decode<Value>(
        _ value: ConfigValue, _ codec: ConfigCodec<Value>, _ key: String
    ) throws(HTTPError) -> Value {
        do throws(ConfigRejection) {
            return try codec.decode(value, "")
        } catch {
            switch error {
            case .wrongType: throw refusal("\(key): \(value.sentence); expected \(codec.expected)")
            case .refused(let reason), .element(_, let reason), .entry(_, let reason):
                throw refusal("\(key): \(reason)")
            }
        }
    }

    private static func refusal(_ message: String) -> HTTPError {
        HTTPError(status: .badRequest, code: "bad-settings", message: message)
    }
}

extension HTTPError {
    static let badSettings = HTTPError(
        status: .badRequest, code: "bad-settings", message: "Send a JSON object such as {\"effect\": \"edges\"}.")
}
