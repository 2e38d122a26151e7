/// A JSON value whose keys keep their order, for documents that people read.
package enum JSONTree: Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([(key: String, value: JSONTree)])

    /// The value as text, in which whatever fits is on one line.
    package var text: String { text(indentation: "", taken: 0) }

    /// Long, so that a key with its sentence is on one line, and a change of it too.
    private static let maxLine = 240

    /// - Parameter taken: The number of characters on the line after the indentation.
    private func text(indentation: String, taken: Int) -> String {
        let line = line
        guard indentation.count + taken + line.count > Self.maxLine else { return line }
        let inner = indentation + "  "
        switch self {
        case .array(let values):
            let lines = values.map { inner + $0.text(indentation: inner, taken: 1) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        case .object(let fields):
            let lines = fields.map { key, value in
                let key = "\(Self.text(of: key)): "
                return inner + key + value.text(indentation: inner, taken: key.count + 1)
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        default: return line
        }
    }

    private var line: String {
        switch self {
        case .null: "null"
        case .boolean(let value): Self.text(of: value)
        case .number(let value): Self.text(of: value)
        case .string(let text): Self.text(of: text)
        case .array(let values): "[\(values.map(\.line).joined(separator: ", "))]"
        case .object(let fields) where fields.isEmpty: "{}"
        case .object(let fields):
            "{ \(fields.map { "\(Self.text(of: $0.key)): \($0.value.line)" }.joined(separator: ", ")) }"
        }
    }

    private static func text(of value: some JSONWritable) -> String {
        String(decoding: JSONWriter.data(value), as: UTF8.self)
    }
}

extension JSONTree: ExpressibleByStringInterpolation, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONTree)...) { self = .object(elements.map { ($0, $1) }) }
}
