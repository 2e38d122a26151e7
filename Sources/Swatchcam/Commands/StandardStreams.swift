import Glibc

/// The standard input, output and error.
enum StandardStreams {
    /// Opens /dev/null for each stream that was closed when the program started. Otherwise the next file or socket
    /// would get its number, and messages would be written to it.
    static func fill() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            // open(2) returns the lowest free number, which is the stream's.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
