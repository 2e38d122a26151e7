import Files
package import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Untrusted

/// The palette that a client has loaded. It takes the place of the configured one until it is removed.
package final class ClientPalette: Sendable {
    /// The palette; nil if no client has loaded one.
    package let palette = Latest(Palette?.none)

    private static let name = "palette"
    private let writer: StateWriter
    private let log: Logger

    /// - Parameter folder: The folder that keeps the file as it was loaded; nil to forget it at exit.
    package init(folder: StateFolder? = nil, log: Logger) {
        writer = StateWriter(folder, for: "palette")
        self.log = log
    }

    /// A sentence about a palette that will be lost when the program ends; nil if there is none.
    package var problem: String? { writer.problem }

    /// Reads the palette that was loaded in an earlier run. It blocks the thread.
    func restore() {
        guard let path = writer.folder.map({ StateWriter.path(of: Self.name, in: $0) }) else { return }
        do {
            guard let data = try RegularFile.content(of: path, maxSize: PaletteFile.maxSize) else { return }
            palette.publish(try PaletteFile.palette(data))
        } catch {
            log.warning("\(path.sanitized()) is not used: \(error.reason)")
        }
    }

    /// Loads a palette, and keeps it. It waits for the disk.
    /// - Parameter data: The content of a file with colours.
    package func load(_ data: Data) async throws(PaletteFile.Problem) -> Palette {
        let loaded = try PaletteFile.palette(data)
        await writer.replace(Self.name, with: data) { [palette] in palette.publish(loaded) }
        return loaded
    }

    /// Removes the palette, so that the configured one holds again. It waits for the disk.
    package func remove() async {
        await writer.remove(Self.name) { [palette] in palette.publish(nil) }
    }
}
