import ArgumentParser
import Configuration

/// The command `swatchcam token`, which prints a secret for `web.token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print a new random token for web.token or web.view_token.")

    func run() throws { try run(on: .standard) }

    func run(on console: Console) throws(Failure) {
        try console.write(Token.random())
    }
}
