import CLinux
import Files
import FoundationEssentials
import Glibc
import Untrusted

/// What a process is given when it starts.
enum Start {
    /// More arguments than all options of a command have. The time to parse them grows with the square of their number.
    private static let maxCount = 100
    /// The maximum length of an argument in bytes: an option and a path.
    private static let maxLength = 2 * Int(PATH_MAX)

    /// Opens /dev/null for each of the standard input, output and error that was closed. Otherwise the next file or
    /// socket would get its number, and messages would be written to it.
    static func fillStandardStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            // open(2) returns the lowest free number, which is the stream's.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Returns the arguments that follow the program's name.
    ///
    /// `CommandLine.arguments` would not do. On Linux, Swift's runtime looks for them next to the environment on the
    /// stack, which it finds through /proc/self/maps. If /proc cannot be read, or a library has already moved the
    /// environment, there are none, and the program would serve without its configuration and token.
    /// - Throws: `Failure` if an argument may be missing, or is one that no option accepts.
    static func arguments() throws(Failure) -> [String] { try unsafe arguments(of: swatchcam_arguments()) }

    /// - Parameter vector: The arguments of main, which end with nil.
    static func arguments(of vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) throws(Failure) -> [String] {
        // Linux 5.18 and later make one empty string of an empty list.
        guard let vector = unsafe vector, let name = unsafe vector[0], unsafe name[0] != 0 else {
            throw wrongUsage("the program was started without its name, so arguments may be missing too")
        }
        var arguments: [String] = []
        while let bytes = unsafe vector[arguments.count + 1] {
            let number = arguments.count + 1
            guard number <= maxCount else { throw wrongUsage("there are more than \(maxCount) arguments") }
            guard unsafe strnlen(bytes, maxLength + 1) <= maxLength else {
                throw wrongUsage("argument \(number) is longer than \(maxLength) bytes")
            }
            guard let argument = unsafe String(validatingCString: bytes) else {
                throw wrongUsage("argument \(number) is not UTF-8: \(unsafe String(cString: bytes).sanitized())")
            }
            arguments.append(argument)
        }
        return arguments
    }

    /// Checks that /proc shows this process.
    ///
    /// While a task waits for a thread, libdispatch reads the states of all its threads there once a second
    /// (workqueue.c), and ends the process if it cannot.
    /// - Throws: `Failure` if /proc is not mounted, belongs to other processes, or must not be read.
    static func requireProc() throws(Failure) {
        let process = "\(getpid())"
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")) == process,
            (try? FileDescriptor(opening: "/proc/\(process)/stat")) != nil
        else {
            throw wrongUsage("/proc does not show this process; mount it or permit reading it, or tasks may crash")
        }
    }

    private static func wrongUsage(_ message: String) -> Failure { Failure(status: .usage, message: message) }
}
