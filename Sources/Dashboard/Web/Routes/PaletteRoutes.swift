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
            Route(.PUT, "/api/palette", "Load a palette", loadPalette),
            Route(.DELETE, "/api/palette", "Remove the palette that a client has loaded", removePalette),
            export(.gimp, "for GIMP"), export(.adobeSwatchExchange, "in Adobe Swatch Exchange"),
            export(.adobeColor, "in Adobe Color"), export(.measurementTable, "as a table by CGATS.17"),
        ]
    }

    private func export(_ format: PaletteFormat, _ description: String) -> Route {
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
        .json(
            PaletteDocument(count: palette.entries.count, note: palette.note, problem: shared.clientPalette.problem))
    }
}

private struct PaletteDocument: Encodable {
    /// The number of colours.
    var count: Int
    /// A guess about the encoding of the file, on which the names depend; null if there was none.
    @Nullable var note: String?
    /// Why the palette will be lost when the program ends; null if it is kept.
    @Nullable var problem: String?
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
