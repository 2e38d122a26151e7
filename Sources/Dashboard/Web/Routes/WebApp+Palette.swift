import Capture
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Untrusted

/// The palette of clients: loading and removing it.
extension WebApp {
    /// Handles `PUT /api/palette` with the content of a file with colours.
    func loadPalette(_ request: HTTPRequest) async throws -> HTTPResponse {
        let data = try await request.body(upTo: RequestGuard.maxBodyLength)
        do throws(PaletteFile.Problem) {
            return document(try await shared.clientPalette.load(data))
        } catch {
            throw HTTPError(
                status: .badRequest, code: "bad-palette", message: "This file is not used as a palette: \(error).")
        }
    }

    /// Handles `DELETE /api/palette`, which answers about the removed palette.
    func removePalette() async throws -> HTTPResponse {
        guard let palette = shared.clientPalette.palette.value else {
            throw HTTPError(
                status: .notFound, code: "palette-not-found",
                message: "No client has loaded a palette. The one that config.toml names is removed there.")
        }
        await shared.clientPalette.remove()
        return document(palette)
    }

    private func document(_ palette: Palette) -> HTTPResponse {
        .json(PaletteDocument(count: palette.entries.count, problem: shared.clientPalette.problem))
    }
}

private struct PaletteDocument: Encodable {
    /// The number of colours.
    var count: Int
    /// Why the palette will be lost when the program ends; null if it is kept.
    @Nullable var problem: String?
}
