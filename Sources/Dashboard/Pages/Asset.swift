import FoundationEssentials
import Gzip

/// A file that is served to clients.
struct Asset: Equatable, Sendable {
    var content: Data
    /// The strong entity tag, with its quotes. The same content has the same tag on every machine.
    var entityTag: String
    /// The content in gzip's format; nil if that is not smaller, or is not wanted.
    var gzipped: Data?

    /// The maximum size of content that is compressed, in bytes.
    private static let maxCompressed = 1_000_000

    /// - Parameter isCompressible: Whether compression may make the content smaller.
    init(content: Data, isCompressible: Bool = false) {
        self.content = content
        if isCompressible, content.count <= Self.maxCompressed { gzipped = Gzip.compress(content) }
        // FNV-1a with 64 bits. The tag has to detect changes, not forgeries.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let bytes = content.span
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
        entityTag = "\"\(String(hash, radix: 16))-\(content.count)\""
    }

    /// - Parameter name: The name of the file, which reveals whether compression makes the content smaller.
    init(content: Data, named name: String) {
        self.init(content: content, isCompressible: ContentType.isCompressible(ContentType.of(name)))
    }

    /// The entity tag of the compressed content, which consists of other bytes (RFC 9110, 8.8.3.3).
    var gzippedEntityTag: String { entityTag.dropLast() + "-gzip\"" }
}

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
