import CExpat

/// A reader of small XML documents from outside, through Expat.
///
/// A document type declaration is refused, because entities that refer to each other can grow without bounds, and
/// external ones refer to other files. Depth, number of elements and length of names are bounded, so that names can be
/// compared; the caller bounds the size, and checks texts before it compares them.
package enum XMLReader {
    static let maxDepth = 32
    static let maxElements = 100_000
    /// The maximum length of a name, in bytes.
    static let maxName = 255

    /// Reads a document in UTF-8, UTF-16, ISO 8859-1 or ASCII.
    /// - Returns: Its outermost element.
    package static func root(of bytes: [UInt8]) throws(XMLProblem) -> XMLElement {
        // With a separator, Expat resolves the prefixes of namespaces, and writes each before the name.
        guard let parser = unsafe XML_ParserCreateNS(nil, CChar(bitPattern: XMLBuilder.separator)) else {
            throw XMLProblem(line: 1, description: "there is not enough memory")
        }
        defer { unsafe XML_ParserFree(parser) }
        let builder = unsafe XMLBuilder(parser)
        let isComplete = withExtendedLifetime(builder) { () -> Bool in
            unsafe XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
            unsafe XML_SetStartDoctypeDeclHandler(parser) { builder, _, _, _, _ in
                unsafe XMLBuilder.from(builder)?.stop("it has a document type declaration")
            }
            unsafe XML_SetElementHandler(
                parser,
                { builder, name, attributes in
                    unsafe XMLBuilder.from(builder)?.begin(name, attributes)
                },
                { builder, _ in unsafe XMLBuilder.from(builder)?.end() })
            unsafe XML_SetCharacterDataHandler(parser) { builder, start, count in
                unsafe XMLBuilder.from(builder)?.add(start, count)
            }
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe XML_Parse(
                    parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), 1)
                    == XML_STATUS_OK
            }
        }
        let line = unsafe Int(XML_GetCurrentLineNumber(parser))
        guard builder.problem == nil, isComplete, let root = builder.root else {
            let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
            throw XMLProblem(line: line, description: builder.problem ?? "it is not XML (\(reason ?? "unknown error"))")
        }
        return root
    }
}

/// An element of an XML document, with everything in it.
package struct XMLElement: Equatable, Sendable {
    /// The name without its namespace.
    package let name: String
    /// The attributes by their names without namespaces.
    package let attributes: [String: String]
    /// The text in the element itself, without that of its children.
    package internal(set) var text = ""
    package internal(set) var children: [XMLElement] = []

    /// The first child with a name; nil if there is none.
    package subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The children with a name.
    package func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// The reason why a document is not read, with its place.
package struct XMLProblem: Error, Equatable, CustomStringConvertible {
    /// The line on which reading ended.
    package let line: Int
    /// The end of a sentence.
    package let description: String
}

/// The elements that are open while a document is read.
@safe private final class XMLBuilder {
    /// The byte between a namespace and a name, which no name contains.
    static let separator = UInt8(ascii: "\n")

    private(set) var root: XMLElement?
    private(set) var problem: String?
    private let parser: XML_Parser
    private var open: [XMLElement] = []
    private var count = 0

    init(_ parser: XML_Parser) { unsafe self.parser = unsafe parser }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> XMLBuilder? {
        unsafe pointer.map { unsafe Unmanaged<XMLBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Ends the reading with a problem.
    func stop(_ problem: String) {
        guard self.problem == nil else { return }
        self.problem = problem
        _ = unsafe XML_StopParser(parser, 0)
    }

    /// Handles the beginning of an element.
    /// - Parameter attributes: Names and values in turn, with a null pointer at the end.
    func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        // Expat may call once more after it is told to stop.
        guard problem == nil else { return }
        count += 1
        guard open.count < XMLReader.maxDepth else { return stop("it has more than \(XMLReader.maxDepth) levels") }
        guard count <= XMLReader.maxElements else {
            return stop("it has more than \(XMLReader.maxElements) elements")
        }
        var values: [String: String] = [:]
        var next = unsafe attributes
        while let pair = unsafe next, let name = unsafe pair[0], let value = unsafe pair[1] {
            guard let name = unsafe local(name) else { return }
            unsafe values[name] = String(cString: value)
            unsafe next = pair + 2
        }
        guard let name = unsafe name, let name = unsafe local(name) else { return }
        open.append(XMLElement(name: name, attributes: values))
    }

    func end() {
        guard problem == nil, let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    func add(_ start: UnsafePointer<CChar>?, _ count: Int32) {
        guard problem == nil, !open.isEmpty, let start = unsafe start else { return }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
        unsafe open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a name without its namespace; if it is too long, ends the reading and returns nil.
    private func local(_ name: UnsafePointer<CChar>) -> String? {
        let whole = unsafe String(cString: name)
        let start = whole.utf8.lastIndex(of: Self.separator).map { whole.utf8.index(after: $0) } ?? whole.startIndex
        let local = whole.utf8[start...]
        guard local.count <= XMLReader.maxName else {
            stop("it has a name of more than \(XMLReader.maxName) bytes")
            return nil
        }
        return String(local)
    }
}
