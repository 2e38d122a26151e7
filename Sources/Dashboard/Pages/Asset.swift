import FoundationEssentials

/// A file that is served to clients.
struct Asset: Equatable, Sendable {
    var content: Data
    /// The strong entity tag, with its quotes. The same content has the same tag on every machine.
    var entityTag: String

    init(content: Data) {
        self.content = content
        // FNV-1a with 64 bits. The tag has to detect changes, not forgeries.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        entityTag = "\"\(String(hash, radix: 16))-\(content.count)\""
    }
}
