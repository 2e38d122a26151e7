import ArgumentParser
import Configuration

/// The command `swatchcam check`, which validates the configuration.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and print every problem in it.")

    @OptionGroup var file: FileOption

    func run() throws { try run(on: .standard) }

    func run(on console: Console) throws {
        do throws(ConfigError) {
            let settings = try file.resolve()
            if let problem = settings.folderProblem { throw problem }
            console.printError("\(settings.path ?? "No config.toml found, using the defaults"): no problems.")
        } catch {
            // For this command, the problems are the data.
            try console.write(error.description)
            throw ExitCode(ExitStatus.configuration.rawValue)
        }
    }
}
