import Foundation
import Glibc
import Handoff
import TestSupport

/// The built program, in a process of its own.
final class BuiltProgram: Sendable {
    let pid: pid_t
    private let folder: TemporaryFolder
    /// The status of the process once it has ended.
    private let end = Latest<Int32?>(nil)
    /// The pipe that keeps the program from writing its output; -1 if it may write.
    private let fullPipe: Int32

    /// Starts the program with a configuration.
    /// - Parameters:
    ///   - config: The content of the configuration.
    ///   - hasStreams: Whether it has a standard input, output and error.
    ///   - isBlocked: Whether its standard output is a full pipe, so that it hangs at the first line.
    init(
        _ arguments: [String], config: String = "", environment: [String: String] = [:], hasStreams: Bool = true,
        isBlocked: Bool = false
    ) throws {
        folder = try TemporaryFolder(["config.toml": config, "errors": ""])
        if isBlocked {
            try folder.makePipe("output")
            fullPipe = unsafe open(folder.path + "/output", O_RDWR | O_NONBLOCK | O_CLOEXEC)
            while unsafe Glibc.write(fullPipe, "x", 1) == 1 {}
        } else {
            try folder.write("", to: "output")
            fullPipe = -1
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let streams = ["/dev/null", folder.path + "/output", folder.path + "/errors"]
        for (stream, file) in zip(Int32(0)..., streams) where hasStreams {
            unsafe posix_spawn_file_actions_addopen(&actions, stream, file, O_RDWR, 0)
        }
        // The program inherits no socket of another test, because that socket would stay open until the program ends.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        for descriptor in descriptors where descriptor > STDERR_FILENO || !hasStreams {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // The thread of a test may block signals, which a new process inherits.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        unsafe sigemptyset(&noSignals)
        unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // No variables of the machine, so that the program neither finds its configuration nor writes elsewhere.
        var variables = ProcessInfo.processInfo.environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "STATE_DIRECTORY", "JOURNAL_STREAM"] { variables[name] = nil }
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] { variables[name] = folder.path }
        variables.merge(environment) { $1 }
        let program = try Self.path
        let file = folder.path + "/config.toml"
        let arguments = arguments.map { $0 == "config.toml" ? file : $0 }
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var names = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (words + names).forEach { unsafe free($0) } }
        var pid = pid_t()
        let result = unsafe posix_spawn(&pid, program, &actions, &attributes, &words, &names)
        guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .EIO) }
        self.pid = pid
        Thread { [weak self, pid] in
            var status: Int32 = 0
            while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
            self?.end.publish(status)
        }.start()
    }

    deinit {
        // No other process gets the id until this one has been waited for.
        if end.value == nil { kill(pid, SIGKILL) }
        if fullPipe >= 0 { close(fullPipe) }
    }

    /// The program that was built with the tests. The package of `make mutants` has no products, so there the program
    /// is named after its target.
    private static var path: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let folder = URL(filePath: tests).deletingLastPathComponent().path
            let paths = ["swatchcam", "Swatchcam"].map { folder + "/" + $0 }
            guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
                throw POSIXError(.ENOENT)
            }
            return path
        }
    }

    /// The path of the configuration, which arguments name `config.toml`.
    var config: String { folder.path + "/config.toml" }
    var output: String { folder.text(of: "output") }
    var errors: String { folder.text(of: "errors") }

    func write(config: String) throws { try folder.write(config, to: "config.toml") }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// Whether the program handles a signal, rather than leaving it to the system.
    func handles(_ signal: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let mask = status?.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) } ?? 0
        return mask >> UInt64(signal - 1) & 1 == 1
    }

    /// Waits until a condition holds.
    /// - Returns: Whether it held before the program ended.
    func wait(until condition: () async throws -> Bool) async rethrows -> Bool {
        while true {
            let isOver = end.value != nil
            if try await condition() { return true }
            if isOver { return false }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits for the program to end.
    /// - Returns: The exit status; that of a signal is negative. If the task is cancelled first, it is the lowest number.
    func status() async -> Int32 {
        let updates = end.updates()
        var last = end.value
        if last == nil {
            for await status in updates where status != nil {
                last = status
                break
            }
        }
        guard let status = last else { return .min }
        return status & 0x7F == 0 ? status >> 8 : -(status & 0x7F)
    }
}

extension TemporaryFolder {
    fileprivate func text(of name: String) -> String {
        (try? String(contentsOf: url.appending(path: name), encoding: .utf8)) ?? "unreadable"
    }
}
