import Dispatch
import Foundation
import Gzip
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff

@Suite("Document cache", .timeLimit(.minutes(5)))
struct DocumentCacheTests {
    private let cache = DocumentCache()
    /// The documents that were made, in this order.
    private let made = Latest<[String]>([])

    /// - Parameter gate: Holds up the thread while the document is made.
    private func document(
        _ key: String = "a", version: String = "1", size: Int = 10, behind gate: DispatchSemaphore? = nil
    ) -> Document {
        Document(key: key, version: version) { [made] in
            made.update { $0.append(key + version) }
            gate?.wait()
            return Data(repeating: UInt8(ascii: "x"), count: size)
        }
    }

    private func content(_ document: Document, isUrgent: Bool = true) async throws -> Data {
        try await cache.content(of: document, isUrgent: isUrgent)
    }

    @Test("a document is made once for each version")
    func version() async throws {
        for version in ["1", "1", "2", "2"] { _ = try await content(document(version: version)) }
        #expect(made.value == ["a1", "a2"])
    }

    @Test("clients that request a document while it is being made share it")
    func shared() async throws {
        let gate = DispatchSemaphore(value: 0)
        let document = document(behind: gate)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<10 { group.addTask { try await content(document) } }
            await waitUntil("the document is being made") { !made.value.isEmpty }
            gate.signal()
            for try await content in group { #expect(content.count == 10) }
        }
        #expect(made.value == ["a1"])
    }

    @Test("the compressed form of a document is kept beside the plain one")
    func gzip() async throws {
        let document = document(size: 1000)
        let plain = try await content(document)
        for _ in 1...2 {
            let gzipped = try await cache.content(of: document, isGzipped: true, isUrgent: true)
            #expect(gzipped == Gzip.compress(plain))
        }
        #expect(try await content(document) == plain)
        #expect(made.value == ["a1", "a1"])
    }

    @Test("an error reaches the client, and the document is made again for the next one")
    func error() async throws {
        let broken = Document(key: "a", version: "1") { throw HTTPError.notFound }
        await #expect(throws: HTTPError.notFound) { try await content(broken) }
        #expect(try await content(document()).count == 10)
    }

    @Test("of more documents than are kept, those not requested for the longest time are made again")
    func count() async throws {
        for number in 0...DocumentCache.maxCount {
            _ = try await content(document("\(number) "))
            _ = try await content(document("0 "))
        }
        let count = made.value.count
        _ = try await content(document("0 "))
        #expect(made.value.count == count)
        _ = try await content(document("1 "))
        #expect(made.value.last == "1 1")
    }

    @Test("documents are kept only as long as all of them together are within the memory for them")
    func size() async throws {
        for key in ["a", "b", "a", "b"] { _ = try await content(document(key, size: DocumentCache.maxSize / 2 + 1)) }
        #expect(made.value == ["a1", "b1", "a1", "b1"])
    }

    @Test("a document that is larger than the memory for all of them is not kept, and displaces none")
    func largest() async throws {
        for key in ["small ", "large ", "small ", "large "] {
            _ = try await content(document(key, size: key == "large " ? DocumentCache.maxSize + 1 : 10))
        }
        #expect(made.value == ["small 1", "large 1", "large 1"])
    }

    @Test("urgent documents come before earlier ones, as does one that a client with full access requests, too")
    func urgent() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (first, second, third) = (document("first ", behind: gate), document("second "), document("third "))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await content(first) }
            await waitUntil("the first document is being made") { !made.value.isEmpty }
            for (index, waiting) in [second, third].enumerated() {
                group.addTask { _ = try await content(waiting, isUrgent: false) }
                await waitUntil("\(waiting.key)waits") { cache.waitingCount == index + 1 }
            }
            group.addTask { _ = try await content(document("urgent ")) }
            await waitUntil("the urgent document waits") { cache.urgentCount == 1 }
            group.addTask { _ = try await content(third) }
            await waitUntil("the third document is urgent") { cache.urgentCount == 2 }
            gate.signal()
            try await group.waitForAll()
        }
        #expect(made.value == ["first 1", "third 1", "urgent 1", "second 1"])
    }

    @Test("documents that are not urgent are made in their order, although the thread rests between them")
    func rest() async throws {
        for number in 1...3 { _ = try await content(document("\(number) "), isUrgent: false) }
        #expect(made.value == ["1 1", "2 1", "3 1"])
    }
}
