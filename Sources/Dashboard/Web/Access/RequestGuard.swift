import Configuration
import FlyingFox
import FoundationEssentials

/// The checks of a request before any route handles it and before its body is read.
///
/// - The method must be known.
/// - A body must not be too long, and its length must be specified.
/// - `Host` must name this machine, unless a proxy has admitted the user. Otherwise another site's DNS could point at this
///   machine, and pages of that site would have the same origin (DNS rebinding).
/// - Upgrades, and all methods but GET and HEAD, must come from the server's own origin, because browsers let pages of
///   other sites open WebSockets and send forms.
struct RequestGuard: Sendable {
    /// The maximum length of most bodies, in bytes.
    static let maxBodyLength = 65_536
    /// The same of a chart and of a calibration, which may have 500 patches and a flat of 16x12 cells.
    static let maxChartLength = 262_144

    private let address: IPAddress?
    private let allowedHosts: [String]

    /// - Parameter machine: The name of this machine, by which mDNS announces it with `.local`.
    init(_ web: Config.Web, machine: String = "") {
        address = IPAddress(web.address)
        let label = machine.lowercased().prefix { $0 != "." }
        allowedHosts = web.allowedHosts + (label.isEmpty ? [] : [String(label), "\(label).local"])
    }

    /// - Parameter limit: The maximum length of the body in bytes; nil for that of most addresses.
    func refusal(
        of request: HTTPRequest, from client: Client = Client(), maxBodyLength limit: Int? = nil
    ) -> HTTPError? {
        methodRefusal(of: request) ?? bodyRefusal(of: request, limit ?? Self.maxBodyLength)
            ?? hostRefusal(of: request, from: client) ?? originRefusal(of: request, from: client)
    }

    /// Refuses unknown methods. Methods are case-sensitive (RFC 9110, 9.1).
    private func methodRefusal(of request: HTTPRequest) -> HTTPError? {
        let isKnown = HTTPMethod.allMethods.contains { $0.rawValue == request.method.rawValue }
        return isKnown ? nil : .unknownMethod
    }

    private func bodyRefusal(of request: HTTPRequest, _ limit: Int) -> HTTPError? {
        let length = request.headers[.contentLength].map { Int($0) ?? .max } ?? 0
        guard request.headers[.transferEncoding] == nil else { return .lengthRequired }
        return length > limit ? .tooLarge(limit) : nil
    }

    private func hostRefusal(of request: HTTPRequest, from client: Client) -> HTTPError? {
        // HTTP/1.0 has no Host (RFC 9112, 3.2). No browser leaves it out.
        if request.version != .http11, request.headers[.host] == nil { return nil }
        guard let header = request.headers[.host], let authority = Authority(header) else {
            return .badHost
        }
        guard !client.isAdmitted, !isAllowed(authority.host) else { return nil }
        return HTTPError(
            status: .misdirectedRequest, code: "wrong-host",
            message:
                "This machine is not known by this name. If the name is right, add it to web.allowed_hosts in the configuration."
        )
    }

    private func isAllowed(_ host: String) -> Bool {
        if host == "localhost" || allowedHosts.contains(host) { return true }
        guard let literal = IPAddress(host) else { return false }
        return literal.isLoopback || literal == address || address?.isWildcard == true
    }

    private func originRefusal(of request: HTTPRequest, from client: Client) -> HTTPError? {
        let isUpgrade = request.headers[.upgrade] != nil
        guard isUpgrade || (request.method != .GET && request.method != .HEAD) else { return nil }
        let origin = request.headers[HTTPHeader("Origin")]
        return !request.isCrossOrigin && (origin == nil || origin.flatMap(WebOrigin.init) == ownOrigin(request, client))
            ? nil : .wrongOrigin
    }

    /// Returns the origin of the pages that this client gets from the server.
    private func ownOrigin(_ request: HTTPRequest, _ client: Client) -> WebOrigin? {
        let authority = request.headers[.host].flatMap { Authority($0) }
        return authority.map { WebOrigin(scheme: client.usesTLS ? "https" : "http", $0) }
    }
}

extension HTTPError {
    fileprivate static let unknownMethod = HTTPError(
        status: .notImplemented, code: "unknown-method",
        message: "Swatchcam does not know this method. Methods are written in capitals, such as GET.")

    fileprivate static let lengthRequired = HTTPError(
        status: HTTPStatusCode(411, phrase: "Length Required"), code: "no-length",
        message: "The request needs a Content-Length. A body in chunks is not read.", closesConnection: true)

    static let badHost = badRequest(code: "bad-host", "The request needs a Host header such as localhost:8080.")

    fileprivate static let wrongOrigin = HTTPError(
        status: .forbidden, code: "wrong-origin",
        message: "Only Swatchcam's own pages may do this. "
            + "Behind a reverse proxy, web.trusted_proxies must name the proxy.")
}
