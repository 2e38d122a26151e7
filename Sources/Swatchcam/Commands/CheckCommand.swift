import ArgumentParser
import Capture
import Configuration
import Readings

/// The command `swatchcam check`, which validates the configuration.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and print every problem in it.")

    @OptionGroup var file: FileOption

    func run() throws { try run(on: .standard) }

    /// Returns the problem of a palette, which does not keep the program from starting; nil if there is none.
    private static func paletteProblem(in settings: Settings) -> ConfigError? {
        guard let path = settings.effective.readings.palette else { return nil }
        do throws(PaletteFile.Problem) {
            _ = try PaletteLoader.palette(at: path)
            return nil
        } catch {
            return settings.error(at: ["readings", "palette"], error.description)
        }
    }

    func run(on console: Console) throws {
        do throws(ConfigError) {
            let settings = try file.resolve()
            if let problem = settings.folderProblem ?? Self.paletteProblem(in: settings) { throw problem }
            console.printError("\(settings.path ?? "No config.toml found, using the defaults"): no problems.")
        } catch {
            // For this command, the problems are the data.
            try console.write(error.description)
            throw ExitCode(ExitStatus.configuration.rawValue)
        }
    }
}
