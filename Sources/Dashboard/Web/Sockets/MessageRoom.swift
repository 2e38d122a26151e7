import Handoff
import Synchronization

/// The places that a client of readings holds, by the size of the longest one that it was sent.
///
/// They are taken when a message is sent, not only when the client connects: readings grow with the probes, and one
/// without a colour is short.
final class MessageRoom: Sendable {
    /// The size up to which a message needs no place, in bytes.
    static let freeSize = 8_192
    /// The number of bytes for which a message needs another place, and the maximum number of its places.
    private static let (placeSize, maxPlaces) = (16_384, 256)

    private let limiter: ShareLimiter<ClientKey>
    private let client: ClientKey
    private let held = Mutex<(count: Int, places: [Places])>((0, []))

    init(of client: ClientKey, in limiter: ShareLimiter<ClientKey>) { (self.client, self.limiter) = (client, limiter) }

    /// Takes the places that a message of this size needs and that the client does not hold yet.
    /// - Returns: Whether it holds them now.
    func hold(_ size: Int) -> Bool {
        guard size > Self.freeSize else { return true }
        // A client that does not read keeps the message that is being sent, its frame, and the message to follow.
        let needed = min(1 + 3 * size / Self.placeSize, Self.maxPlaces)
        return held.withLock { held in
            guard needed > held.count else { return true }
            guard let more = limiter.begin(needed - held.count, for: client) else { return false }
            held.places.append(more)
            held.count = needed
            return true
        }
    }
}
