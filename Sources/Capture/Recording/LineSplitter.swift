/// A splitter that divides a file, read in pieces, into lines.
struct LineSplitter {
    private let longest: Int
    /// The beginning of a line whose end has not been found yet.
    private var rest: [UInt8] = []
    /// Whether the line is too long, and its end is yet to come.
    private var isSkipping = false

    /// - Parameter longest: The length of the longest line, in bytes.
    init(longest: Int) {
        self.longest = longest
    }

    /// Adds a piece of the file.
    /// - Parameter body: Called with each line that is complete, without its line break; with nil if it is too long.
    mutating func add(_ piece: [UInt8], _ body: (ArraySlice<UInt8>?) -> Void) {
        var left = piece[...]
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest.isEmpty ? left[..<end] : (rest + left[..<end])[...]
            body(isSkipping || line.count > longest ? nil : line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            rest.removeAll(keepingCapacity: true)
            isSkipping = false
            left = left[(end + 1)...]
        }
        if !isSkipping { rest += left }
        if rest.count > longest {
            rest.removeAll()
            isSkipping = true
        }
    }
}
