extension Double {
    /// Parses a length of time in seconds: a whole number and a unit, such as `90s`, `10m`, `12h` or `31d`; nil for
    /// anything else.
    package init?(timeSpan text: String) {
        let units: [UInt8: Double] = [
            UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
        ]
        let digits = text.utf8.dropLast()
        guard let unit = text.utf8.last.flatMap({ units[$0] }), 1...7 ~= digits.count,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Double(Substring(digits))
        else { return nil }
        self = number * unit
    }
}
