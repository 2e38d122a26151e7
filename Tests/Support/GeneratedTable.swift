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

/// Expects a text to be that of a file in `Tests/Golden`, or writes it if `SWATCHCAM_WRITE_DOCS` is set.
///
/// In the file, lines end after commas too, so that one can read what a change has changed.
package func expectGolden(
    _ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let lines = text.replacing("\r\n", with: "\\r\n").replacing(",", with: ",\n")
    try expectFile("Tests/Golden/\(name)", lines, sourceLocation: sourceLocation)
}

/// Expects a file of the project to have a text and a line feed at its end, or writes it if `SWATCHCAM_WRITE_DOCS` is set.
package func expectFile(
    _ path: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../\(path)").standardized
    let wanted = text.hasSuffix("\n") ? text : text + "\n"
    if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DOCS"] != nil {
        try Data(wanted.utf8).write(to: file)
    } else {
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == wanted, sourceLocation: sourceLocation)
    }
}
