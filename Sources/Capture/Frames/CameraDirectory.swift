import Foundation
package import Handoff
import Inotify
package import Logging
package import Readings
package import V4L2

/// The cameras of this machine, kept up to date as they come and go.
package final class CameraDirectory: Sendable {
    private static let folder = "/dev"
    /// Nodes come and go here, and get their owner after they came. udev makes its names in the other folders, which
    /// come and go with the cameras.
    private static let watched =
        [WatchedFolder(folder, [.entries, .attributes]) { $0.hasPrefix("video") || $0 == "v4l" }]
        + ["/v4l", "/v4l/by-id", "/v4l/by-path"].map { WatchedFolder(folder + $0, .entries) }
    /// A camera that is plugged in makes several nodes and names at once.
    private static let quietTime = Duration.milliseconds(20)
    /// Where the system has no more events for this user.
    private static let pollingPeriod = Duration.seconds(2)

    /// As of the last look.
    package let nodes = Latest<[DeviceNode]>([])
    private let revisions: Latest<Revisions>
    private let log: Logger
    /// Opening a device that hangs may take seconds.
    private let queue = DispatchQueue(label: "cameras")

    /// - Parameter revisions: Counts the changes of the list.
    package init(revisions: Latest<Revisions> = Latest(Revisions()), log: Logger) {
        self.revisions = revisions
        self.log = log
    }

    /// Looks now, on the thread of the caller.
    @discardableResult
    func refresh() -> [DeviceNode] {
        let found = DeviceNode.all(in: Self.folder)
        if found != nodes.value {
            nodes.publish(found)
            revisions.update { $0.cameras += 1 }
        }
        return found
    }

    /// Looks whenever something happens in `/dev`, until the task is cancelled.
    /// - Parameter onChange: Called after each look.
    func follow(onChange: @Sendable () -> Void) async {
        guard let watch = makeWatch() else {
            while (try? await Task.sleep(for: Self.pollingPeriod)) != nil {
                await look()
                onChange()
            }
            return
        }
        watch.replace(with: Self.watched)
        for await _ in watch.changes {
            // The folders of names come and go with the cameras.
            watch.replace(with: Self.watched)
            await look()
            onChange()
        }
    }

    private func makeWatch() -> DirectoryWatch? {
        do throws(WatchError) {
            return try DirectoryWatch(quiet: Self.quietTime)
        } catch {
            log.warning("Cameras that come and go are noticed late: \(error).")
            return nil
        }
    }

    private func look() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.refresh()
                continuation.resume()
            }
        }
    }
}
