import CZlib
package import FoundationEssentials

/// Compression in gzip's format (RFC 1952), through zlib.
package enum Gzip {
    /// Compresses data. The same data gives the same result, because no time is stored.
    /// - Returns: nil if the result would not be smaller, if the data has 4 GiB or more, or if memory is exhausted.
    package static func compress(_ data: Data) -> Data? {
        guard data.count > 1 else { return nil }
        var output = [UInt8](repeating: 0, count: data.count - 1)
        let count = unsafe data.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe swatchcam_gzip(
                    input.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(input.count),
                    output.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(output.count))
            }
        }
        return count > 0 ? Data(output.prefix(Int(count))) : nil
    }
}
