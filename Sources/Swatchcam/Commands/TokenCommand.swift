import ArgumentParser
import Configuration

/// The command `swatchcam token`, which prints a secret for `web.token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print a new random token for web.token or web.view_token.")

    func run() throws {
        try Console.write(Token.random())
    }
}
