import Foundation
package import Testing

/// Expects a table in a document of `docs` to have these rows, or writes them if `SWATCHCAM_WRITE_DOCS` is set.
///
/// The table has a heading of two lines and follows the line `<!-- name -->`, where the name is that of the table.
package func expectTable(
    _ name: String, in document: String, _ rows: [[String]], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/\(document)").standardized
    var lines = try String(decoding: Data(contentsOf: file), as: UTF8.self).components(separatedBy: "\n")
    let marker = try #require(
        lines.firstIndex(of: "<!-- \(name) -->"), "docs/\(document) lacks the table \(name)",
        sourceLocation: sourceLocation)
    let first = marker + 3
    let end = lines[first...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let wanted = rows.map { "| \($0.joined(separator: " | ")) |" }
    if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DOCS"] != nil {
        lines.replaceSubrange(first..<end, with: wanted)
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
    } else {
        #expect(Array(lines[first..<end]) == wanted, sourceLocation: sourceLocation)
    }
}
