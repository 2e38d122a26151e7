import Configuration
import FlyingFox
import Foundation

/// Who may ask for what, decided before any route sees the request and before anything of its body is read.
///
/// - A name that a stranger's DNS points at this machine must not make a browser talk to it as if it were theirs (DNS
///   rebinding), so the `Host` must be ours.
/// - A page from elsewhere may open WebSockets and send forms here, so those must come from our own origin.
/// - Bodies that are too long, or whose length is not told, are refused.
struct RequestGuard: Sendable {
    /// Longest body of a request, in bytes.
    static let longestBody = 65_536

    private let address: IPAddress?
    private let allowedHosts: [String]

    /// Takes the address and the names that the configuration gives this machine.
    init(_ web: Config.Web) {
        address = IPAddress(web.address)
        allowedHosts = web.allowedHosts
    }

    /// Why the request is refused; nil when it is not.
    func refusal(of request: HTTPRequest, from client: Client = Client()) -> HTTPError? {
        methodRefusal(of: request) ?? bodyRefusal(of: request) ?? hostRefusal(of: request)
            ?? originRefusal(of: request, from: client)
    }

    /// Methods are case-sensitive (RFC 9110, 9.1).
    private func methodRefusal(of request: HTTPRequest) -> HTTPError? {
        let isKnown = HTTPMethod.allMethods.contains { $0.rawValue == request.method.rawValue }
        return isKnown ? nil : .unknownMethod
    }

    private func bodyRefusal(of request: HTTPRequest) -> HTTPError? {
        let length = request.headers[.contentLength].map { Int($0) ?? .max } ?? 0
        guard request.headers[.transferEncoding] != nil || length > Self.longestBody else { return nil }
        return .tooLarge(Self.longestBody)
    }

    private func hostRefusal(of request: HTTPRequest) -> HTTPError? {
        guard let header = request.headers[.host], let authority = Authority(header) else {
            return .badHost
        }
        guard !isOurs(authority.host) else { return nil }
        return HTTPError(
            status: .misdirectedRequest, code: "wrong-host",
            message:
                "Swatchcam does not know this name of its machine; web.allowed_hosts in its configuration lists those it has."
        )
    }

    private func isOurs(_ host: String) -> Bool {
        if host == "localhost" || allowedHosts.contains(host) { return true }
        guard let literal = IPAddress(host) else { return false }
        return literal.isLoopback || literal == address || address?.isWildcard == true
    }

    private func originRefusal(of request: HTTPRequest, from client: Client) -> HTTPError? {
        let isUpgrade = request.headers[.upgrade] != nil
        guard isUpgrade || (request.method != .GET && request.method != .HEAD) else { return nil }
        let origin = request.headers[HTTPHeader("Origin")]
        return isSameSite(request) && (origin == nil || origin.flatMap(WebOrigin.init) == ownOrigin(request, client))
            ? nil : .wrongOrigin
    }

    /// Whether the browser says that its page is ours. Programs that are no browsers, and old ones, say nothing.
    private func isSameSite(_ request: HTTPRequest) -> Bool {
        switch request.headers[HTTPHeader("Sec-Fetch-Site")]?.lowercased() {
        case nil, "same-origin", "none": true
        default: false
        }
    }

    /// The origin of the pages that this client gets from us.
    private func ownOrigin(_ request: HTTPRequest, _ client: Client) -> WebOrigin? {
        let authority = request.headers[.host].flatMap { Authority($0) }
        return authority.map { WebOrigin(scheme: client.usesTLS ? "https" : "http", $0) }
    }
}

extension HTTPError {
    fileprivate static let unknownMethod = HTTPError(
        status: .notImplemented, code: "unknown-method",
        message: "Swatchcam does not know this method. Methods are written in capitals, such as GET.")

    static let badHost = HTTPError(
        status: .badRequest, code: "bad-host", message: "The request needs a Host header such as localhost:8080.")

    fileprivate static let wrongOrigin = HTTPError(
        status: .forbidden, code: "wrong-origin",
        message: "Only pages of this Swatchcam itself may do this. "
            + "Behind a reverse proxy, web.trusted_proxies must name the proxy.")
}
