/// Bytes like other bytes: the same ones at each run (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
struct Mutations: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

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
