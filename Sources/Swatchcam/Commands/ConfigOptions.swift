import ArgumentParser
import Configuration
import Handoff
import Logging
import State

/// The option of every command that reads the configuration.
struct FileOption: ParsableArguments {
    @Option(help: ArgumentHelp("Read this configuration.", valueName: "file"))
    var config: String?

    func resolve(_ overrides: ConfigOverrides = ConfigOverrides()) throws(ConfigError) -> Settings {
        try Settings(explicit: config, options: overrides)
    }
}

/// The options of the commands that use a camera. A command that would ignore one of them does not accept it.
struct ConfigOptions: ParsableArguments {
    @OptionGroup var file: FileOption

    @Option(help: "The camera: auto, test-pattern, /dev/video0, a stable id, or part of its name.")
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The minimum level to log: trace, debug, info, notice, warning, error, critical.", valueName: "level"))
    var logLevel: String?

    func resolve(address: String? = nil, port: String? = nil) throws(ConfigError) -> Settings {
        try file.resolve(overrides(address: address, port: port))
    }

    func overrides(address: String?, port: String?) -> ConfigOverrides {
        ConfigOverrides(device: device, address: address, port: port, logLevel: logLevel)
    }

    /// Returns the state for a command that uses the camera without a server. Problems with the camera are reported
    /// with the exit status, so the log only needs everything else.
    func sharedState(_ config: Config) throws(Failure) -> SharedState {
        let log = Logger(level: max(config.log.level, logLevel == nil ? .error : .trace))
        return try Failure.requiring { () throws(HandoffError) in
            try SharedState(config: Latest(Settings(config)), log: log)
        }
    }
}

/// The option of the commands that read the colour of a camera that they open.
struct SettlingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The longest wait until the colour of the camera holds, after its first frame; 3 by default.",
            valueName: "seconds"))
    var wait = 3.0

    func validate() throws {
        guard 0...60 ~= wait else { throw ValidationError("--wait: \(wait) is out of range 0...60") }
    }
}
