import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Untrusted
import V4L2

/// Samples: taking, listing, naming, deleting and exporting them.
extension WebApp {
    /// The time between two checks that the client of a sample is still connected.
    private static let clientCheckPeriod = Duration.milliseconds(500)

    /// The maximum number of samples that a client takes at the same time.
    static let maxSamplesPerClient = 8

    func listSamples(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let problem = JSONText.data(of: shared.samples.problem)
        return try await send(
            list(between: Data(#"{"problem":"#.utf8) + problem + Data(#","samples":["#.utf8), and: "]}"),
            type: "application/json", headers: [.cacheControl: "no-store"], to: principal.key)
    }

    func showSample(_ id: Substring) throws(HTTPError) -> HTTPResponse {
        guard let id = Self.number(id), let sample = shared.samples.sample(id) else {
            throw .noSample
        }
        return document(sample)
    }

    /// Handles `POST /api/samples` with `{"name": ..., "readings": ...}`, both of them optional. The response follows
    /// when all readings have arrived.
    func takeSample(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let wanted = try await request.json(SampleRequest.self, keys: ["name", "readings"], orRefuse: .badSample)
        let count = wanted.readings ?? Sample.defaultReadings
        guard Sample.readingCounts ~= count else { throw HTTPError.badReadings }
        guard SampleName(wanted.name ?? "", id: 1) != nil else { throw HTTPError.longName }
        guard !shared.samples.list.isFull else { throw HTTPError.full }
        guard let place = sampling.begin(for: principal.key) else { throw HTTPError.tooManySamples }
        defer { withExtendedLifetime(place) {} }
        let added: Sample
        do throws(SampleRefusal) {
            // The client may have logged out when the sample is complete, or the tokens may have changed.
            added = try await shared.takeSample(
                named: wanted.name ?? "", of: count, until: clientIsGone(request),
                isAdmitted: { access.stillAdmits(principal) })
        } catch {
            throw HTTPError(error)
        }
        var response = document(added, status: .created)
        response.headers[.location] = "/api/samples/\(added.id)"
        return response
    }

    /// Waits for readings of frames that are captured from now on.
    func collect(_ count: Int, _ request: HTTPRequest, _ principal: Principal) async throws -> SampleCollector {
        guard let place = sampling.begin(for: principal.key) else { throw HTTPError.tooManySamples }
        defer { withExtendedLifetime(place) {} }
        do throws(SampleRefusal) {
            return try await shared.collectReadings(
                count, until: clientIsGone(request), isAdmitted: { access.stillAdmits(principal) }
            ).collector
        } catch {
            throw HTTPError(error)
        }
    }

    /// Handles `PATCH /api/samples/{id}` with `{"name": ...}`.
    func renameSample(_ id: Substring, _ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try await request.text("name", orRefuse: .badSampleChange)
        guard let id = Self.number(id) else { throw HTTPError.noSample }
        guard let name = SampleName(name, id: id) else { throw HTTPError.longName }
        guard let sample = await shared.samples.rename(id, to: name.text) else { throw HTTPError.noSample }
        return document(sample)
    }

    /// Handles `DELETE /api/samples/{id}`, which answers with the deleted sample.
    func deleteSample(_ id: Substring) async throws -> HTTPResponse {
        guard let id = Self.number(id), let sample = await shared.samples.remove(id) else { throw HTTPError.noSample }
        return document(sample)
    }

    /// Handles `GET /samples.csv[?separator=;][&decimal=,][&bom=1]`.
    func exportSamplesCSV(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let format = try request.tableFormat()
        return try await file("csv \(format)", "text/csv; charset=utf-8; header=present", request, principal) {
            SampleCSV(format).data($0.decoded)
        }
    }

    func exportSamples(
        as format: PaletteFormat, _ request: HTTPRequest, _ principal: Principal
    ) async throws -> HTTPResponse {
        try await file(format.ending, format.mediaType, request, principal) { list in
            format.data(list.decoded.map { Palette.Entry($0) }, title: "Swatchcam samples")
        }
    }

    func exportSamplesJSON(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await send(
            list(between: Data("{\"samples\": [\n".utf8), and: "\n]}\n", separator: ",\n"), type: "application/json",
            headers: .download("swatchcam-samples.json"), to: principal.key)
    }

    /// Returns the samples in pieces of JSON, which share the memory of the samples that are kept.
    private func list(between start: Data, and end: String, separator: String = ",") -> [Data] {
        let separator = Data(separator.utf8)
        var pieces = [start]
        for sample in shared.samples.list.samples {
            if pieces.count > 1 { pieces.append(separator) }
            pieces.append(sample.json)
        }
        return pieces + [Data(end.utf8)]
    }

    /// - Parameter kind: The ending of the file's name, and after a space what else distinguishes files with this ending.
    private func file(
        _ kind: String, _ type: String, _ request: HTTPRequest, _ principal: Principal,
        _ content: @escaping @Sendable (SampleList) -> Data
    ) async throws -> HTTPResponse {
        let (samples, ending) = (shared.samples, kind.prefix { $0 != " " })
        let document = Document(
            key: "/samples.\(kind)", version: samples.version, type: type,
            headers: .download("swatchcam-samples.\(ending)")
        ) { content(samples.list) }
        return try await send(document, to: principal.key, request)
    }

    private func document(_ sample: Sample, status: HTTPStatusCode = .ok) -> HTTPResponse {
        .json(Stored(sample, problem: shared.samples.problem), status: status)
    }

    /// Returns a function that waits until the client has closed the connection, or the task is cancelled.
    func clientIsGone(_ request: HTTPRequest) -> @Sendable () async -> Void {
        let socket = request.directSocket
        return {
            while socket?.isClosedByClient != true {
                guard (try? await Task.sleep(for: Self.clientCheckPeriod)) != nil else { return }
            }
        }
    }

    /// Parses the number of a sample or a mark; returns nil unless it is written as the API writes it.
    static func number(_ text: Substring) -> Int? {
        Int(text).flatMap { String($0).utf8.elementsEqual(text.utf8) ? $0 : nil }
    }
}

private struct SampleRequest: Decodable {
    var name: String?
    var readings: Int?
}

extension HTTPError {
    static let noSample = notFound(code: "sample-not-found", "There is no such sample. /api/samples lists them.")

    fileprivate static let badSample = badSample(
        "Send a JSON object such as {\"name\": \"Leaf\", \"readings\": 16}; both keys are optional.")

    fileprivate static let badSampleChange = badSample(
        "Send a JSON object with a name and nothing else, such as {\"name\": \"Leaf\"}.")

    fileprivate static let badReadings = badSample(
        "readings must be in \(Sample.readingCounts.lowerBound)...\(Sample.readingCounts.upperBound).")

    fileprivate static let longName = badSample("A name has at most \(SampleName.maxLength) characters.")

    private static func badSample(_ message: String) -> HTTPError { badRequest(code: "bad-sample", message) }

    fileprivate static let full = conflict(
        code: "samples-full",
        "No more samples are kept: the limit is \(SampleList.limit). Export them, and delete some.")

    fileprivate static let tooManySamples = unavailable(
        code: "too-many-samples",
        "\(WebApp.maxSamplesPerClient) samples are under way. Try again when one is complete.", retryAfter: 1)

    fileprivate static func interrupted(_ change: String) -> HTTPError {
        HTTPError.conflict(code: "sample-interrupted", "\(change) while the sample was being taken. Take it again.")
    }

    init(_ refusal: SampleRefusal) {
        switch refusal {
        case .full: self = .full
        case .failed(let failure): self.init(failure)
        case .changed(let change): self = .interrupted(change)
        case .notAdmitted: self = .noToken
        }
    }

    private init(_ failure: SampleTaker.Failure) {
        switch failure {
        case .noColor(let state, let sentence):
            self = .unavailable(code: state.rawValue, sentence)
        case .interrupted(let sentence):
            self = .conflict(code: "sample-interrupted", sentence)
        case .tooSlow:
            self = .unavailable(code: "slow-camera", "The camera has not delivered enough frames in time. Try again.")
        case .cancelled:
            self = .unavailable(code: "unavailable", "Swatchcam is stopping. Try again later.")
        }
    }
}
