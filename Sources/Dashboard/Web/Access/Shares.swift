import Configuration
import Handoff

/// The places that clients share (docs/security.md, Shares).
struct Shares: Sendable {
    /// The maximum number of samples that a client takes at the same time.
    static let maxSamples = 8

    /// The places of responses that are under way.
    let transfers = ShareLimiter(total: 64, max: 16, reserved: 16)
    /// The places of requests that change something or bring a body, by its length, until their response is sent.
    let changes = ShareLimiter(total: 128, max: 32)
    /// The places of WebSockets of all kinds. Programs on this machine with full access may have more of them.
    let sockets = ShareLimiter(total: 2304, max: 256, maxLocal: 2048, reserved: 256)
    /// The places of streams, snapshots, and WebSockets while they wait for a picture or receive one.
    let viewers = ShareLimiter(total: 128, max: 64, reserved: 32)
    /// The places of WebSockets that get the fleet, which is ten times as long as a reading, or hundreds of times.
    let fleetViewers = ShareLimiter(total: 64, max: 16, reserved: 16)
    /// The places of WebSockets that get long readings, by the size of these.
    let longViewers = ShareLimiter(total: 1_024, max: 512, reserved: 256)
    /// The places of requests for a long reading, by its size.
    let longReadings = ShareLimiter(total: 512, max: 256, reserved: 128)
    /// The places of samples that are under way.
    let sampling = ShareLimiter(total: 16, max: maxSamples)
    /// The place of the measurement of patches that is under way.
    let patches = ShareLimiter(total: 1, max: 1)
}

extension ShareLimiter<ClientKey> {
    /// - Parameters:
    ///   - max: The maximum number of places of a client.
    ///   - maxLocal: The same of programs on this machine with full access.
    ///   - reserved: The number of places that clients without full access leave free.
    fileprivate convenience init(total: Int, max: Int, maxLocal: Int? = nil, reserved: Int = 0) {
        self.init(total: total) { client in
            let isControl = client.access == .control
            return .init(
                max: isControl && client.network?.isLoopback == true ? maxLocal ?? max : max,
                leaving: isControl ? 0 : reserved)
        }
    }
}
