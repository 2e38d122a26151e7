import TestSupport

/// A generator of mutated bytes, which are the same in every run.
struct Mutations: RandomNumberGenerator {
    private var numbers: SeededGenerator

    init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func mutated(_ seed: [UInt8]) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...5, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            let end = min(place + Int.random(in: 0...16, using: &self), bytes.count)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &self))
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
            case 4 where place < bytes.count: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self) }
            }
        }
        return bytes
    }
}
