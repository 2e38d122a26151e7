import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Palettes
import Readings
import State
import Storage
import V4L2

/// Samples: taking, listing, naming, deleting and exporting them.
struct SampleRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender
    let measuring: Measuring

    var routes: [Route] {
        [
            Route(.GET, "/api/samples", "The samples", listSamples)
                .described("listSamples", .ok("All samples, in the order in which they were taken.", "SampleList")),
            Route(.GET, "/api/samples/{id}", parameters: [.sample], "A sample") { document(try sample($0)) }
                .described(
                    "getSample", isAlwaysReady: true,
                    .ok("The sample.", "StoredSample"),
                    .refusal(404, "There is no such sample.")),
            Route(.POST, "/api/samples", "Take a sample", takeSample)
                .described(
                    "takeSample",
                    "Averages new readings, one for each frame, and keeps the result. The response comes when they "
                        + "have arrived: 16 take four seconds at four readings a second. If the client closes the "
                        + "connection earlier, no sample is taken. There are at most 1,000 samples, and 8 under way "
                        + "at a time.",
                    takes: .json("SampleOrder"),
                    .created("The sample.", "StoredSample", headers: [.init("Location", "The path of the sample.")]),
                    .refusal(
                        409,
                        "The camera, its format, a control, the region or the configuration changed while the sample "
                            + "was being taken, or there are 1,000 samples; `code` says which."),
                    .refusal(
                        503,
                        "There is no colour (`code` is the state of the reading), the frames have not arrived in "
                            + "time, too many samples are under way, or Swatchcam is stopping.")),
            Route(.PATCH, "/api/samples/{id}", parameters: [.sample], "Rename a sample", renameSample)
                .described(
                    "renameSample", takes: .json("SampleChange"), isAlwaysReady: true,
                    .ok("The sample with its new name.", "StoredSample"),
                    .refusal(404, "There is no such sample.")),
            Route(.DELETE, "/api/samples/{id}", parameters: [.sample], "Delete a sample", deleteSample)
                .described(
                    "deleteSample", isAlwaysReady: true,
                    .ok("The deleted sample.", "StoredSample"),
                    .refusal(404, "There is no such sample.")),
            Route(.GET, "/samples.csv", parameters: Parameter.tableFormat, "The samples as a table", exportTable)
                .described(
                    "exportSampleTable",
                    "In UTF-8, with a header and one row for each sample. Texts are quoted; an apostrophe is put before "
                        + "anything that would begin a formula in a spreadsheet.",
                    .download("The table.", "text/csv")),
            Route(.GET, "/samples.json", "The samples as a file") {
                try await documents.send(
                    list(between: Data("{\"samples\": [\n".utf8), and: "\n]}\n", separator: ",\n"),
                    type: "application/json", headers: .download("swatchcam-samples.json"), to: $0)
            }
            .described(
                "exportSamples",
                .ok(
                    "All samples.",
                    .object([
                        .init("samples", .array(of: .component("Sample"), 0...SampleList.capacity))
                    ]),
                    headers: [.fileName])),
            export(.gimp, "The samples as a palette of GIMP")
                .described(
                    "exportSamplePalette", .download("The palette, which Inkscape and Krita read too.", "text/plain")),
            export(.adobeSwatchExchange, "The samples in Adobe Swatch Exchange")
                .described(
                    "exportSampleSwatches",
                    .download("The colours in sRGB, with their names.", "application/octet-stream")),
            export(.adobeColor, "The samples as a palette of Adobe Color")
                .described(
                    "exportSampleColors",
                    .download("The colours in sRGB, with their names.", "application/octet-stream")),
            export(.measurementTable, "The samples as a table by CGATS.17")
                .described(
                    "exportSampleMeasurements",
                    .download(
                        "The colours in CIELAB for D50 and 2°, with their names, as Argyll and other programs for "
                            + "measuring read them.", "text/plain")),
        ]
    }

    private func export(_ format: PaletteFormat, _ summary: String) -> Route {
        Route(.GET, "/samples.\(format.ending)", summary) {
            try await file(format.ending, format.mediaType, $0) { list in
                format.data(list.decoded.map { Palette.Entry($0) }, title: "Swatchcam samples")
            }
        }
    }

    private func exportTable(_ call: Call) async throws -> HTTPResponse {
        let format = try call.request.tableFormat()
        return try await file("csv \(format)", "text/csv; charset=utf-8; header=present", call) {
            SampleCSV(format).data($0.decoded)
        }
    }

    private func listSamples(_ call: Call) async throws -> HTTPResponse {
        let problem = JSONText.data(of: shared.samples.problem)
        return try await documents.send(
            list(between: Data(#"{"problem":"#.utf8) + problem + Data(#","samples":["#.utf8), and: "]}"),
            type: "application/json", headers: [.cacheControl: "no-store"], to: call)
    }

    /// Returns the sample that a request names.
    private func sample(_ call: Call) throws(HTTPError) -> Sample {
        guard let id = call.number, let sample = shared.samples.sample(id) else { throw .noSample }
        return sample
    }

    private func takeSample(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(SampleRequest.self, keys: ["name", "readings"], orRefuse: .badSample)
        let count = wanted.readings ?? Sample.defaultReadings
        guard Sample.readingCounts ~= count else {
            throw HTTPError.badSample(
                "readings must be in \(Sample.readingCounts.lowerBound)...\(Sample.readingCounts.upperBound).")
        }
        guard SampleName(wanted.name ?? "", id: 1) != nil else { throw HTTPError.longName }
        guard !shared.samples.list.isFull else { throw HTTPError.tooManyKept }
        let added = try await measuring.measure(
            for: call, in: measuring.shares.sampling, orRefuse: .tooManySamples
        ) { clientIsGone, isAdmitted throws(MeasuringRefusal) in
            try await shared.takeSample(
                named: wanted.name ?? "", of: count, until: clientIsGone, isAdmitted: isAdmitted)
        }
        var response = document(added, status: .created)
        response.headers[.location] = "samples/\(added.id)"
        return response
    }

    private func renameSample(_ call: Call) async throws -> HTTPResponse {
        let name = try await call.text("name", orRefuse: .badSampleChange)
        guard let id = call.number else { throw HTTPError.noSample }
        guard let name = SampleName(name, id: id) else { throw HTTPError.longName }
        guard let sample = await shared.samples.rename(id, to: name.text) else { throw HTTPError.noSample }
        return document(sample)
    }

    private func deleteSample(_ call: Call) async throws -> HTTPResponse {
        guard let id = call.number, let sample = await shared.samples.remove(id) else { throw HTTPError.noSample }
        return document(sample)
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
        _ kind: String, _ type: String, _ call: Call, _ content: @escaping @Sendable (SampleList) -> Data
    ) async throws -> HTTPResponse {
        let (samples, ending) = (shared.samples, kind.prefix { $0 != " " })
        let document = Document(
            key: "/samples.\(kind)", version: samples.version, type: type,
            headers: .download("swatchcam-samples.\(ending)")
        ) { content(samples.list) }
        return try await documents.send(document, to: call)
    }

    private func document(_ sample: Sample, status: HTTPStatusCode = .ok) -> HTTPResponse {
        .json(Stored(sample, problem: shared.samples.problem), status: status)
    }
}

extension Parameter {
    fileprivate static let sample = number("The number of the sample in `/api/samples`.", example: "7")
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

    fileprivate static let longName = badSample("A name has at most \(SampleName.maxLength) characters.")

    fileprivate static func badSample(_ message: String) -> HTTPError { badRequest(code: "bad-sample", message) }

    static let tooManyKept = conflict(
        code: "samples-full",
        "No more samples are kept: the limit is \(SampleList.limit). Export them, and delete some.")
}
