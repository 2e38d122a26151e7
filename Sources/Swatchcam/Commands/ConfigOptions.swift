import ArgumentParser
import Configuration

/// The options that override the configuration file.
struct ConfigOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read this configuration.", valueName: "file"))
    var config: String?

    @Option(help: "The camera: auto, test-pattern, /dev/video0, a stable id, or part of its name.")
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The minimum level to log: trace, debug, info, notice, warning, error, critical.", valueName: "level"))
    var logLevel: String?

    /// Returns the configuration, with the options applied.
    func resolve(address: String? = nil, port: String? = nil) throws(ConfigError) -> ResolvedConfig {
        try ResolvedConfig(explicit: config, overrides: overrides(address: address, port: port))
    }

    func overrides(address: String?, port: String?) -> ConfigOverrides {
        ConfigOverrides(device: device, address: address, port: port, logLevel: logLevel)
    }
}
