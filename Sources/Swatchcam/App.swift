import ArgumentParser

/// The program: one binary, a few commands.
@main
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swatchcam",
        abstract: "Point a camera at something, open a page on localhost, and read its colour.")
}
