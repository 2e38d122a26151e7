import Foundation
import Testing

@testable import Untrusted

@Suite("The reason for an error")
struct ErrorReasonTests {
    private struct Described: LocalizedError {
        var errorDescription: String? { "the reason" }
    }

    private enum Plain: Error { case name }

    @Test("an error of the system has the system's words")
    func system() {
        #expect(POSIXError(.EACCES).reason == "Permission denied")
    }

    @Test("an error of the file manager has the words of the underlying system error")
    func fileManager() {
        let error = #expect(throws: CocoaError.self) {
            try FileManager.default.attributesOfItem(atPath: "/nothing/here")
        }
        #expect(error?.reason == "No such file or directory")
    }

    @Test("an error that describes itself has its own words")
    func described() {
        #expect(Described().reason == "the reason")
    }

    @Test("any other error has its name")
    func plain() {
        #expect(Plain.name.reason == "name")
    }
}
