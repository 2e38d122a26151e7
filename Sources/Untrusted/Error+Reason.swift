package import FoundationEssentials
import Glibc

extension Error {
    /// The reason for the error, in the system's words if the system reported it.
    package var reason: String {
        if let code = posixCode { return unsafe String(cString: strerror(code.rawValue)) }
        return (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
    }

    /// The system's error number, which FoundationEssentials may wrap in another error.
    package var posixCode: POSIXError.Code? {
        (self as? POSIXError ?? (self as? CocoaError)?.underlying as? POSIXError)?.code
    }
}
