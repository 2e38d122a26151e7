import Color
package import Foundation
package import Readings

extension ReadingSummary {
    /// Returns the summary of a grey reading of the example camera at a time.
    package static func grey(_ value: Double, at time: Date) -> ReadingSummary? {
        ReadingSummary(
            .sample.with { reading in
                reading.time = time
                reading.mean = .init(r: value, g: value, b: value)
            })
    }
}
