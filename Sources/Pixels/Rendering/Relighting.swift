import CPixels
import Color
import Glibc

/// A change of the light on a painted picture: a gain on the linear light of each channel, and the noise of a sensor.
///
/// Above its linear part, sRGB encodes light L as 1.055 L^(1/2.4) - 0.055 (IEC 61966-2-1). A gain g turns an encoded
/// value e into g^(1/2.4) (e + 0.055) - 0.055, so that a multiplication and an addition replace both transfer
/// functions.
package struct Relighting {
    private var gain = cpixels_gain()

    /// Creates a change of the light.
    /// - Parameters:
    ///   - red: The gain of red, at least 0 and below 2.
    ///   - green: The gain of green, likewise.
    ///   - blue: The gain of blue, likewise.
    package init(red: Double, green: Double, blue: Double) {
        let one = Double(1 << 15)
        func scale(_ gain: Double) -> Double { (pow(gain, 1 / 2.4) * one).rounded() }
        func offset(_ gain: Double) -> Int32 { Int32(((scale(gain) - one) * 0.055 * 255).rounded()) }
        gain.scale = (Int32(scale(red)), Int32(scale(green)), Int32(scale(blue)))
        gain.offset = (offset(red), offset(green), offset(blue))
        gain.dark_scale = (Int32((red * one).rounded()), Int32((green * one).rounded()), Int32((blue * one).rounded()))
    }

    /// Lights a picture.
    ///
    /// A code value of 10 or less, which sRGB encodes linearly, is exact as well. One that the gain carries from one
    /// part of the curve into the other is wrong by about one code value at most, if the gain is 0.4 to 1.1.
    /// - Parameters:
    ///   - scene: The picture in the light that it was painted in, as R, G, B.
    ///   - bytesPerLine: The number of bytes in a row.
    ///   - noise: The noise, in units of 1/256 of a code value. A row takes as many consecutive values as it has bytes.
    ///   - offset: Returns the position in the noise at which a row begins. One that leaves too few values counts as 0.
    ///   - picture: Receives the lit picture. Nothing happens unless it has as many bytes as the scene, and the noise
    ///     suffices for a row.
    package func light(
        _ scene: [UInt8], bytesPerLine: Int, noise: [Int16], offset: (_ row: Int) -> Int, into picture: inout [UInt8]
    ) {
        guard bytesPerLine > 0, picture.count == scene.count, noise.count >= bytesPerLine else { return }
        let last = noise.count - bytesPerLine
        var gain = gain
        unsafe picture.withUnsafeMutableBufferPointer { picture in
            unsafe scene.withUnsafeBufferPointer { scene in
                unsafe noise.withUnsafeBufferPointer { noise in
                    guard let target = picture.baseAddress, let source = scene.baseAddress,
                        let noise = noise.baseAddress
                    else { return }
                    for row in 0..<scene.count / bytesPerLine {
                        let start = row * bytesPerLine
                        let wanted = offset(row)
                        let position = (0...last).contains(wanted) ? wanted : 0
                        unsafe cpixels_light(source + start, noise + position, bytesPerLine, &gain, target + start)
                    }
                }
            }
        }
    }
}
