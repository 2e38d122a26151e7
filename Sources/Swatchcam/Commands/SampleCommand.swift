import ArgumentParser
import Capture
import Color
import Configuration
import Dashboard
import Documents
import FoundationEssentials
import Handoff
import Logging
import Readings
import State
import Storage

/// The command `swatchcam sample`, which takes a sample.
struct SampleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample", abstract: "Take a sample: the mean of several readings.",
        discussion: """
            The running Swatchcam, whose address and port are taken from the configuration, takes the sample and \
            keeps it. If none is running, this command uses the camera itself, as read does, and keeps the sample in \
            the same place. web.token is never sent: if it is set, only the page and the API take samples.
            """)

    @OptionGroup var options: ConfigOptions

    @OptionGroup var settling: SettlingOption

    @OptionGroup var running: AddressOptions

    @Option(help: ArgumentHelp("The name of the sample, of up to 100 characters.", valueName: "text"))
    var name = ""

    @Option(help: ArgumentHelp("The number of readings to average, 1 to 256.", valueName: "n"))
    var readings = Sample.defaultReadings

    @Flag(help: "Print the sample as a JSON object on one line.")
    var json = false

    func validate() throws {
        let range = Sample.readingCounts
        guard range ~= readings else {
            throw ValidationError("--readings: \(readings) is out of range \(range.lowerBound)...\(range.upperBound)")
        }
        guard SampleName(name, id: 1) != nil else {
            throw ValidationError("--name: a name has at most \(SampleName.maxLength) characters")
        }
    }

    func run() async throws { try await run(on: .standard) }

    /// - Parameter clocks: The clocks that measure the time limits.
    func run(
        on console: Console, environment: [String: String] = ProcessInfo.processInfo.environment,
        clocks: Clocks = Clocks()
    ) async throws {
        let config = try options.resolve(address: running.address, port: running.port).effective
        let client = InstanceClient(config.web, clocks: clocks)
        // If another program listens at this address, this command can still use the camera.
        if let response = await client.get("/healthz"), HealthReport(response) != nil {
            try await requestSample(from: client, config, on: console)
        } else {
            try await take(config, environment, clocks, on: console)
        }
    }

    // MARK: The running instance

    private struct SampleRequest: Encodable {
        var name: String
        var readings: Int
    }

    private struct StorageProblem: Decodable {
        var problem: String?
    }

    private func requestSample(from client: InstanceClient, _ config: Config, on console: Console) async throws {
        let place = client.address
        guard options.device == nil else {
            throw Failure(
                status: .usage,
                message: "--device: Swatchcam is running at \(place), and takes the sample with the camera that it "
                    + "uses. Choose another camera on its page.")
        }
        let instance = RunningInstance(
            client: client, alternative: "Take the sample", method: "POST", path: "/api/samples")
        guard config.web.token == nil else { throw instance.tokenNeeded }
        // The server gives up earlier, unless its configuration has been edited since.
        let limit = Duration.seconds(60 + 4 * Double(readings) / config.readings.rate)
        let request = SampleRequest(name: name, readings: readings)
        guard let response = await client.post(instance.path, request, within: limit) else {
            throw instance.failure("Swatchcam did not answer in time. Try again.")
        }
        let sample: Sample = try instance.decoded(response)
        try show(sample, response.body, on: console)
        if let problem = response.decoded(as: StorageProblem.self)?.problem { throw Failure.notKept(problem.excerpt) }
    }

    // MARK: The camera

    private func take(
        _ config: Config, _ environment: [String: String], _ clocks: Clocks, on console: Console
    ) async throws {
        var state = try options.sharedState(config)
        let stateFolder = StateFolder(environment: environment)
        state.chosenCamera = StoredValue(reading: "camera", in: stateFolder, log: state.log)
        (state.clocks, state.settlingTime) = (clocks, settling.wait)
        let shared = state
        let collector: SampleCollector
        let controls: [String: Sample.ControlValue]
        do {
            // At the end of this scope, the capture is cancelled, and the camera is released.
            async let _: Void = CaptureThread.run(shared)
            collector = try await shared.measure(readings, with: config)
            controls = shared.readings.value.camera?.readControls() ?? [:]
        }
        // The folder is not claimed before now, because only one program at a time can write there.
        let store = SampleStore(folder: stateFolder, log: shared.log)
        let added = await store.add { id in
            SampleName(name, id: id).flatMap {
                collector.sample(
                    id: id, name: $0.text, controls: controls, targets: config.targets.map(\.colorTarget))
            }
        }
        guard let added else {
            throw Failure(
                status: .unavailable,
                message: "No more samples are kept: the limit is \(SampleList.limit). Delete some on the page.")
        }
        let loss = store.lossReason.map { "This sample is not kept. \($0)" }
        try show(added, JSONWriter.data(Stored(added, problem: loss)), on: console)
        if let loss { throw Failure.notKept(loss) }
        if let problem = store.problem { console.printError(problem) }
    }

    private func show(_ sample: Sample, _ document: Data, on console: Console) throws(Failure) {
        if json { try console.write(json: document) } else { try console.write(sample.line) }
    }
}

extension SharedState {
    /// Waits until there is a colour, and then for readings of frames that are captured from then on.
    func measure(_ count: Int, with config: Config) async throws -> SampleCollector {
        // Unwatched, a camera is read once a minute.
        let watching = demand.watch()
        defer { withExtendedLifetime(watching) {} }
        for await reading in readings.updates() where try reading.isUsable(with: config) { break }
        let taker = SampleTaker(readings: readings, demand: demand, clocks: clocks)
        do throws(SampleTaker.Failure) {
            return try await taker.take(
                count, in: config.readings.region, rate: config.readings.rate, frames: config.readings.frames)
        } catch {
            throw Failure(status: .unavailable, message: error.advice)
        }
    }
}

extension Failure {
    /// The failure if a sample was printed but will be lost.
    fileprivate static func notKept(_ message: String) -> Failure { Failure(status: .inputOutput, message: message) }
}

extension SampleTaker.Failure {
    fileprivate var advice: String {
        switch self {
        case .noColor, .interrupted: sentence
        case .tooSlow: "\(sentence) Take the sample again."
        case .cancelled: "The sample was not taken. Try again."
        }
    }
}

extension Sample {
    /// The sample as a line for people: `Leaf: #3FA7D6  R: 63 G: 167 B: 214  L*: 64.12 a*: -19.48 b*: -33.15  16
    /// readings`.
    var line: String {
        let (color, lab) = (color, lab)
        let figures = [("L*", lab.lightness), ("a*", lab.a), ("b*", lab.b)]
            .map { "\($0.0): \($0.1.rounded(decimals: 2).formatted(decimals: 2))" }
        let error = standardError.map { ", standard error ΔE \($0.deltaE.formatted(decimals: 2))" } ?? ""
        let count = readings == 1 ? "1 reading" : "\(readings) readings"
        let quality = quality.map { ", quality \($0.grade)" } ?? ""
        return "\(name): \(color.hex)  R: \(color.r) G: \(color.g) B: \(color.b)  "
            + "\(figures.joined(separator: " "))  \(count)\(error)\(quality)"
    }
}
