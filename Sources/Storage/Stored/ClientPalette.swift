package import FoundationEssentials
package import Handoff
package import Logging
package import Palettes
import Readings
import Synchronization

/// The palette that a client has loaded. It takes the place of the configured one until it is removed.
package final class ClientPalette: Sendable {
    private struct Source: Codable, Equatable {
        /// The file with colours, as it was loaded.
        var content: Data
    }

    /// The palette; nil if no client has loaded one.
    package let palette: Latest<Palette?>
    /// The configured palette, as it was last read; nil if there is none.
    let configured = Latest(Palette?.none)

    /// The palette whose nearest entry readings name.
    private let inUse: Latest<Palette?>
    private let file: StoredFile<Source>
    private let source: Mutex<Source?>

    /// Reads the palette that was loaded in an earlier run. It blocks the thread.
    /// - Parameters:
    ///   - inUse: Gets the palette that is in use.
    ///   - folder: The folder that keeps the file as it was loaded; nil to forget it at exit.
    package init(_ inUse: Latest<Palette?> = Latest(nil), folder: StateFolder? = nil, log: Logger) {
        self.inUse = inUse
        var parsed: Palette?
        // Base64 takes 4 bytes for 3.
        let maxSize = PaletteFile.maxSize / 3 * 4 + 1000
        file = StoredFile(
            "palette.json", for: "the palette", in: folder, maxSize: maxSize, maxTextLength: maxSize,
            log: RateLimitedLogger(log)
        ) { source in
            parsed = try? PaletteFile.palette(source.content)
            return parsed.map { _ in source }
        }
        source = Mutex(file.restored)
        palette = Latest(parsed)
        if let parsed { inUse.publish(parsed) }
    }

    /// A sentence about a palette that will be lost when the program ends; nil if there is none.
    package var problem: String? { file.problem }

    /// Uses a palette and keeps it. It waits for the disk.
    /// - Parameter data: The content of the file with its colours.
    package func use(_ palette: Palette, from data: Data) async { await change(to: palette, Source(content: data)) }

    /// Removes the palette, so that the configured one holds again. It waits for the disk.
    package func remove() async { await change(to: nil, nil) }

    private func change(to new: Palette?, _ content: Source?) async {
        source.withLock { source in
            source = content
            palette.publish(new)
            inUse.publish(new ?? configured.value)
        }
        await file.save { [self] in source.withLock(\.self) }
    }

    /// Uses the configured palette, unless a client has loaded one.
    func configure(_ new: Palette?) {
        source.withLock { _ in
            configured.publish(new)
            if palette.value == nil, inUse.value != new { inUse.publish(new) }
        }
    }
}
