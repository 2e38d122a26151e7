import FlyingFox

/// The cookie that holds the id of a session (RFC 6265).
enum SessionCookie {
    /// As long as browsers keep any (RFC 6265bis, 5.5): the server ends a session earlier if it is not used.
    private static let lifetime = 400 * 24 * 3600
    /// Cookies that are looked at. Browsers hold some 180 for a host; those of other ports come along.
    private static let mostCookies = 256

    /// The value of `Set-Cookie`.
    /// - Parameters:
    ///   - id: nil: the cookie is to be forgotten.
    ///   - isSecure: Whether it came by TLS, and is to be sent that way only.
    static func setting(_ id: SessionStore.ID?, port: UInt16, isSecure: Bool) -> String {
        "\(name(port, isSecure: isSecure))=\(id ?? ""); Path=/; HttpOnly; SameSite=Strict; "
            + "Max-Age=\(id == nil ? 0 : lifetime)" + (isSecure ? "; Secure" : "")
    }

    /// Every id that came with a request, whichever page planted it.
    static func ids(in request: HTTPRequest, port: UInt16, isSecure: Bool) -> [SessionStore.ID] {
        guard let header = request.headers[.cookie] else { return [] }
        let name = name(port, isSecure: isSecure)
        return header.utf8.split(separator: UInt8(ascii: ";")).prefix(mostCookies).compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(Substring(parts[0])).trimmingBlanks == name else { return nil }
            let id = String(Substring(parts[1])).trimmingBlanks
            return id.isEmpty ? nil : id
        }
    }

    /// Cookies know no ports: another Swatchcam on this machine has a name of its own for them. `__Host-` keeps pages
    /// of other hosts from planting one (RFC 6265bis, 4.1.3), and is for TLS alone.
    private static func name(_ port: UInt16, isSecure: Bool) -> String {
        (isSecure ? "__Host-" : "") + "swatchcam-\(port)"
    }
}
