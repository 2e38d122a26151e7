import ArgumentParser
import Configuration

/// The options that stand above the config file.
struct ConfigOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read this configuration.", valueName: "file"))
    var config: String?

    @Option(help: "The camera: auto, test-pattern, /dev/video0, a stable id, or part of its name.")
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The least that is logged: trace, debug, info, notice, warning, error, critical.", valueName: "level"))
    var logLevel: String?

    /// The config that holds.
    func resolve(address: String? = nil, port: String? = nil) throws(ConfigError) -> ResolvedConfig {
        try ResolvedConfig(explicit: config, overrides: overrides(address: address, port: port))
    }

    func overrides(address: String?, port: String?) -> ConfigOverrides {
        ConfigOverrides(device: device, address: address, port: port, logLevel: logLevel)
    }
}
