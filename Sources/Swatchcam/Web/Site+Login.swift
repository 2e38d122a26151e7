import FlyingFox
import Foundation

/// Showing a token once, in a browser, which keeps it in a cookie from then on.
extension Site {
    /// Longer than any token, and than any path of ours.
    private static let longestForm = 4096

    /// `GET /login`.
    func showLogin() async throws(PagesError) -> HTTPResponse {
        guard access.isNeeded else { return redirect(to: "/") }
        return page(try await pages.login(next: "/", problem: nil))
    }

    /// In place of a page that its reader may not see: the address stays, and leads there afterwards.
    func login(before request: HTTPRequest, because refusal: Refusal) async throws(PagesError) -> HTTPResponse {
        // That there is none yet is no mistake.
        let problem = refusal.code == "no-token" ? nil : refusal.message
        var response = page(try await pages.login(next: Self.path(request.target.rawValue), problem: problem))
        response.statusCode = refusal.status
        for (name, value) in refusal.headers { response.headers[name] = value }
        return response
    }

    /// `POST /login`, from the form.
    func logIn(_ request: HTTPRequest, from client: Client) async throws -> HTTPResponse {
        guard request.mediaType == "application/x-www-form-urlencoded" else {
            throw Refusal(
                status: .unsupportedMediaType, code: "not-a-form",
                message: "The form of the page is wanted here; scripts send Authorization: Bearer.")
        }
        let fields = Self.fields(of: try await request.body(upTo: Self.longestForm))
        guard access.isNeeded else { return redirect(to: "/") }
        let next = Self.path(fields["next"] ?? "/")
        let shown = fields["token", default: ""].trimmingCharacters(in: .whitespacesAndNewlines)
        do throws(Refusal) {
            let session = try access.logIn(showing: shown, from: client)
            if let ended = session.ended { end(ended) }
            var response = redirect(to: next)
            response.headers[.setCookie] = access.cookie(session.id, for: client)
            return response
        } catch {
            var response = page(try await pages.login(next: next, problem: error.message))
            response.statusCode = error.status
            for (name, value) in error.headers { response.headers[name] = value }
            return response
        }
    }

    /// `POST /logout`.
    func logOut(_ request: HTTPRequest, from client: Client) -> HTTPResponse {
        if let session = access.caller(of: request, from: client)?.session {
            access.sessions.close(session)
            end(session)
        }
        var response = redirect(to: "/login")
        response.headers[.setCookie] = access.cookie(nil, for: client)
        return response
    }

    /// `application/x-www-form-urlencoded` (URL Standard, 5.1); what is not to be read is left out.
    private static func fields(of body: Data) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard parts.count == 2, let name = parts[0], let value = parts[1] else { continue }
            fields[name] = value
        }
        return fields
    }

    private func redirect(to path: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: .seeOther, content: Data(), type: "text/plain; charset=utf-8",
            headers: [.location: path, .cacheControl: "no-store"])
    }

    /// A path of this site with its query; `/` for what may lead elsewhere.
    private static func path(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~/?=&,".utf8.contains(byte)
            }
        }
        return isPlain && text.hasPrefix("/") && !text.hasPrefix("//") && text.utf8.count <= 512 ? text : "/"
    }
}
