import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Palettes
import Readings
import State
import Storage
import Untrusted

/// The palette of clients: loading and removing it.
struct PaletteRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender

    var routes: [Route] {
        [
            Route(.PUT, "/api/palette", "Load a palette", loadPalette)
                .described(
                    "loadPalette",
                    "Readings name the nearest colour of the palette in `color.palette`, instead of that of the "
                        + "palette that `config.toml` names. The body is the content of a file: a palette of GIMP "
                        + "(.gpl), Adobe Swatch Exchange (.ase), Adobe Color (.aco), measurements by CGATS.17 or "
                        + "CxF3, or lines such as `Brand blue,#1F4E9B` or `Leaf,43.46,-12.74,22.72`, up to 64 KiB "
                        + "and 4,096 colours. The content decides the format. The palette is remembered for the next "
                        + "start.",
                    takes: .file("^[A-Za-z]{1,20},#[0-9A-F]{6}$", example: "Brand blue,#1F4E9B"),
                    isAlwaysReady: true,
                    .ok("What was loaded.", "LoadedPalette")),
            Route(.DELETE, "/api/palette", "Remove the palette that a client has loaded", removePalette)
                .described(
                    "removePalette", isAlwaysReady: true,
                    .ok("What was removed.", "LoadedPalette"),
                    .refusal(404, "No client has loaded a palette (`palette-not-found`).")),
            export(.gimp, "for GIMP", "exportPaletteForGIMP"),
            export(.adobeSwatchExchange, "in Adobe Swatch Exchange", "exportPaletteForAdobe"),
            export(.adobeColor, "in Adobe Color", "exportPaletteForPhotoshop"),
            export(.measurementTable, "as a table by CGATS.17", "exportPaletteMeasurements"),
        ]
    }

    private func export(_ format: PaletteFormat, _ description: String, _ id: String) -> Route {
        let summary = "The palette of which readings name the nearest colour, \(description)"
        return Route(.GET, "/palette.\(format.ending)", summary) { call in
            // The version comes first: it may be older than the palette, but never newer.
            let version = shared.palette.revision
            guard let palette = shared.palette.value else {
                throw HTTPError.noPalette(
                    "There is no palette. Load one with PUT /api/palette, or set readings.palette.")
            }
            let document = Document(
                key: "/palette.\(format.ending)", version: "\(version)", type: format.mediaType,
                headers: .download("swatchcam-palette.\(format.ending)")
            ) { format.data(palette.entries, title: "Swatchcam palette") }
            return try await documents.send(document, to: call)
        }
        .described(
            id,
            .download(
                "All its colours with their names.", format.mediaType.split(separator: ";").first.map(String.init) ?? ""
            ),
            .refusal(404, "There is no palette (`palette-not-found`)."))
    }

    private func loadPalette(_ call: Call) async throws -> HTTPResponse {
        let data = try await call.body()
        do {
            let palette = try await documents.cache.perform(isUrgent: true) { try PaletteFile.palette(data) }
            await shared.clientPalette.use(palette, from: data)
            return document(palette)
        } catch let error as PaletteFile.Problem {
            throw HTTPError.badRequest(code: "bad-palette", "This file is not used as a palette: \(error).")
        }
    }

    private func removePalette(_: Call) async throws -> HTTPResponse {
        guard let palette = shared.clientPalette.palette.value else {
            throw HTTPError.noPalette(
                "No client has loaded a palette. The one that config.toml names is removed there.")
        }
        await shared.clientPalette.remove()
        return document(palette)
    }

    private func document(_ palette: Palette) -> HTTPResponse {
        .json(PaletteDocument(palette: palette, problem: shared.clientPalette.problem))
    }
}

struct PaletteDocument: JSONFields {
    let palette: Palette
    let problem: String?

    static let fields: JSONFieldList<Self> = [
        .value("count", .integer(1...4096), "The number of colours.") { $0.palette.entries.count },
        .value(
            "note", .string.orNull,
            "That the encoding of the file was guessed, so that names may be wrong; null if it was not."
        ) { $0.palette.note },
        .value(
            "problem", .string.orNull, "Why the palette will be lost when Swatchcam stops; null if it will not."
        ) { $0.problem },
    ]
}

extension HTTPError {
    fileprivate static func noPalette(_ message: String) -> HTTPError { notFound(code: "palette-not-found", message) }
}

extension [HTTPHeader: String] {
    /// The headers of a file that browsers keep under this name.
    static func download(_ name: String) -> Self {
        [.cacheControl: "no-store", HTTPHeader("Content-Disposition"): "attachment; filename=\"\(name)\""]
    }
}
