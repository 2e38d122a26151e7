extension StringProtocol {
    /// The maximum number of combining marks in a row (UAX #15, "Stream-Safe Text Format"). No language needs as many.
    package static var maxMarks: Int { 30 }

    /// Whether no more combining marks follow one another than ``maxMarks``.
    ///
    /// Comparing, hashing or searching another text takes time that grows with the square of their number, because they
    /// are sorted each time. So text from outside is refused before anything else is done with it.
    package var isStreamSafe: Bool {
        var marks = 0
        for scalar in unicodeScalars {
            if scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered {
                marks = 0
            } else {
                marks += 1
                guard marks <= Self.maxMarks else { return false }
            }
        }
        return true
    }
}
