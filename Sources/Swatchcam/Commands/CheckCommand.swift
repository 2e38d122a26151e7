import ArgumentParser
import Configuration

/// `swatchcam check`: is the config good?
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and print every problem in it.")

    @OptionGroup var options: ConfigOptions

    func run() throws {
        do {
            let resolved = try options.resolve()
            Console.printError("\(resolved.path ?? "No config.toml found, the defaults hold"): no problems.")
        } catch {
            // Here the problems are the data.
            try Console.write(error.description)
            throw ExitCode(ExitStatus.configuration.rawValue)
        }
    }
}
