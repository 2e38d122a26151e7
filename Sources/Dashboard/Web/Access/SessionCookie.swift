import FlyingFox

/// The cookie with the id of a session (RFC 6265).
enum SessionCookie {
    /// The lifetime in seconds, the maximum in browsers (RFC 6265bis, 5.5). The server ends unused sessions earlier.
    private static let lifetime = 400 * 24 * 3600
    /// The maximum number of cookies to check. Browsers keep some 180 for a host, including those of other ports.
    private static let maxCookies = 256

    /// Returns the value of `Set-Cookie`.
    /// - Parameters:
    ///   - id: The id of the session, or nil to delete the cookie.
    ///   - isSecure: Whether the client uses TLS; if so, the cookie is restricted to TLS.
    static func setting(_ id: SessionStore.ID?, port: UInt16, isSecure: Bool) -> String {
        "\(name(port, isSecure: isSecure))=\(id ?? ""); Path=/; HttpOnly; SameSite=Strict; "
            + "Max-Age=\(id == nil ? 0 : lifetime)" + (isSecure ? "; Secure" : "")
    }

    /// Returns the ids in a request, including those that other pages may have set.
    static func ids(in request: HTTPRequest, port: UInt16, isSecure: Bool) -> [SessionStore.ID] {
        guard let header = request.headers[.cookie] else { return [] }
        let name = name(port, isSecure: isSecure)
        return header.utf8.split(separator: UInt8(ascii: ";")).prefix(maxCookies).compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(Substring(parts[0])).trimmingBlanks == name else { return nil }
            let id = String(Substring(parts[1])).trimmingBlanks
            return id.isEmpty ? nil : id
        }
    }

    /// Returns the name of the cookie. It contains the port, because all ports of a host share their cookies. `__Host-`
    /// keeps pages of other hosts from setting the cookie (RFC 6265bis, 4.1.3), but requires TLS.
    private static func name(_ port: UInt16, isSecure: Bool) -> String {
        (isSecure ? "__Host-" : "") + "swatchcam-\(port)"
    }
}
