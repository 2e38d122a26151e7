import Files
package import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Synchronization
import Untrusted

/// The palette that a client has loaded. It takes the place of the configured one until it is removed.
package final class ClientPalette: Sendable {
    /// The palette; nil if no client has loaded one.
    package let palette = Latest(Palette?.none)

    private let folder: StateFolder?
    private let log: Logger
    /// Why the palette is not kept; nil if it is.
    private let failure = Mutex(String?.none)
    /// The change that was requested last.
    private let lastChange = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter folder: The folder that keeps the file as it was loaded; nil to forget it at exit.
    package init(folder: StateFolder? = nil, log: Logger) {
        self.folder = folder
        self.log = log
    }

    /// A sentence about a palette that will be lost when the program ends; nil if there is none.
    package var problem: String? {
        failure.withLock { $0 }.map { "The palette will not be remembered for the next start: \($0)" }
    }

    /// Reads the palette that was loaded in an earlier run. It blocks the thread.
    func restore() {
        guard let folder else { return }
        do {
            let data = try RegularFile.content(of: Self.path(in: folder), maxSize: PaletteFile.maxSize)
            guard let data else { return }
            palette.publish(try PaletteFile.palette(data))
        } catch {
            let reason = (error as? PaletteFile.Problem)?.description ?? error.reason
            log.warning("\(Self.path(in: folder).sanitized()) is not used: \(reason)")
        }
    }

    /// Loads a palette, and keeps it. It waits for the disk.
    /// - Parameter data: The content of a file with colours.
    package func load(_ data: Data) async throws(PaletteFile.Problem) -> Palette {
        let loaded = try PaletteFile.palette(data)
        await change(to: loaded) { folder in
            try folder.claimOrMake()
            try AtomicFile.replace(URL(filePath: Self.path(in: folder)), with: data)
        }
        return loaded
    }

    /// Removes the palette, so that the configured one holds again. It waits for the disk.
    package func remove() async {
        await change(to: nil) { folder in
            guard try folder.claim(), FileManager.default.fileExists(atPath: Self.path(in: folder)) else { return }
            try FileManager.default.removeItem(atPath: Self.path(in: folder))
            // Without this, a power cut could bring the palette back.
            try FileDescriptor(opening: folder.path).syncNames()
        }
    }

    /// Writes a change, then publishes it. One change follows another, because the threads of the service are limited
    /// (TasksMax).
    private func change(
        to palette: Palette?, _ store: @escaping @Sendable (StateFolder) throws -> Void
    ) async {
        let change = lastChange.withLock { last in
            let next = Task { [last] in
                await last?.value
                await BlockingThread.run(named: "palette") {
                    self.write(palette, store)
                } onCancel: {
                }
            }
            last = next
            return next
        }
        await change.value
    }

    private func write(_ palette: Palette?, _ store: (StateFolder) throws -> Void) {
        var reason: String?
        do {
            if let folder { try store(folder) }
        } catch {
            reason = error.reason
        }
        failure.withLock { $0 = reason }
        self.palette.publish(palette)
    }

    private static func path(in folder: StateFolder) -> String { folder.path + "/palette" }
}
