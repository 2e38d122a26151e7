import FlyingFox
import Foundation

/// Who may ask for what, decided before any route sees the request.
///
/// - A name that a stranger's DNS points at this machine must not make a browser talk to it as if it were theirs (DNS
///   rebinding), so the `Host` must be ours.
/// - A page from elsewhere may open WebSockets and send forms here, so those need our own `Origin`.
/// - FlyingFox takes what it did not read of a body for the next requests, so long bodies end the connection.
struct RequestGuard: Sendable {
    /// Longest body of a request, in bytes.
    static let longestBody = 65_536

    private let address: IPAddress?
    private let hosts: [String]

    /// Takes the address and the names that the configuration gives this machine.
    init(_ web: Config.Web) {
        address = IPAddress(web.address)
        hosts = web.hosts
    }

    /// Why the request is refused; nil when it is not.
    func refusal(of request: HTTPRequest) -> Refusal? {
        bodyRefusal(of: request) ?? hostRefusal(of: request) ?? originRefusal(of: request)
    }

    private func bodyRefusal(of request: HTTPRequest) -> Refusal? {
        let length = request.headers[.contentLength].map { Int($0) ?? .max } ?? 0
        guard request.headers[.transferEncoding] != nil || length > Self.longestBody else { return nil }
        return .tooLarge(Self.longestBody)
    }

    private func hostRefusal(of request: HTTPRequest) -> Refusal? {
        guard let header = request.headers[.host], let authority = Authority(header) else {
            return Refusal(
                status: .badRequest, code: "bad-host",
                message: "The request needs a Host header such as localhost:8080.")
        }
        guard !isOurs(authority.host) else { return nil }
        return Refusal(
            status: .misdirectedRequest, code: "wrong-host",
            message:
                "Swatchcam does not know this name of its machine; web.hosts in its configuration lists those it has."
        )
    }

    private func isOurs(_ host: String) -> Bool {
        if host == "localhost" || hosts.contains(host) { return true }
        guard let literal = IPAddress(host) else { return false }
        return literal.isLoopback || literal == address || address?.isWildcard == true
    }

    private func originRefusal(of request: HTTPRequest) -> Refusal? {
        let isUpgrade = request.headers[.upgrade] != nil
        guard isUpgrade || (request.method != .GET && request.method != .HEAD) else { return nil }
        if let origin = request.headers[HTTPHeader("Origin")] {
            // The host passed already; that it is the very same keeps other servers of this machine out.
            if let authority = Authority(origin: origin), authority == request.headers[.host].flatMap({ Authority($0) })
            {
                return nil
            }
        } else {
            // No browser sends this without an Origin, save old ones, and those say where the page came from.
            switch request.headers[HTTPHeader("Sec-Fetch-Site")]?.lowercased() {
            case nil, "same-origin", "none": return nil
            default: break
            }
        }
        return Refusal(
            status: .forbidden, code: "wrong-origin", message: "Only pages of this Swatchcam itself may do this.")
    }
}
