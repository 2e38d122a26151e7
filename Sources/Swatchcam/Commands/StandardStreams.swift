import Glibc

/// Standard input, output and error.
enum StandardStreams {
    /// Opens those that whoever started the program had closed, on nothing: else the next file or socket would get
    /// their numbers, and what is meant for a person would be written there.
    static func fill() {
        while true {
            let descriptor = unsafe open("/dev/null", O_RDWR)
            // The lowest number that is free: once it is none of the three, they are there.
            guard descriptor > STDERR_FILENO else {
                if descriptor < 0 { return }
                continue
            }
            _ = close(descriptor)
            return
        }
    }
}
