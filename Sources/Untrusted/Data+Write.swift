package import FoundationEssentials
import Glibc

extension Data {
    /// Writes all bytes to an open file.
    /// - Throws: The system's error.
    package func write(to descriptor: Int32) throws(POSIXError) {
        var rest = self
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw POSIXError(errno: errno)
            }
        }
    }
}
