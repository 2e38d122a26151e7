import Foundation

/// A file as it is served.
struct Asset: Equatable, Sendable {
    var content: Data
    /// Strong entity tag, quotes included: the same content has the same tag, on every machine.
    var entityTag: String

    init(content: Data) {
        self.content = content
        // FNV-1a, 64 bits: a change must change the tag, nobody has to be kept from forging one.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        entityTag = "\"\(String(hash, radix: 16))-\(content.count)\""
    }
}
