import Testing

@testable import Pixels

@Suite("The shift of a picture")
struct TileProfilesTests {
    private static let (width, height) = (160, 120)
    private static func layout(_ width: Int = Self.width, _ height: Int = Self.height) throws -> PictureLayout {
        PictureLayout(
            format: try #require(PixelFormat.named("GREY")), encoding: ColorEncoding(matrix: .bt601, range: .full),
            width: width, height: height, bytesPerLine: [width])
    }

    private let spot = Region(x: 0.4, y: 0.4, width: 0.2, height: 0.2)

    /// Luma of a scene of soft-edged boxes at a place, 0...1.
    private static func scene(_ x: Int, _ y: Int) -> Double {
        let boxes = [(20, 15, 30, 40), (70, 30, 45, 30), (125, 60, 20, 45), (30, 75, 60, 25), (90, 5, 12, 12)]
        let isInside = boxes.contains { $0.0 <= x && x < $0.0 + $0.2 && $0.1 <= y && y < $0.1 + $0.3 }
        return isInside ? 0.8 : 0.3
    }

    private func profiles(
        _ areas: [Region]? = nil, _ luma: (_ x: Int, _ y: Int) -> Double = Self.scene
    ) throws -> TileProfiles {
        let bytes = (0..<Self.width * Self.height).map { index in
            UInt8(min(max(luma(index % Self.width, index / Self.width), 0), 1) * 255)
        }
        let analyser = try #require(Analyser(layout: Self.layout(), region: .full))
        let reader = try #require(TileReader(analyser, around: areas ?? [spot]))
        let profiles = unsafe reader.profiles(of: bytes.span.bytes)
        return try #require(profiles)
    }

    private func moved(_ dx: Int, _ dy: Int) -> (Int, Int) -> Double { { Self.scene($0 - dx, $1 - dy) } }

    /// Numbers of -1...1 that look random: a linear congruential generator.
    private func noise(_ amplitude: Double, _ seed: UInt32, _ luma: @escaping (Int, Int) -> Double) -> (Int, Int) ->
        Double
    {
        var state = seed
        return { x, y in
            state = state &* 1_664_525 &+ 1_013_904_223
            return luma(x, y) + amplitude * (Double(state >> 8) / 8_388_608 - 1)
        }
    }

    @Test(
        "a nudge is found within half a pixel, in every direction",
        arguments: [(0, 0), (3, 0), (-3, 0), (0, 3), (0, -5), (4, -2), (-1, 2), (12, 7)])
    func nudge(dx: Int, dy: Int) throws {
        let shift = try #require(try profiles().shift(to: profiles(nil, noise(0.02, 1, moved(dx, dy)))))
        #expect(abs(shift.x - Double(dx)) < 0.5 && abs(shift.y - Double(dy)) < 0.5, "\(shift)")
    }

    @Test("a knock by a fifth of the picture is found")
    func knock() throws {
        let shift = try #require(try profiles().shift(to: profiles(nil, moved(30, -20))))
        #expect(abs(shift.x - 30) < 3 && abs(shift.y + 20) < 3, "\(shift)")
    }

    @Test("a lamp that changes by 30 %, and an exposure that clips, are no shift", arguments: [0.3, 0.7, 1.3, 2])
    func light(gain: Double) throws {
        let shift = try profiles().shift(to: profiles(nil, noise(0.02, 2) { gain * Self.scene($0, $1) }))
        #expect(shift.map(\.distance) == 0)
    }

    @Test("a picture without texture has no shift, however noisy it is")
    func flat() throws {
        let first = try profiles(nil, noise(0.05, 3) { _, _ in 0.5 })
        #expect(!first.hasTexture)
        #expect(try first.shift(to: profiles(nil, noise(0.05, 4) { _, _ in 0.5 })) == nil)
    }

    @Test("a person who walks through is no shift", arguments: [0, 30, 60, 90, 120])
    func person(x: Int) throws {
        let shift = try profiles().shift(to: profiles(nil) { (x..<x + 40) ~= $0 ? 0.1 : Self.scene($0, $1) })
        #expect((shift?.distance ?? 0) < 1)
    }

    @Test("a picture that is covered, or shows something else, is no shift")
    func covered() throws {
        #expect(try profiles().shift(to: profiles(nil) { _, _ in 0.1 }) == nil)
        #expect(try profiles().shift(to: profiles(nil) { x, y in (x / 9 + y / 7) % 2 == 0 ? 0.9 : 0.1 }) == nil)
    }

    @Test("a regular pattern with noise does not jump by its period")
    func periodic() throws {
        let stripes = { (x: Int, _: Int) in x / 8 % 2 == 0 ? 0.6 : 0.4 }
        let first = try profiles(nil, noise(0.05, 5, stripes))
        for seed in UInt32(6)..<26 {
            #expect(try first.shift(to: profiles(nil, noise(0.05, seed, stripes)))?.distance ?? 0 < 0.5)
        }
        let moved = try #require(try first.shift(to: profiles(nil) { x, y in stripes(x + 3, y) }))
        #expect(abs(moved.x + 3) < 0.5 && moved.y == 0)
    }

    @Test("the whole picture alone is no area that could be shifted")
    func wholePicture() throws {
        let analyser = try #require(Analyser(layout: Self.layout(), region: .full))
        #expect(TileReader(analyser, around: [.full]) == nil)
        #expect(TileReader(analyser, around: []) == nil)
        #expect(TileReader(analyser, around: [.full, spot]) != nil)
    }

    @Test("pictures of every size are read", arguments: [(1, 1), (3, 200), (200, 3), (64, 64), (65, 257), (300, 1000)])
    func sizes(width: Int, height: Int) throws {
        let bytes = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let short = Array(bytes.dropLast())
        let analyser = try #require(Analyser(layout: Self.layout(width, height), region: .full))
        for area in [Region(x: 0, y: 0, width: 0.5, height: 0.5), Region(x: 0.9, y: 0.9, width: 0.1, height: 0.1)] {
            guard let reader = TileReader(analyser, around: [area]) else { continue }
            let (whole, cut) = unsafe (reader.profiles(of: bytes.span.bytes), reader.profiles(of: short.span.bytes))
            let profiles = try #require(whole)
            #expect(profiles.shift(to: profiles).map { $0.distance == 0 } ?? true)
            #expect(cut == nil)
        }
    }
}
