package import Documents
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

/// Expects a component of `docs/openapi.json` to have the properties of a document, or writes them if `SWATCHCAM_WRITE_DOCS`
/// is set.
package func expectComponent<Document: JSONFields>(
    _ name: String, of _: Document.Type, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/openapi.json").standardized
    var lines = try String(decoding: Data(contentsOf: file), as: UTF8.self).components(separatedBy: "\n")
    func range(from first: String, to last: String, after start: Int) throws -> Range<Int> {
        let begin = try #require(lines[start...].firstIndex(of: first), sourceLocation: sourceLocation)
        return begin + 1..<(try #require(lines[begin...].firstIndex(of: last), sourceLocation: sourceLocation))
    }
    let start = try #require(lines.firstIndex(of: "      \"\(name)\": {"), sourceLocation: sourceLocation)
    let properties = Document.fields.map { field in
        let meaning = field.meaning.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing("\"", with: "\\\"")
        return "          \"\(field.key)\": { \(field.schema.text), \"description\": \"\(meaning)\" }"
    }.joined(separator: ",\n").components(separatedBy: "\n")
    let required = Document.fields.reduce(into: [String]()) { lines, field in
        let key = "\"\(field.key)\""
        if let last = lines.last, last.count + key.count < 116 {
            lines[lines.count - 1] = "\(last), \(key)"
        } else {
            if let last = lines.last { lines[lines.count - 1] = "\(last)," }
            lines.append("          \(key)")
        }
    }
    if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DOCS"] != nil {
        lines.replaceSubrange(
            try range(from: "        \"required\": [", to: "        ],", after: start), with: required)
        lines.replaceSubrange(
            try range(from: "        \"properties\": {", to: "        },", after: start), with: properties)
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
    } else {
        let found = try range(from: "        \"properties\": {", to: "        },", after: start)
        #expect(Array(lines[found]) == properties, sourceLocation: sourceLocation)
        let listed = try range(from: "        \"required\": [", to: "        ],", after: start)
        #expect(Array(lines[listed]) == required, sourceLocation: sourceLocation)
    }
}
