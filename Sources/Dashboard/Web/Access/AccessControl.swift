import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Logging
import Synchronization

/// The access control, which grants access by the token or the session in a request.
///
/// The token is in `Authorization: Bearer`, and never in a URL, which would end up in histories and logs. A browser sends
/// it once and gets a session. The cookie does not contain the token, because browsers send cookies to every port of a
/// host.
final class AccessControl: Sendable {
    private struct Tokens: Equatable {
        var control: Token?
        var view: Token?
        /// The number of changes since the start.
        var generation = 0

        func access(with token: String) -> Access? {
            // Both are always compared, so that the time does not reveal the result.
            let mayControl = control?.matches(token) ?? false
            let mayView = view?.matches(token) ?? false
            return mayControl ? .control : mayView ? .view : nil
        }
    }

    let sessions = SessionStore()
    private let tokens: Mutex<Tokens>
    private let port: UInt16
    private let allowsLocalView: Bool
    private let log: RateLimitedLogger
    /// The limiter of wrong tokens. Guessing a token of 32 characters is hopeless at any rate: the limit keeps attempts
    /// from filling the log, and its error tells the client to stop. It never affects a correct token; otherwise another
    /// client in the network could lock out the owner.
    private let guesses: NetworkRateLimiter
    private let clocks: Clocks

    init(_ web: Config.Web, clocks: Clocks = Clocks(), log: Logger) {
        self.clocks = clocks
        guesses = NetworkRateLimiter(each: .init(burst: 10, period: .seconds(6)), clocks: clocks)
        tokens = Mutex(Tokens(control: web.token, view: web.viewToken))
        port = web.port
        allowsLocalView = web.localView
        self.log = RateLimitedLogger(log)
    }

    var isNeeded: Bool { tokens.withLock { $0.control } != nil }

    /// Adopts the tokens of an edited configuration. A change ends all sessions.
    /// - Returns: Whether the tokens have changed.
    func follow(_ web: Config.Web) -> Bool {
        let isNew = tokens.withLock { tokens in
            guard (web.token, web.viewToken) != (tokens.control, tokens.view) else { return false }
            tokens = Tokens(control: web.token, view: web.viewToken, generation: tokens.generation + 1)
            return true
        }
        if isNew { sessions.closeAll() }
        return isNew
    }

    /// Returns whether a client still has access after any logout or change of the tokens.
    func stillAdmits(_ principal: Principal) -> Bool {
        guard tokens.withLock({ $0.generation }) == principal.generation else { return false }
        return principal.session.map { sessions.access(of: $0, at: clocks.now()) != nil } ?? true
    }

    /// Returns the principal that the token or the session in a request stands for; nil if the sender has no access.
    func principal(of request: HTTPRequest, from client: Client) -> Principal? {
        let tokens = tokens.withLock { $0 }
        func grant(_ access: Access, _ session: SessionStore.ID? = nil) -> Principal {
            Principal(access: access, session: session, generation: tokens.generation, network: client.network)
        }
        guard tokens.control != nil, !client.isAdmitted else { return grant(.control) }
        if let token = bearer(of: request) { return tokens.access(with: token).map { grant($0) } }
        // A page on another port of this host may have set cookies of the same name, so any valid one counts.
        for id in SessionCookie.ids(in: request, port: port, isSecure: client.usesTLS) {
            guard let access = sessions.access(of: id, at: clocks.now()) else { continue }
            return grant(access, id)
        }
        return allowsLocalView && client.isLocal ? grant(.view) : nil
    }

    /// Returns the error for a request without access. A wrong token counts as a guess, but an invalid cookie does not.
    func refusal(of request: HTTPRequest, from client: Client) -> HTTPError {
        bearer(of: request) == nil ? .noToken : wrongToken(from: client)
    }

    /// Starts a session for a client with a token.
    /// - Returns: Its id, and that of the session that was ended to make room, if any.
    func logIn(
        with token: String, from client: Client
    ) throws(HTTPError) -> (id: SessionStore.ID, ended: SessionStore.ID?) {
        guard let access = tokens.withLock({ $0 }).access(with: token) else { throw wrongToken(from: client) }
        return sessions.open(access, for: client.network, at: clocks.now())
    }

    func touch(_ ids: Set<SessionStore.ID>) { sessions.touch(ids, at: clocks.now()) }

    /// Returns the value of `Set-Cookie` for a session, or one that deletes the cookie if the session is nil.
    /// - Parameter isFramed: Whether the page is in a frame that another site may show.
    func cookie(_ session: SessionStore.ID?, for client: Client, isFramed: Bool = false) -> String {
        SessionCookie.setting(session, port: port, isSecure: client.usesTLS, isFramed: isFramed)
    }

    private func wrongToken(from client: Client) -> HTTPError {
        // A client without an address has no connection: it is a test, or has just disconnected.
        guard let network = client.network else { return .wrongToken }
        guard guesses.refusal(from: network) == nil else { return .tooManyGuesses }
        log.log(.warning, "A wrong token came from \(network).")
        return .wrongToken
    }

    private func bearer(of request: HTTPRequest) -> String? {
        guard let header = request.headers[.authorization] else { return nil }
        let scheme = header.utf8.prefix { $0 != UInt8(ascii: " ") }
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer" else { return nil }
        let token = String(Substring(header.utf8[scheme.endIndex...])).trimmingBlanks
        return token.isEmpty ? nil : token
    }
}

extension HTTPError {
    static let noToken = HTTPError(
        status: .unauthorized, code: "no-token",
        message: "This Swatchcam requires a token. Send it as Authorization: Bearer, or log in at /login.",
        headers: [HTTPHeader("WWW-Authenticate"): "Bearer realm=\"Swatchcam\""])

    fileprivate static let wrongToken = HTTPError(
        status: .unauthorized, code: "wrong-token", message: "This token is not valid.",
        headers: [HTTPHeader("WWW-Authenticate"): "Bearer realm=\"Swatchcam\", error=\"invalid_token\""])

    fileprivate static let tooManyGuesses = HTTPError(
        status: .tooManyRequests, code: "too-many-guesses",
        message: "Too many wrong tokens came from your address. Try again in a minute.",
        headers: [.retryAfter: "60"])

    static let readOnly = HTTPError(
        status: .forbidden, code: "read-only", message: "This token is read-only.")
}

/// The access that a client has proved to have, with a token or a session.
struct Principal: Equatable, Sendable {
    var access: Access
    /// The session, if a browser has logged in.
    var session: SessionStore.ID?
    /// The generation of the tokens when access was granted.
    var generation = 0
    var network: IPNetwork?

    /// The client whose share its requests use.
    var key: ClientKey { ClientKey(network: network, access: access) }
}

/// A client as it counts for shares: everyone with the same access in the same network.
///
/// Sessions do not distinguish clients, because a single one can have many.
struct ClientKey: Hashable, Sendable {
    var network: IPNetwork?
    var access: Access
}
