import Testing

@testable import XML

@Suite("XML")
struct XMLReaderTests {
    private func read(_ text: String) throws -> XMLElement { try XMLReader.root(of: Array(text.utf8)) }

    private func problem(_ bytes: [UInt8]) -> String? {
        do throws(XMLProblem) {
            _ = try XMLReader.root(of: bytes)
            return nil
        } catch {
            return "\(error.line): \(error)"
        }
    }

    private func problem(_ text: String) -> String? { problem(Array(text.utf8)) }

    @Test("elements have names and attributes without namespaces, text, and children in order")
    func elements() throws {
        let root = try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <cc:CxF xmlns:cc="http://colorexchangeformat.com/CxF3-core" xmlns="urn:other" cc:kind="a&amp;b">
              <!-- <not>this</not> --><L a="1">5&#48;<![CDATA[<.]]>5</L><cc:L/><m/>
            </cc:CxF>
            """)
        #expect(root.name == "CxF" && root.attributes == ["kind": "a&b"])
        #expect(root.children.map(\.name) == ["L", "L", "m"])
        #expect(root["L"]?.text == "50<.5" && root["L"]?.attributes == ["a": "1"])
        #expect(root.all("L").count == 2 && root.all("x").isEmpty && root["x"] == nil)
        #expect(root.text.allSatisfy { $0.isWhitespace })
    }

    @Test("other encodings than UTF-8 are read, too")
    func encodings() throws {
        let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>Gr".utf8) + [0xFC] + Array("n</a>".utf8)
        #expect(try XMLReader.root(of: latin).text == "Grün")
        let wide = "\u{FEFF}<a>Grün</a>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(try XMLReader.root(of: wide).text == "Grün")
    }

    @Test("what is not XML is reported with its line")
    func notXML() {
        #expect(problem("<a>\n<b></a>") == "2: it is not XML (mismatched tag)")
        #expect(problem("") == "1: it is not XML (no element found)")
        #expect(problem("<a/>\n<b/>") == "2: it is not XML (junk after document element)")
        #expect(problem("<a>\n\n") == "3: it is not XML (no element found)")
        #expect(problem("<a>&nbsp;</a>") == "1: it is not XML (undefined entity)")
        #expect(problem("<x:a/>") == "1: it is not XML (unbound prefix)")
        #expect(problem([0x3C, 0x61, 0x3E, 0xFF]) == "1: it is not XML (not well-formed (invalid token))")
    }

    @Test("entities that grow without bounds are refused before they do")
    func entities() {
        let bomb = (1...9).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);\">" }.joined()
        #expect(
            problem("<!DOCTYPE a [<!ENTITY e0 \"ha\">\(bomb)]><a>&e9;</a>") == "1: it has a document type declaration")
        #expect(
            problem("<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n<a>&e;</a>")
                == "1: it has a document type declaration")
    }

    @Test("a document has up to 32 levels")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
        }
        #expect(problem(nested(32)) == nil)
        #expect(problem(nested(33)) == "1: it has more than 32 levels")
        #expect(problem(String(repeating: "<a>", count: 300_000)) == "1: it has more than 32 levels")
    }

    @Test("names have up to 255 bytes, also in UTF-16")
    func names() {
        let name = "x" + String(repeating: "\u{301}", count: 127)
        for document in ["<\(name)/>", "<x \(name)=''/>", "<x><y:\(name) xmlns:y='\(name)y'/></x>"] {
            #expect(problem(document) == nil)
            let longer = document.replacing(name, with: name + "x")
            #expect(problem(longer) == "1: it has a name of more than 255 bytes")
            #expect(problem([0xFE, 0xFF] + longer.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) != nil)
        }
    }

    @Test("a document has up to 100,000 elements")
    func count() {
        func list(_ count: Int) -> String { "<a>\(String(repeating: "<b/>", count: count - 1))</a>" }
        #expect(problem(list(100_000)) == nil)
        #expect(problem(list(100_001)) == "1: it has more than 100000 elements")
    }
}
