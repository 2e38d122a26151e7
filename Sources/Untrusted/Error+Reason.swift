import FoundationEssentials
import Glibc

extension Error {
    /// The reason for the error, in the system's words if the system reported it.
    package var reason: String {
        // FoundationEssentials may wrap the system's error in another one.
        if let error = self as? POSIXError ?? (self as? CocoaError)?.underlying as? POSIXError {
            return unsafe String(cString: strerror(error.code.rawValue))
        }
        return (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
    }
}
