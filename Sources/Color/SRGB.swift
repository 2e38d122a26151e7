import Glibc

/// The transfer function of sRGB (IEC 61966-2-1).
public enum SRGB {
    /// Returns the linear light, 0...1, of a channel's encoded value, 0...1.
    public static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Returns the encoded value, 0...1, of a channel's linear light, 0...1.
    public static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
