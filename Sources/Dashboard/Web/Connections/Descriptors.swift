import Glibc

/// The limit on the number of files and sockets that this process may have open.
enum DescriptorLimit {
    /// The maximum limit to request. More than 1024 is safe, because the program does not use select(2).
    private static let wanted: rlim_t = 65_536

    /// The current soft limit; 1024 if it is not known.
    static var current: Int { Int(clamping: limit?.rlim_cur ?? 1024) }

    /// Raises the soft limit as far as the hard limit allows, up to 65,536.
    /// - Returns: The soft limit afterwards.
    static func raise() -> Int {
        guard let limit else { return current }
        let raised = raised(limit)
        _ = unsafe withUnsafePointer(to: raised) {
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), $0)
        }
        return current
    }

    /// Returns a limit with its soft limit raised to the one to request.
    static func raised(_ limit: rlimit) -> rlimit {
        rlimit(rlim_cur: max(limit.rlim_cur, min(limit.rlim_max, wanted)), rlim_max: limit.rlim_max)
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}

/// The shares of connections in the file descriptors that the process may open.
struct DescriptorShares: Equatable {
    /// Each takes 15 KiB of memory once it has sent a request.
    private static let maxConnections = 3000
    /// With fewer, hardly one browser could connect. This is half of the 64 descriptors that `WebError` requires.
    private static let minConnections = 32

    private static let maxBacklog = 1024

    /// Connections are accepted while a descriptor below this number is free. The rest is for cameras and files.
    let connections: Int
    /// The maximum number of connections that wait to be accepted. All of them may be accepted at once, which must leave
    /// descriptors for cameras and files. If there is no room for another one, its client tries again after a second.
    let backlog: Int

    /// - Parameter limit: The number of descriptors that the process may open.
    init(of limit: Int) {
        connections = min(limit / 2, Self.maxConnections)
        backlog = min((limit - connections) / 2, Self.maxBacklog)
    }

    /// The maximum number of connections from the network, and of this machine and the trusted proxies. A quarter is
    /// left for the other side, so that clients in the network cannot block this machine's own screen, nor the reverse.
    var sideConnections: Int { connections * 3 / 4 }

    /// The maximum number of connections of this machine, and of each trusted proxy.
    var nearbyConnections: Int { connections / 2 }

    /// Whether there are enough descriptors to serve a browser.
    var areSufficient: Bool { connections >= Self.minConnections }
}
