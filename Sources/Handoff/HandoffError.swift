import Glibc

/// An error that keeps a thread from starting or from receiving requests.
public enum HandoffError: Error, Equatable, CustomStringConvertible {
    /// No file descriptor is available to wake the thread with; `errno` says why.
    case noDescriptor(errno: Int32)
    /// The system allows no further thread; `errno` says why.
    case noThread(errno: Int32)

    /// A sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .noDescriptor(let errno):
            "Cannot open a file descriptor to wake a thread: \(unsafe String(cString: strerror(errno))). "
                + "Raise the limit on open files (ulimit -n, or LimitNOFILE= in systemd)."
        case .noThread(let errno):
            "Cannot start a thread: \(unsafe String(cString: strerror(errno))). "
                + "Raise the limit on threads (ulimit -u, or TasksMax= in systemd)."
        }
    }
}
