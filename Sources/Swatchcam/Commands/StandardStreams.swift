import Glibc

/// The standard input, output and error.
enum StandardStreams {
    /// Opens /dev/null for each stream that was closed when the program started. Otherwise the next file or socket
    /// would get its number, and messages would be written to it.
    static func fill() {
        while true {
            let descriptor = unsafe open("/dev/null", O_RDWR)
            // open(2) returns the lowest free number: once that is above the three, they are all open.
            guard descriptor > STDERR_FILENO else {
                if descriptor < 0 { return }
                continue
            }
            _ = close(descriptor)
            return
        }
    }
}
