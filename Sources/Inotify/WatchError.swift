import Glibc

/// An error that keeps a folder from being watched.
package struct WatchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A system call of inotify(7).
    package enum Call: String, Sendable {
        /// The call that creates an instance.
        case open = "inotify_init1"
        /// The call that adds a folder.
        case watch = "inotify_add_watch"
    }

    /// The call that failed.
    package var call: Call
    /// The number of the error, as errno(3) defines it.
    package var errno: Int32
    /// The folder concerned, if there is one.
    package var path: String?

    /// Whether the folder does not exist.
    package var isNotFound: Bool { errno == ENOENT || errno == ENOTDIR }

    /// A sentence for a person, without a full stop.
    package var description: String {
        switch (call, errno) {
        // inotify_init1(2) gives the same number for both limits.
        case (.open, EMFILE):
            """
            this user has as many inotify instances, or this process as many open files, as allowed; \
            raise fs.inotify.max_user_instances or the limit of open files (ulimit -n)
            """
        case (.watch, ENOSPC):
            "this user watches as many files as the system allows; raise fs.inotify.max_user_watches"
        case (.watch, ENOENT), (.watch, ENOTDIR): "there is no folder \(path ?? "")"
        case (.watch, EACCES): "this user may not list the folder \(path ?? "")"
        default: "\(call.rawValue)\(path.map { " of \($0)" } ?? ""): \(unsafe String(cString: strerror(errno)))"
        }
    }
}
