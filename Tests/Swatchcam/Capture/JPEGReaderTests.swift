import Foundation
import Pixels
import Testing

@testable import Swatchcam

@Suite("A camera's JPEG frames")
struct JPEGReaderTests {
    /// 16 x 16 pixels of rgb(200, 100, 50), 4:2:0, made by Pillow 12.
    private static let sample = Array(
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU\
                FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
                FBQUFBQUFBT/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA\
                FQEBAQAAAAAAAAAAAAAAAAAABwj/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQAHqQf//Z
                """) ?? Data())

    private func mean(of bytes: [UInt8], size: Int = 16, config: Config = Config()) -> RGB? {
        var reader = JPEGReader(width: size, height: size, config: config)
        return reader.sums(of: unsafe bytes.span.bytes)?.mean
    }

    @Test("have the colour of their pixels")
    func color() throws {
        let color = try #require(mean(of: Self.sample))
        #expect(abs(color.r - 200) < 1 && abs(color.g - 100) < 1 && abs(color.b - 50) < 1)
    }

    @Test("are read as the config says, should a camera's be no JFIF")
    func colorimetry() throws {
        var config = Config()
        config.camera.colorimetry = .bt709Full
        let (one, other) = (try #require(mean(of: Self.sample)), try #require(mean(of: Self.sample, config: config)))
        #expect(abs(one.r - other.r) > 5)
    }

    @Test("are none when cut short, of another size, or something else")
    func damaged() {
        #expect(mean(of: Self.sample.dropLast()) == nil)
        #expect(mean(of: Self.sample, size: 32) == nil)
        #expect(mean(of: [1, 2, 3, 4]) == nil)
        #expect(mean(of: []) == nil)
    }
}
