import Foundation
import Testing

@testable import Untrusted

@Suite("Writing to an open file")
struct DataWriteTests {
    @Test("more bytes than fit into a pipe are all written", .timeLimit(.minutes(20)))
    func parts() throws {
        let pipe = Pipe()
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        // On a thread of its own, because a waiting task would keep others from running.
        Thread.detachNewThread {
            try? bytes.dropFirst(1).write(to: pipe.fileHandleForWriting.fileDescriptor)
            try? pipe.fileHandleForWriting.close()
        }
        #expect(try pipe.fileHandleForReading.readToEnd() == bytes.dropFirst(1))
    }

    @Test("a full disk is reported")
    func full() throws {
        let file = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let error = #expect(throws: POSIXError.self) { try Data([1]).write(to: file.fileDescriptor) }
        #expect(error?.code == .ENOSPC)
    }
}
