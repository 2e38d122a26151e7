import FlyingSocks
import FoundationEssentials
import Glibc

/// The reason why the dashboard is not served.
package enum WebError: Error, Equatable, CustomStringConvertible {
    /// The address in the configuration is not a literal address.
    case badAddress(String)
    /// The system refuses to listen on the address; `errno` says why.
    case bind(ListeningAddress, errno: Int32)
    /// The process may not open enough files. The value is the current limit.
    case descriptors(Int)
    /// This build may listen only on loopback, because it lacks the patches of FlyingFox. The value is the address.
    case unpatched(String)
    /// The server failed after it had started to listen.
    case failed(ListeningAddress, problem: String)

    /// A sentence that says what happened and what to do.
    package var description: String {
        switch self {
        case .badAddress(let address):
            "\(address): not an IPv4 or IPv6 address; set web.address or --address to one such as 127.0.0.1 or ::1"
        case .bind(let address, EADDRINUSE):
            "\(address): address already in use. Another program, perhaps another Swatchcam, listens there; "
                + "stop it or choose another port with --port or web.port"
        case .bind(let address, EADDRNOTAVAIL):
            "\(address): this machine has no such address; set web.address or --address to one of its own, "
                + "127.0.0.1 for this machine only or 0.0.0.0 for every network"
        case .bind(let address, EACCES), .bind(let address, EPERM):
            "\(address): permission denied. Ports below 1024 are for root; choose another with --port or web.port"
        case .bind(let address, EAFNOSUPPORT):
            "\(address): this system does not support this kind of address; set web.address or --address to another one"
        case .bind(let address, let errno):
            "\(address): cannot listen: \(unsafe String(cString: strerror(errno)))"
        case .descriptors(let limit):
            "This process may open \(limit) files at once, too few to serve browsers; raise the limit to 64 or more "
                + "(ulimit -n, or LimitNOFILE= in systemd)"
        case .unpatched(let address):
            "\(address): this build of Swatchcam listens on this machine only, 127.0.0.1 or ::1, because its web server lacks "
                + "the patches that a network requires. Build it with `make build` to include them"
        case .failed(let address, let problem):
            "\(address): the web server failed: \(problem). Start Swatchcam again; systemd does so automatically"
        }
    }
}
