import Configuration
import Files
import FoundationEssentials
import Glibc
import Handoff
import Inotify
import Logging
package import Readings
import Untrusted

/// The palette in use: that of a client, or else the one that the configuration names, which is read at the start, and
/// again whenever its file or its name changes.
package struct PaletteLoader: Sendable {
    private static let thread = "palette"
    private let shared: SharedState

    package init(_ shared: SharedState) { self.shared = shared }

    /// Reads the palette, and follows its changes until the task is cancelled.
    package func run() async {
        let (edits, loads) = (shared.config.updates(), shared.clientPalette.palette.updates())
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
                let path = shared.config.value.effective.readings.palette
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
                shared.clientPalette.configure(palette)
                shared.notices.post(nil, about: .palette)
                if let path, let palette {
                    let note = palette.note.map { " " + $0 } ?? ""
                    shared.log.info("Palette: \(path.sanitized()), \(palette.entries.count) colours.\(note)")
                }
            } catch {
                shared.clientPalette.configure(nil)
                let message = "The palette is not used. \(error)."
                // While a client's palette is in use, the configured one is not needed.
                shared.notices.post(shared.clientPalette.palette.value == nil ? message : nil, about: .palette)
                shared.log.warning("\(message)")
            }
        }
    }
}
