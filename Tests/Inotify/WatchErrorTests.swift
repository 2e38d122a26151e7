import Glibc
import Testing

@testable import Inotify

@Suite("Watch errors")
struct WatchErrorTests {
    @Test(
        "an error says what keeps the folder from being watched",
        arguments: [
            (
                WatchError(call: .open, errno: EMFILE),
                "this user has as many inotify instances, or this process as many open files, as allowed; "
                    + "raise fs.inotify.max_user_instances or the limit of open files (ulimit -n)"
            ),
            (
                WatchError(call: .watch, errno: ENOSPC, path: "/a"),
                "this user watches as many files as the system allows; raise fs.inotify.max_user_watches"
            ),
            (WatchError(call: .watch, errno: ENOENT, path: "/a"), "there is no folder /a"),
            (WatchError(call: .watch, errno: ENOTDIR, path: "/a"), "there is no folder /a"),
            (WatchError(call: .watch, errno: EACCES, path: "/a"), "this user may not list the folder /a"),
            (WatchError(call: .watch, errno: EIO, path: "/a"), "inotify_add_watch of /a: Input/output error"),
            (WatchError(call: .open, errno: ENOMEM), "inotify_init1: Cannot allocate memory"),
        ])
    func sentences(error: WatchError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test(
        "only a missing folder counts as absent",
        arguments: [(ENOENT, true), (ENOTDIR, true), (EACCES, false), (ENOSPC, false)])
    func absence(errno: Int32, isAbsence: Bool) {
        #expect(WatchError(call: .watch, errno: errno, path: "/a").isNotFound == isAbsence)
    }
}
