import Glibc

/// How many files and sockets this process may have open.
enum DescriptorLimit {
    /// Every reader of ours uses poll(2) or epoll(7), so more than the traditional 1024 is safe; this is plenty.
    private static let wanted: rlim_t = 65_536

    /// The soft limit in force.
    static var current: Int { Int(clamping: limit?.rlim_cur ?? 1024) }

    /// Raises the soft limit as far as the hard one lets it, up to 65,536.
    /// - Returns: the soft limit in force afterwards.
    static func raise() -> Int {
        guard let limit else { return current }
        let raised = rlimit(rlim_cur: max(limit.rlim_cur, min(limit.rlim_max, wanted)), rlim_max: limit.rlim_max)
        _ = unsafe withUnsafePointer(to: raised) {
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), $0)
        }
        return current
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}
