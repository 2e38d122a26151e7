import ArgumentParser

/// `swatchcam serve`: the dashboard, until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the dashboard until interrupted (the default).")

    @OptionGroup var options: ConfigOptions

    @Option(help: "Listen on this address.")
    var address: String?

    @Option(help: "Listen on this port.")
    var port: String?

    func run() async throws {
        _ = try options.resolve(address: address, port: port)
    }
}
