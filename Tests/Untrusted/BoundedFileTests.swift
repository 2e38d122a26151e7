import Foundation
import Testing

@testable import Untrusted

@Suite("A file that is read within bounds")
struct BoundedFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test(
        "a file is read to its end or to the limit", arguments: [(99, 100_000), (100_000, 100_000), (100_001, 100_000)])
    func limit(limit: Int, size: Int) throws {
        try withFolder { folder in
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
            try Data(bytes).write(to: URL(filePath: folder + "/file"))
            let file = try BoundedFile(opening: folder + "/file")
            #expect(file.isRegular == true)
            #expect(try file.read(upTo: limit, timeout: 60) == Array(bytes.prefix(limit)))
        }
    }

    @Test("reading continues where it stopped")
    func continued() throws {
        try withFolder { folder in
            try Data([1, 2, 3]).write(to: URL(filePath: folder + "/file"))
            let file = try BoundedFile(opening: folder + "/file")
            #expect(try file.read(upTo: 2, timeout: 60) == [1, 2])
            #expect(try file.read(upTo: 2, timeout: 60) == [3])
            #expect(try file.read(upTo: 0, timeout: 60).isEmpty)
        }
    }

    @Test("a folder cannot be read")
    func folder() throws {
        let folder = try BoundedFile(opening: "/")
        #expect(folder.isRegular == false)
        let error = #expect(throws: POSIXError.self) { try folder.read(upTo: 10, timeout: 60) }
        #expect(error?.code == .EISDIR)
    }

    @Test("an endless device is read to the limit")
    func endless() throws {
        let file = try BoundedFile(opening: "/dev/zero")
        #expect(file.isRegular == false)
        #expect(try file.read(upTo: 1000, timeout: 60).count == 1000)
    }

    @Test("a pipe is read to its end, or until time is up")
    func pipe() throws {
        try withFolder { folder in
            try #require(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
            let file = try BoundedFile(opening: folder + "/pipe")
            #expect(file.isRegular == false)
            let writer = try #require(FileHandle(forWritingAtPath: folder + "/pipe"))
            try writer.write(contentsOf: [1, 2])
            let error = #expect(throws: POSIXError.self) { _ = try file.read(upTo: 9, timeout: 0) }
            #expect(error?.code == .ETIMEDOUT)
            try writer.write(contentsOf: [3])
            try writer.close()
            #expect(try file.read(upTo: 9, timeout: 60) == [3])
        }
    }

    @Test("a symbolic link is followed only if that is allowed")
    func link() throws {
        try withFolder { folder in
            try Data([1]).write(to: URL(filePath: folder + "/file"))
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "file")
            #expect(try BoundedFile(opening: folder + "/link").read(upTo: 9, timeout: 60) == [1])
            let error = #expect(throws: POSIXError.self) {
                _ = try BoundedFile(opening: folder + "/link", followsLink: false)
            }
            #expect(error?.code == .ELOOP)
        }
    }

    @Test("opening a missing file or reading a folder throws the system's error")
    func failures() throws {
        let missing = #expect(throws: POSIXError.self) { _ = try BoundedFile(opening: "/dev/none") }
        #expect(missing?.code == .ENOENT)
        let folder = #expect(throws: POSIXError.self) {
            _ = try BoundedFile(opening: "/").read(upTo: 9, timeout: 60)
        }
        #expect(folder?.code == .EISDIR)
    }

    @Test("an unknown errno becomes EIO")
    func unknownError() {
        #expect(POSIXError(errno: 4096).code == .EIO)
        #expect(POSIXError(errno: ENOENT).code == .ENOENT)
    }
}
