import Glibc

/// The limit on the number of files and sockets that this process may have open.
enum DescriptorLimit {
    /// The highest limit to request. More than 1024 is safe, because the program does not use select(2).
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
