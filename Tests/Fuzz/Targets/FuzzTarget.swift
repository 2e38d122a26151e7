/// A fuzz test of a part of the program that reads bytes from outside. It checks what must hold for any bytes.
///
/// Crashes and hangs show in the process that runs it; it reports everything else itself.
protocol FuzzTarget: Sendable {
    /// The name of its folder in `Corpus`.
    static var name: String { get }

    /// The handmade inputs to begin with, by the names of their files.
    static var seeds: [String: [UInt8]] { get }

    /// Tries an input. The same bytes must always have the same effect.
    /// - Throws: The violation that was found.
    static func run(_ bytes: [UInt8]) async throws(Finding)
}

/// The list of targets.
///
/// There is no target for the heads of requests and for WebSocket frames: FlyingFox parses them, and they need a
/// socket. ``RequestTarget`` begins after the head of a request was read.
enum FuzzTargets {
    static let all: [any FuzzTarget.Type] = [
        ConfigTarget.self, RequestTarget.self, JPEGTarget.self, PixelTarget.self, V4L2Target.self,
        StatusTarget.self, ColorTarget.self, TableTarget.self, PaletteTarget.self,
    ]

    static func named(_ name: String) -> (any FuzzTarget.Type)? { all.first { $0.name == name } }
}

/// A violation that a target found.
struct Finding: Error, CustomStringConvertible {
    var sentence: String
    var description: String { sentence }
}

/// Throws a finding if a condition is not true.
func check(_ isTrue: Bool, _ sentence: @autoclosure () -> String) throws(Finding) {
    if !isTrue { throw Finding(sentence: sentence()) }
}
