import Glibc

/// Why a thread cannot be handed anything.
public enum HandoffError: Error, Equatable, CustomStringConvertible {
    /// There is no file descriptor left to wake it by; `errno` says why.
    case noDescriptor(errno: Int32)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .noDescriptor(let errno):
            "No file could be opened to wake a thread by: \(unsafe String(cString: strerror(errno))). "
                + "Raise the limit of open files (ulimit -n, or LimitNOFILE= of systemd)."
        }
    }
}
