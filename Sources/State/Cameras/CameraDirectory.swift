package import Dispatch
import FoundationEssentials
package import Handoff
import Inotify
package import Logging
package import Readings
import Synchronization
package import V4L2

/// The cameras of this machine, kept up to date as they are plugged in and removed.
package final class CameraDirectory: Sendable {
    /// The time without events after which the cameras are listed: a new camera makes several nodes and links at once.
    private static let quietTime = Duration.milliseconds(20)
    /// The interval of polling if the system grants this user no more inotify instances.
    private static let pollingPeriod = Duration.seconds(2)

    /// The cameras when they were last listed.
    package let nodes = Latest<[DeviceNode]>([])
    /// The folders whose changes may concern cameras.
    ///
    /// Device nodes are made in `/dev`, and get their owner later: `video0`, and for a sensor also `v4l-subdev0` and
    /// `media0`, which comes last. udev makes links to them in the other folders, which
    /// exist only while there are cameras.
    private let watched: [WatchedFolder]
    private let revisions: Latest<Revisions>
    private let listNodes: @Sendable () -> [DeviceNode]
    private let log: Logger
    /// The queue that lists the cameras: opening a device that hangs may take seconds.
    private let queue = DispatchQueue(label: "cameras")
    /// The list that was requested and has not been begun; nil if there is none.
    private let requested = Mutex<DispatchGroup?>(nil)
    private let patience: DispatchTimeInterval

    /// - Parameters:
    ///   - revisions: Counts the changes of the list.
    ///   - folder: The folder of the device nodes.
    ///   - list: Lists the cameras; nil to list those in the folder.
    ///   - patience: The time for which ``refresh()`` waits.
    package init(
        revisions: Latest<Revisions> = Latest(Revisions()), log: Logger, folder: String = "/dev",
        list: (@Sendable () -> [DeviceNode])? = nil, patience: DispatchTimeInterval = .milliseconds(100)
    ) {
        self.revisions = revisions
        listNodes = list ?? { DeviceNode.all(in: folder) }
        self.log = log
        self.patience = patience
        watched =
            [
                WatchedFolder(folder, [.entries, .attributes]) { name in
                    ["video", "v4l", "media"].contains { name.hasPrefix($0) }
                }
            ]
            + ["/v4l", "/v4l/by-id", "/v4l/by-path"].map { WatchedFolder(folder + $0, .entries) }
    }

    /// Whether the cameras have been listed at least once.
    package var isListed: Bool { nodes.revision > 0 }

    /// Has the cameras listed and waits for the list, but not for a device that hangs.
    package func refresh() {
        _ = requestList().wait(timeout: .now() + patience)
    }

    /// Has the cameras listed on the queue, so that lists are published in the order in which they are made.
    /// - Returns: The group that is left when the list is published.
    private func requestList() -> DispatchGroup {
        requested.withLock { requested in
            if let requested { return requested }
            let group = DispatchGroup()
            requested = group
            queue.async(group: group) { [self] in
                // A later change may be missing in this list, so a later request is for another one.
                self.requested.withLock { $0 = nil }
                let found = listNodes()
                let isChanged = found != nodes.value
                if isChanged || !isListed { nodes.publish(found) }
                if isChanged { revisions.update { $0.cameras += 1 } }
            }
            return group
        }
    }

    /// Lists the cameras once, in case one came before the watch, and then whenever something changes in `/dev`, until
    /// the task is cancelled.
    /// - Parameter onChange: Called each time the cameras have been listed.
    package func follow(onChange: @Sendable () -> Void) async {
        let watch: DirectoryWatch
        do throws(WatchError) {
            watch = try DirectoryWatch(quiet: Self.quietTime)
        } catch {
            log.warning("Cameras that come and go are detected late: \(error).")
            while (try? await Task.sleep(for: Self.pollingPeriod)) != nil {
                await refreshAsync()
                onChange()
            }
            return
        }
        var changes = watch.changes.makeAsyncIterator()
        repeat {
            // udev's folders exist only while there are cameras.
            watch.replace(with: watched)
            await refreshAsync()
            onChange()
        } while await changes.next() != nil
    }

    /// Has the cameras listed, and suspends the task until they are.
    private func refreshAsync() async {
        let group = requestList()
        await withCheckedContinuation { continuation in
            group.notify(queue: queue) { continuation.resume() }
        }
    }
}
