import ArgumentParser
import Configuration
import Dashboard
import FoundationEssentials
import Handoff

/// The command `swatchcam status`, which reports the health of the running instance.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Report the health of the running Swatchcam.",
        discussion: """
            Its address and port are taken from the configuration. If the configuration contains a view token, the \
            reading is shown; the control token is never sent. The exit status is 69 if the instance is not healthy.
            """)

    @OptionGroup var file: FileOption

    @OptionGroup var running: AddressOptions

    @Flag(help: "Print its newest reading as a JSON object.")
    var json = false

    func run() async throws { try await run(on: .standard) }

    /// - Parameter clocks: The clocks that measure the time limit, which is one for all responses together.
    func run(on console: Console, clocks: Clocks = Clocks()) async throws {
        let web = try file.resolve(running.overrides).effective.web
        let client = InstanceClient(web, clocks: clocks)
        let place = client.address
        let start = clocks.now()
        // /healthz requires no token.
        guard let response = await client.get("/healthz") else {
            throw Failure(
                status: .unavailable, message: "\(place): Swatchcam does not answer. Start it with: swatchcam serve")
        }
        guard let health = HealthReport(response) else { throw notSwatchcam(at: place, response) }
        // Any program may be listening there, so the control token is never sent.
        if web.token != nil, web.viewToken == nil {
            try show(response.body, "http://\(place)/: \(health.text)", on: console)
            console.printError("To see the reading too, set web.view_token: web.token is never sent.")
        } else {
            let timeLeft = InstanceClient.timeLimit - .seconds(clocks.now() - start)
            let reading = await client.get("/api/reading", with: web.viewToken, within: timeLeft)
            guard let reading else {
                throw Failure(status: .unavailable, message: "\(place): Swatchcam did not answer in time. Try again.")
            }
            if let report = ReadingReport(reading) {
                try show(reading.body, "http://\(place)/: \(health.verdict)\n\(report.text)", on: console)
            } else if let refusal = ErrorReport(reading) {
                try show(response.body, "http://\(place)/: \(health.text)", on: console)
                console.printError(
                    refusal.concernsToken
                        ? "To see the reading too, name its configuration with --config: the reading needs web.view_token."
                        : "The reading is not shown. \(refusal.message)")
            } else {
                throw notSwatchcam(at: place, reading)
            }
        }
        guard health.isHealthy else { throw ExitCode(ExitStatus.unavailable.rawValue) }
    }

    private func show(_ document: Data, _ text: String, on console: Console) throws(Failure) {
        if json { try console.write(json: document) } else { try console.write(text) }
    }

    private func notSwatchcam(at place: ListeningAddress, _ response: InstanceResponse) -> Failure {
        Failure(status: .unavailable, message: "\(place): another program answers there (\(response.status))")
    }
}

struct HealthReport {
    private struct Document: Decodable {
        struct Broker: Decodable {
            var connected: Bool
        }

        var status: String
        var broker: Broker?
    }

    /// Whether the instance is connected to its broker; nil if it has none, or is not healthy.
    private let isConnected: Bool?
    /// The reason why the instance is not healthy; nil if it is.
    private let problem: ErrorReport?

    /// Creates a report from a response; nil if it is not from Swatchcam.
    init?(_ response: InstanceResponse) {
        if response.status == 200, let document = response.decoded(as: Document.self), document.status == "ok" {
            (problem, isConnected) = (nil, document.broker?.connected)
        } else if response.status == 503, let report = ErrorReport(response) {
            (problem, isConnected) = (report, nil)
        } else {
            return nil
        }
    }

    var isHealthy: Bool { problem == nil }

    /// The health, and whether there is a connection to the broker, which is not part of it.
    var verdict: String {
        let broker = isConnected.map { $0 ? ", connected to the broker" : ", not connected to the broker" }
        return (isHealthy ? "healthy" : "not healthy") + (broker ?? "")
    }

    /// The verdict and its reason, each on its own line.
    var text: String { ([verdict] + [problem?.message].compactMap(\.self)).joined(separator: "\n") }
}

/// The error document with which every route refuses a request.
struct ErrorReport {
    private struct Document: Decodable {
        struct Content: Decodable {
            var code: String
            var message: String
        }

        var error: Content
    }

    let code: String
    /// The reason for the refusal, and what to do, on one printable line.
    let message: String

    /// Creates a report from a response; nil if it is not a refusal from Swatchcam.
    init?(_ response: InstanceResponse) {
        guard response.status != 200, let content = response.decoded(as: Document.self)?.error else { return nil }
        (code, message) = (content.code, content.message.excerpt)
    }

    /// Whether the request had no token, or one that the instance does not accept.
    var concernsToken: Bool { code == "no-token" || code == "wrong-token" }
}
