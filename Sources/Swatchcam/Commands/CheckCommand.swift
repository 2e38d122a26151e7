import ArgumentParser
import Configuration
import Fleet
import Palettes
import Readings
import Storage

/// The command `swatchcam check`, which validates the configuration.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and print every problem in it.")

    @OptionGroup var file: FileOption

    @Flag(help: "Also connect to the broker of [mqtt], and say what is wrong if that fails.")
    var connect = false

    func run() async throws {
        try run(on: .standard)
        if connect { try await Self.tryBroker(of: file.resolve().effective, on: .standard) }
    }

    /// Connects to the broker once.
    static func tryBroker(of config: Config, on console: Console) async throws {
        let place: String?
        do throws(BrokerFailure) {
            place = try await Broker.check(config)
        } catch {
            throw Failure(status: .unavailable, message: error.description)
        }
        guard let place else {
            throw Failure(status: .configuration, message: "mqtt.host names no broker to connect to.")
        }
        console.printError("\(place): the broker accepts the connection.")
    }

    /// Returns the palette; nil without one. Its problems do not keep the program from starting.
    private static func palette(of settings: Settings) throws(ConfigError) -> Palette? {
        guard let path = settings.effective.readings.palette else { return nil }
        do throws(PaletteFile.Problem) {
            return try PaletteLoader.palette(at: path)
        } catch {
            if let problem = settings.error(at: ["readings", "palette"], error.description) { throw problem }
            return nil
        }
    }

    func run(on console: Console) throws {
        do throws(ConfigError) {
            let settings = try file.resolve()
            if let problem = settings.folderProblem ?? settings.connectionFileProblem { throw problem }
            if let note = try Self.palette(of: settings)?.note { console.printError("readings.palette: \(note)") }
            console.printError("\(settings.path ?? "No config.toml found, using the defaults"): no problems.")
        } catch {
            // For this command, the problems are the data.
            try console.write(error.description)
            throw ExitCode(ExitStatus.configuration.rawValue)
        }
    }
}
