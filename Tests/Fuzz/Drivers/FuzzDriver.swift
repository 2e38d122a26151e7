/// A part of the program that reads bytes it did not make, and what has to be true of it whatever they are.
///
/// That it neither crashes nor hangs is seen by whoever runs it; all else it says itself.
protocol FuzzDriver: Sendable {
    /// Of its folder in `Corpus`.
    static var name: String { get }

    /// Inputs of ours to begin with, by the names of their files.
    static var seeds: [String: [UInt8]] { get }

    /// Tries an input. The same bytes do the same each time.
    /// - Throws: What is not as it has to be.
    static func run(_ bytes: [UInt8]) async throws(Finding)
}

/// Every driver.
///
/// Heads of requests and WebSocket frames are FlyingFox's to parse, and no driver's here: they need a socket. Of a
/// request, ``RequestDriver`` begins where its head was read.
enum FuzzDrivers {
    static let all: [any FuzzDriver.Type] = [
        ConfigDriver.self, RequestDriver.self, JPEGDriver.self, PixelDriver.self, V4L2Driver.self,
        StatusDriver.self,
    ]

    static func named(_ name: String) -> (any FuzzDriver.Type)? { all.first { $0.name == name } }
}

/// What is not as it has to be.
struct Finding: Error, CustomStringConvertible {
    var sentence: String
    var description: String { sentence }
}

/// Holds a driver to what it says.
func check(_ isTrue: Bool, _ sentence: @autoclosure () -> String) throws(Finding) {
    if !isTrue { throw Finding(sentence: sentence()) }
}
