import CV4L2
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

/// Tests that the program, the description of the API and the documents have the same words for programs.
@Suite("Codes of the API")
struct CodesTests {
    /// The words of one kind.
    struct Kind: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Those that exist; nil if the description has them from the same list, and for the errors, which
        /// `Scripts/codes.py` compares with it.
        var codes: [String]?
        /// The places in the description's schemas that list them.
        var places: [String]
        /// What heads the columns of the documents' tables that list them.
        var headings: [String] = []
    }

    private static let kinds = [
        Kind(testDescription: "errors", places: ["ErrorCode"], headings: ["Error"]),
        Kind(
            testDescription: "states", places: ["State"],
            headings: ["State"]),
        Kind(
            testDescription: "flags",
            places: ["Quality/properties/flags/items/properties/code"], headings: ["Flag", "If the flag is"]),
        Kind(
            testDescription: "grades",
            places: ["Quality/properties/grade", "Sample/properties/quality/properties/grade"]),
        Kind(
            testDescription: "topics of notices",
            places: ["Notice/properties/topic"], headings: ["Topic"]),
        Kind(
            testDescription: "kinds of marks",
            places: ["Mark/properties/kind"], headings: ["Kind"]),
        Kind(
            testDescription: "types of controls",
            places: ["Control/properties/type"], headings: ["Type"]),
        Kind(
            testDescription: "phases of the lock", codes: locks.compactMap { phase(of: $0) },
            places: ["Lock/oneOf/*/properties/phase"], headings: ["Phase"]),
        Kind(
            testDescription: "phases of the exposure", codes: exposures.compactMap { phase(of: ExposureDocument($0)) },
            places: ["Exposure/properties/phase"], headings: ["Exposure"]),
    ]

    private static let locks = [
        MeasuringLock.settling(Settling(at: .now())),
        .locked(.init(isSettled: true, locked: [], missing: [], refused: [], before: [])),
    ]

    private static let exposures: [ExposureState?] = [
        nil, ExposureSetting([.sample(V4L2_CID_EXPOSURE)], at: .now()).map { .setting($0, before: []) },
        .ended(.init(level: nil, problem: nil, controls: [])),
        .ended(.init(level: nil, problem: .tooDark, controls: [])),
    ]

    private struct Phase: Decodable { var phase: String }

    private static func phase(of document: some JSONWritable) -> String? {
        (try? JSONDecoder().decode(Phase.self, from: JSONWriter.data(document)))?.phase
    }

    private static let docs = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs").standardizedFileURL

    /// The documents about the API, and every word in `backticks` in them.
    private static let documents = ["api.md", "history.md", "measuring.md"].map { name in
        (try? String(contentsOf: docs.appending(path: name), encoding: .utf8)) ?? ""
    }
    private static let words = words(in: documents.joined(separator: "\n"))

    private static func words(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /`([^`\n]+)`/).map { String($0.1) })
    }

    /// Returns the words that the description lists for a kind.
    private static func described(_ kind: Kind) throws -> Set<String> {
        let file = try Data(contentsOf: docs.appending(path: "openapi.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        let components = try #require(json["components"] as? [String: Any])
        var found = Set<String>()
        for place in kind.places {
            var schemas = [components["schemas"] as Any]
            for step in place.split(separator: "/").map(String.init) {
                schemas = schemas.flatMap { schema -> [Any] in
                    step == "*" ? schema as? [Any] ?? [] : [(schema as? [String: Any])?[step]].compactMap(\.self)
                }
            }
            for case let schema as [String: Any] in schemas {
                found.formUnion(schema["enum"] as? [String] ?? [schema["const"] as? String].compactMap(\.self))
            }
        }
        return found
    }

    @Test(
        "the description of the API lists those that exist, and the documents all of them, in tables of their own",
        arguments: kinds)
    func places(kind: Kind) throws {
        let described = try Self.described(kind)
        #expect(!described.isEmpty)
        if let codes = kind.codes { #expect(described.symmetricDifference(codes).sorted() == []) }
        #expect(described.subtracting(Self.words).sorted() == [])
        for heading in kind.headings {
            let tables = Self.documents.flatMap {
                $0.split(separator: "\n\n").filter { $0.hasPrefix("| \(heading) |") }
            }
            #expect(!tables.isEmpty)
            for table in tables {
                let rows = table.split(separator: "\n").dropFirst(2)
                let listed = rows.reduce(into: Set()) { $0.formUnion(Self.words(in: $1.split(separator: "|")[0])) }
                #expect(described.symmetricDifference(listed).sorted() == [])
            }
        }
    }

    @Test("every word with a hyphen in the documents is a code")
    func unknownWords() throws {
        // In tables, a concentration has words for what JSON has as booleans.
        let codes = try Self.kinds.reduce(into: Set(Concentration.Flags.all.map(\.names))) {
            $0.formUnion(try Self.described($1))
        }
        let words = Self.words.filter { $0.wholeMatch(of: /[a-z]+(-[a-z]+)+/) != nil }
        #expect(words.subtracting(codes).sorted() == [])
    }
}
