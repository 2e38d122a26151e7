package import Configuration
package import Documents
import Files
import FoundationEssentials
import Glibc
package import Handoff
import Inotify
package import Logging
package import Palettes
import Readings
import Untrusted

/// The palette in use: that of a client, or else the one that the configuration names, which is read at the start, and
/// again whenever its file or its name changes.
package struct PaletteLoader: Sendable {
    private static let thread = "palette"
    private let config: Latest<Settings>
    private let clientPalette: ClientPalette
    private let notices: Notices
    private let log: Logger

    package init(_ config: Latest<Settings>, _ clientPalette: ClientPalette, notices: Notices, log: Logger) {
        (self.config, self.clientPalette, self.notices, self.log) = (config, clientPalette, notices, log)
    }

    /// Reads the palette, and follows its changes until the task is cancelled.
    package func run() async {
        let (edits, loads) = (config.updates(), clientPalette.palette.updates())
        // Without a watch, the file is read again when another one is named.
        let watch = try? DirectoryWatch()
        let (checks, check) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let hasChanged = Latest(true)
        check.yield()
        await withTaskGroup { group in
            group.addTask { for await _ in edits { check.yield() } }
            group.addTask {
                for await _ in loads {
                    hasChanged.publish(true)
                    check.yield()
                }
            }
            group.addTask {
                guard let watch else { return }
                for await _ in watch.changes {
                    hasChanged.publish(true)
                    check.yield()
                }
            }
            var last: String?
            for await _ in checks {
                let path = config.value.effective.readings.palette
                guard path != last || hasChanged.value else { continue }
                last = path
                hasChanged.publish(false)
                // The watch must be set up before the file is read, so that no later change is missed.
                _ = watch?.replace(with: path.map { [Self.folder(of: $0)] } ?? [])
                await load(path)
            }
        }
    }

    private static func folder(of path: String) -> WatchedFolder {
        let url = URL(filePath: path)
        let name = url.lastPathComponent
        return WatchedFolder(url.deletingLastPathComponent().path, [.entries, .contents]) { $0 == name }
    }

    /// Reads a palette.
    /// - Throws: `PaletteFile.Problem`, whose sentence begins with the path.
    package static func palette(at path: String) throws(PaletteFile.Problem) -> Palette {
        do {
            guard let data = try RegularFile.content(of: path, maxSize: PaletteFile.maxSize, followsLinks: true) else {
                throw POSIXError(.ENOENT)
            }
            return try PaletteFile.palette(data)
        } catch {
            throw PaletteFile.Problem("\(path.sanitized()): \(error.reason)")
        }
    }

    /// Reads the palette on a thread of its own, because a disk can take seconds.
    private func load(_ path: String?) async {
        await BlockingThread.run(named: Self.thread) {
            do throws(PaletteFile.Problem) {
                let palette = try path.map { path throws(PaletteFile.Problem) in try Self.palette(at: path) }
                clientPalette.configure(palette)
                notices.post(nil, about: .palette)
                if let path, let palette {
                    let note = palette.note.map { " " + $0 } ?? ""
                    log.info("Palette: \(path.sanitized()), \(palette.entries.count) colours.\(note)")
                }
            } catch {
                clientPalette.configure(nil)
                let message = "The palette is not used. \(error)."
                // While a client's palette is in use, the configured one is not needed.
                notices.post(clientPalette.palette.value == nil ? message : nil, about: .palette)
                log.warning("\(message)")
            }
        }
    }
}
