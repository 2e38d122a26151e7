/// The media types of files, by the extension of their names.
enum ContentType {
    /// Returns whether compression makes a file of this media type smaller. Pictures and fonts are compressed already.
    static func isCompressible(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/json") || type == "image/svg+xml"
            || type == "application/manifest+json"
    }

    /// Returns the media type of a file; `application/octet-stream` if it is not known.
    static func of(_ name: String) -> String {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).last.map { $0.lowercased() } ?? ""
        return types[ending] ?? "application/octet-stream"
    }

    private static let types = [
        "css": "text/css; charset=utf-8",
        "gif": "image/gif",
        "html": "text/html; charset=utf-8",
        "ico": "image/x-icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "mjs": "text/javascript; charset=utf-8",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
        "webp": "image/webp",
        "woff2": "font/woff2",
    ]
}
