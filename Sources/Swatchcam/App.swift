import ArgumentParser
import Configuration
import FoundationEssentials
import Glibc

/// The program, which parses the command line and turns errors into exit statuses.
@main
struct App: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "swatchcam",
        abstract: "Point a camera at something, open a page on localhost, and read its colour.",
        discussion: """
            The configuration is the first of these files that exists: --config FILE, ./config.toml, \
            $XDG_CONFIG_HOME/swatchcam/config.toml, /etc/swatchcam/config.toml. Without one, the defaults apply.

            Exit status: 0 success, 1 or 2 a verdict of read --target that is not a pass, 64 wrong usage, 69 the camera, the address or the running \
            instance cannot be used, 70 internal error, 74 output or sample not written, 77 permission \
            denied, 78 wrong configuration.
            """,
        version: version,
        subcommands: [
            ServeCommand.self, ReadCommand.self, CamerasCommand.self, CheckCommand.self, StatusCommand.self,
            SampleCommand.self, ExposureCommand.self, CalibrateCommand.self, AssetsCommand.self, TokenCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    /// Runs the command. Every error ends here as a message on stderr and an exit status; an error that left main would
    /// cause a crash with a stack trace.
    static func main() async {
        Start.fillStandardStreams()
        // A closed connection or pipe must only fail the write, not end the program.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot(Start.arguments())
            if var command = command as? any AsyncParsableCommand {
                // Without a broker, `check` never waits for a thread.
                if (command as? CheckCommand)?.connect != false { try Start.requireProc() }
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if let failure = Failure(error) {
                Console.standard.printError(failure.message)
                Glibc.exit(failure.status.rawValue)
            }
            // For wrong usage and --help, ArgumentParser has the message and the status (64 or 0).
            exit(withError: error)
        }
    }
}

/// The exit statuses of the program (sysexits.h).
enum ExitStatus: Int32 {
    case usage = 64
    case unavailable = 69
    case internalError = 70
    case inputOutput = 74
    case noPermission = 77
    case configuration = 78
}

/// The reason why a command failed.
struct Failure: Error {
    var status: ExitStatus
    /// A sentence for a person.
    var message: String
}

extension Failure {
    /// Creates a failure from an error of a command; nil for an error of ArgumentParser.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ConfigError:
            self.init(status: error.isUsage ? .usage : .configuration, message: error.description)
        default: return nil
        }
    }
}

extension ConfigError {
    /// Whether all problems come from the command line.
    fileprivate var isUsage: Bool { problems.allSatisfy { $0.key?.hasPrefix("--") == true } }
}
