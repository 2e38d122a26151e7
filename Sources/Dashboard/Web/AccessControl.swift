import Configuration
import FlyingFox
import Foundation
import Logging
import Synchronization

/// Somebody who was let in.
struct Caller: Equatable, Sendable {
    var access: Access
    /// Of a browser that logged in.
    var session: SessionStore.ID?
    /// How often the tokens had changed when they were let in.
    var generation = 0
}

/// Decides by the token or the session that came with a request what its sender may do.
///
/// The token is in `Authorization: Bearer`; never in an address, which would end up in histories and logs. A browser
/// shows it once and gets a session: a cookie goes to every port of a host, so it must not hold the token itself.
final class AccessControl: Sendable {
    private struct Tokens: Equatable {
        var control: Token?
        var view: Token?
        /// How often they changed.
        var generation = 0

        /// What somebody may do who shows a token.
        func access(showing shown: String) -> Access? {
            // Both are compared, whatever comes of the first.
            let mayControl = control?.matches(shown) ?? false
            let mayView = view?.matches(shown) ?? false
            return mayControl ? .control : mayView ? .view : nil
        }
    }

    let sessions = SessionStore()
    private let tokens: Mutex<Tokens>
    private let port: UInt16
    private let allowsLocalView: Bool
    private let log: RateLimitedLogger
    private let limiter = Mutex(LoginRateLimiter())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        _ web: Config.Web, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, log: Logger
    ) {
        self.now = now
        tokens = Mutex(Tokens(control: web.token, view: web.viewToken))
        port = web.port
        allowsLocalView = web.localView
        self.log = RateLimitedLogger(log)
    }

    /// Whether anybody is asked for a token.
    var isNeeded: Bool { tokens.withLock { $0.control } != nil }

    /// Follows an edit of the tokens; it ends every session.
    /// - Returns: Whether the tokens are others now.
    func follow(_ web: Config.Web) -> Bool {
        let isNew = tokens.withLock { tokens in
            guard (web.token, web.viewToken) != (tokens.control, tokens.view) else { return false }
            tokens = Tokens(control: web.token, view: web.viewToken, generation: tokens.generation + 1)
            return true
        }
        if isNew { sessions.closeAll() }
        return isNew
    }

    /// Whether somebody who was let in may still stay: a log-out or an edit of the tokens may have come since.
    func isWelcome(_ caller: Caller) -> Bool {
        guard tokens.withLock({ $0.generation }) == caller.generation else { return false }
        return caller.session.map { sessions.access(of: $0, at: now()) != nil } ?? true
    }

    /// Who sent a request, if they may do anything; nil: a stranger.
    func caller(of request: HTTPRequest, from client: Client) -> Caller? {
        let tokens = tokens.withLock { $0 }
        guard tokens.control != nil else { return Caller(access: .control, generation: tokens.generation) }
        if let token = bearer(of: request) {
            return tokens.access(showing: token).map { Caller(access: $0, generation: tokens.generation) }
        }
        // A page on another port of this host may have planted cookies of the same name: any valid one counts.
        for id in SessionCookie.ids(in: request, port: port, isSecure: client.usesTLS) {
            guard let access = sessions.access(of: id, at: now()) else { continue }
            return Caller(access: access, session: id, generation: tokens.generation)
        }
        return allowsLocalView && client.isLocal ? Caller(access: .view, generation: tokens.generation) : nil
    }

    /// Why a stranger is refused. A wrong token counts as a guess; a cookie is never one.
    func refusal(of request: HTTPRequest, from client: Client) -> HTTPError {
        bearer(of: request) == nil ? .noToken : guess(from: client)
    }

    /// Begins a session for somebody who shows a token.
    /// - Returns: Its id, and the session that had to end for it.
    func logIn(
        showing token: String, from client: Client
    ) throws(HTTPError) -> (id: SessionStore.ID, ended: SessionStore.ID?) {
        guard let access = tokens.withLock({ $0 }).access(showing: token) else { throw guess(from: client) }
        return sessions.open(access, at: now())
    }

    /// Notes that sessions are in use.
    func touch(_ ids: Set<SessionStore.ID>) { sessions.touch(ids, at: now()) }

    /// Of `Set-Cookie`, for a session; nil: to have the browser forget it.
    func cookie(_ session: SessionStore.ID?, for client: Client) -> String {
        SessionCookie.setting(session, port: port, isSecure: client.usesTLS)
    }

    private func guess(from client: Client) -> HTTPError {
        // Without an address there is no connection: a test, or one that has just ended.
        guard let network = client.network else { return .wrongToken }
        guard limiter.withLock({ $0.allowsGuess(from: network, at: now()) }) else { return .tooManyGuesses }
        log.tell(.warning, "A wrong token came from \(network).")
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
        message: "This Swatchcam wants a token: as Authorization: Bearer, or once at /login.",
        headers: [HTTPHeader("WWW-Authenticate"): "Bearer realm=\"Swatchcam\""])

    fileprivate static let wrongToken = HTTPError(
        status: .unauthorized, code: "wrong-token", message: "This is not the token of this Swatchcam.",
        headers: [HTTPHeader("WWW-Authenticate"): "Bearer realm=\"Swatchcam\", error=\"invalid_token\""])

    fileprivate static let tooManyGuesses = HTTPError(
        status: .tooManyRequests, code: "too-many-guesses",
        message: "Too many wrong tokens came from your address. Try again in a minute.",
        headers: [HTTPHeader("Retry-After"): "60"])

    static let readOnly = HTTPError(
        status: .forbidden, code: "read-only", message: "This token is read-only.")
}
