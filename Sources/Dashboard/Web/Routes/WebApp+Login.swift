import FlyingFox
import FoundationEssentials
import Untrusted

/// Login in a browser, which exchanges the token for a cookie.
extension WebApp {
    /// The maximum length of the form in bytes, with room for the longest token and path.
    private static let maxFormLength = 4096

    /// Shows the login page, or checks after a login (`?after=` with the path that it leads to) whether the browser has
    /// kept the cookie.
    func showLogin(_ call: Call) async throws -> HTTPResponse {
        guard access.isNeeded else { return redirect(to: "/") }
        let after = call.request.values(of: "after").first.map(Self.path)
        if let after, access.principal(of: call.request, from: call.client) != nil { return redirect(to: after) }
        await pages.refresh()
        guard let after else { return .page(try pages.login(next: "/", problem: nil, at: "/login")) }
        let problem = Self.cookieProblem(for: call.client)
        return .page(try pages.login(next: after, problem: problem.message, at: "/login"), explaining: problem)
    }

    /// The browser has not kept the cookie of a login with a right token.
    static func cookieProblem(for client: Client) -> HTTPError {
        HTTPError(
            status: .unauthorized, code: "cookie-not-kept",
            message: "The token is right, but the browser has not kept the login. It may refuse cookies"
                + (client.usesTLS
                    ? ", or show this page in a frame of a site that web.frame_ancestors does not name."
                    : ". In a frame of another site, it keeps them only with HTTPS: open this page in a tab of its own.")
        )
    }

    /// Returns the login page in place of a page that requires access, to which the login then leads.
    func login(before request: HTTPRequest, because refusal: HTTPError) async throws(PagesError) -> HTTPResponse {
        // A missing token is not a mistake before the first login.
        let problem = refusal.code == "no-token" ? nil : refusal.message
        await pages.refresh()
        return .page(
            try pages.login(
                next: Self.path(request.target.rawValue), problem: problem, at: request.target.path()),
            explaining: refusal)
    }

    func logIn(_ call: Call) async throws -> HTTPResponse {
        guard call.request.mediaType == "application/x-www-form-urlencoded" else {
            throw HTTPError(
                status: .unsupportedMediaType, code: "not-a-form",
                message: "This address accepts only the form of the login page. Scripts send Authorization: Bearer.")
        }
        let form = try await call.body(upTo: Self.maxFormLength)
        guard access.isNeeded else { return redirect(to: "/") }
        let next = Self.path(Self.field("next", of: form) ?? "/")
        let token = (Self.field("token", of: form) ?? "").trimmed
        do throws(HTTPError) {
            let former = access.principal(of: call.request, from: call.client)?.session
            // A session with an open WebSocket or stream is in use, and must not make room for the new one.
            touchSessions()
            let session = try access.logIn(with: token, from: call.client)
            if let ended = session.ended { end(ended) }
            if let former { close(former) }
            var response = redirect(to: "/login?after=\(Self.escaped(next))")
            response.headers[.setCookie] = access.cookie(
                session.id, for: call.client, isFramed: call.request.isFramed)
            return response
        } catch {
            await pages.refresh()
            return .page(try pages.login(next: next, problem: error.message, at: "/login"), explaining: error)
        }
    }

    func logOut(_ call: Call) -> HTTPResponse {
        if let session = access.principal(of: call.request, from: call.client)?.session { close(session) }
        var response = redirect(to: "/login")
        response.headers[.setCookie] = access.cookie(nil, for: call.client, isFramed: call.request.isFramed)
        return response
    }

    private func close(_ session: SessionStore.ID) {
        access.sessions.close(session)
        end(session)
    }

    /// Returns a field of `application/x-www-form-urlencoded` (URL Standard, 5.1); nil if it is missing or not UTF-8.
    ///
    /// Names are compared byte by byte, because any client may choose them.
    private static func field(_ name: String, of body: Data) -> String? {
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].elementsEqual(name.utf8) else { continue }
            let value = parts[1].map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            return String(validating: value, as: UTF8.self)
                .map { HTTPRequest.Target(path: $0, query: "").path(percentEncoded: false) }
        }
        return nil
    }

    /// Returns a text that `path(_:)` has accepted as the value of a parameter.
    private static func escaped(_ path: String) -> String {
        path.replacing("&", with: "%26").replacing("=", with: "%3D").replacing("?", with: "%3F")
    }

    /// Redirects from `/login` or `/logout` to a path of this site. The address is relative, so that it holds under any
    /// sub-path.
    private func redirect(to path: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: .seeOther, content: Data(), type: "text/plain; charset=utf-8",
            headers: [.location: ".\(path)", .cacheControl: "no-store"])
    }

    /// Returns a text that is a path of this site with its query, or `/` if the text could lead to another site.
    private static func path(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~/?=&,".utf8.contains(byte)
            }
        }
        // Two dots would lead out of the sub-path under which a proxy shows this site.
        let isInside = text.hasPrefix("/") && !text.hasPrefix("//") && !text.contains("..")
        return isPlain && isInside && text.utf8.count <= 512 ? text : "/"
    }
}
