import ArgumentParser
import Configuration
import Dashboard
import Documents
import FoundationEssentials
import Handoff
import Readings
import Untrusted

/// The command `swatchcam exposure`, which makes the running instance set the exposure of its camera.
struct ExposureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure", abstract: "Set the exposure of the camera once.",
        discussion: """
            The running Swatchcam, whose address and port are taken from the configuration, turns automatic exposure \
            and gain off, and sets the exposure so that the 99th percentile of the region's brightest channel is 80 % \
            of the range. The lines for config.toml that restore it are printed. web.token is never sent: if it is \
            set, only the page and the API set the exposure.
            """)

    @OptionGroup var file: FileOption

    @OptionGroup var running: AddressOptions

    /// The time after which the instance should have ended its search, in seconds.
    private static let maxTime = 30.0

    /// The part of the response that this command reads.
    private struct Document: Decodable {
        struct Exposure: Decodable {
            var phase: String
            var level: Double?
            var message: String?
            var config: String?
        }

        var exposure: Exposure?
    }

    func run() async throws { try await run(on: .standard) }

    /// - Parameter clocks: The clocks that measure the time limits.
    func run(on console: Console, clocks: Clocks = Clocks()) async throws {
        let web = try file.resolve(running.overrides).effective.web
        let instance = RunningInstance(
            client: InstanceClient(web, clocks: clocks), alternative: "Set the exposure", method: "POST",
            path: "/api/controls/exposure")
        guard web.token == nil else { throw instance.tokenNeeded }
        let start = clocks.now()
        var response = await instance.client.post(
            instance.path, [String: Int](), within: InstanceClient.timeLimit * 2)
        while true {
            let document: Document = try instance.decoded(response)
            guard document.exposure?.phase == "setting" else {
                return try show(document.exposure, of: instance, on: console)
            }
            guard clocks.now() - start < Self.maxTime else {
                throw instance.failure("the exposure is still being set. Try again.")
            }
            if response?.status != 202 { try await clocks.sleep(.milliseconds(300)) }
            response = await instance.client.get("/api/controls", with: web.viewToken)
        }
    }

    private func show(
        _ exposure: Document.Exposure?, of instance: RunningInstance, on console: Console
    ) throws(Failure) {
        guard let exposure, exposure.phase == "set" || exposure.phase == "failed" else {
            throw instance.failure("the exposure was not set, because the camera or its controls were changed.")
        }
        let level = exposure.level.flatMap { level in
            0...1 ~= level
                ? "The 99th percentile of the brightest channel is \((level * 100).formatted(decimals: 1)) % of the range."
                : nil
        }
        let lines = ["# \(level ?? "The level is not known.")", exposure.config ?? ""]
        try console.write(lines.joined(separator: "\n").trimmed)
        guard exposure.phase == "set" else {
            throw instance.failure("the exposure is not as wanted. \((exposure.message ?? "").excerpt)")
        }
    }
}
