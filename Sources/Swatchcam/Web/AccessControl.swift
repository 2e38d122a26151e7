import FlyingFox
import Foundation
import Logging
import Synchronization

/// What somebody may do.
enum Access: String, Sendable {
    /// See colours, pictures and settings.
    case view
    /// Change them, too.
    case control
}

/// Tells by the token that came with a request what its sender may do, and stops listening to those who guess.
///
/// The token is in `Authorization: Bearer`, or in the cookie that logging in gives; never in an address, which would end
/// up in histories and logs.
final class AccessControl: Sendable {
    private let token: Token?
    private let viewToken: Token?
    private let cookie: String
    private let log: LimitedLog
    private let guesses = Mutex(GuessBudget())

    init(_ web: Config.Web, log: Logger) {
        token = web.token
        viewToken = web.viewToken
        // Cookies know no ports: another Swatchcam on this machine has a name of its own for them.
        cookie = "swatchcam-\(web.port)"
        self.log = LimitedLog(log)
    }

    /// Whether anybody is asked for a token.
    var isNeeded: Bool { token != nil }

    /// What the sender of a request may do.
    func access(of request: HTTPRequest) throws(Refusal) -> Access {
        guard isNeeded else { return .control }
        if let shown = bearer(of: request) { return try access(showing: shown, request) }
        guard let shown = cookie(of: request) else { throw .noToken }
        do throws(Refusal) {
            return try access(showing: shown, request)
        } catch {
            // A browser would go on sending it, and keep its own person from logging in.
            throw error.with(header: .setCookie, clearedCookie)
        }
    }

    /// What somebody may do who shows a token.
    func access(showing shown: String, _ request: HTTPRequest) throws(Refusal) -> Access {
        let place = Self.place(of: request)
        guard guesses.withLock({ $0.allowsGuess(from: place, at: .now) }) else { throw .tooManyGuesses }
        // Both are compared, whatever comes of the first.
        let mayControl = token?.matches(shown) ?? true
        let mayView = viewToken?.matches(shown) ?? false
        if mayControl { return .control }
        if mayView { return .view }
        guesses.withLock { $0.spend(from: place, at: .now) }
        log.tell(.warning, "A wrong token came from \(place).")
        throw .wrongToken
    }

    // MARK: The cookie

    /// Of `Set-Cookie`, for a browser that showed a token.
    /// - Parameter isSecure: Whether it came by TLS, and is to be sent that way only.
    func cookie(holding shown: String, isSecure: Bool) -> String {
        "\(cookie)=\(shown); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000" + (isSecure ? "; Secure" : "")
    }

    var clearedCookie: String { "\(cookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" }

    private func cookie(of request: HTTPRequest) -> String? {
        guard let header = request.headers[.cookie] else { return nil }
        for pair in header.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == cookie else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            return value.isEmpty ? nil : value
        }
        return nil
    }

    private func bearer(of request: HTTPRequest) -> String? {
        guard let header = request.headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }

    /// Who guesses: an address, or the network that a provider gives one customer (RFC 6177). A proxy on this machine
    /// says for whom it speaks.
    private static func place(of request: HTTPRequest) -> String {
        guard let peer = Peer(request.remoteAddress) else { return "this machine" }
        var host = peer.host
        if peer.isLocal, let forwarded = request.headers[.xForwardedFor]?.split(separator: ",").last {
            host = forwarded.trimmingCharacters(in: .whitespaces)
        }
        switch IPAddress(host) {
        case .v4(let bytes)?: return bytes.map(String.init).joined(separator: ".")
        case .v6(let bytes)?:
            return stride(from: 0, to: 8, by: 2)
                .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
                + "::/64"
        case nil: return peer.host
        }
    }
}

extension Refusal {
    fileprivate static let noToken = Refusal(
        status: .unauthorized, code: "no-token",
        message: "This Swatchcam wants a token: as Authorization: Bearer, or once at /login.",
        headers: [HTTPHeader("WWW-Authenticate"): "Bearer realm=\"Swatchcam\""])

    fileprivate static let wrongToken = Refusal(
        status: .unauthorized, code: "wrong-token", message: "This is not the token of this Swatchcam.",
        headers: [HTTPHeader("WWW-Authenticate"): "Bearer realm=\"Swatchcam\", error=\"invalid_token\""])

    fileprivate static let tooManyGuesses = Refusal(
        status: .tooManyRequests, code: "too-many-guesses",
        message: "Too many wrong tokens came from your address. Try again in a minute.",
        headers: [HTTPHeader("Retry-After"): "60"])

    static let readOnly = Refusal(
        status: .forbidden, code: "read-only", message: "Your token may look, and change nothing.")

    fileprivate func with(header: HTTPHeader, _ value: String) -> Refusal {
        var copy = self
        copy.headers[header] = value
        return copy
    }
}
