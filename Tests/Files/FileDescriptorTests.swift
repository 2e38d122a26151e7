import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("An open file")
struct FileDescriptorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "a file is read to its end or to the limit", arguments: [(99, 100_000), (100_000, 100_000), (100_001, 100_000)])
    func limit(limit: Int, size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let file = try FileDescriptor(opening: try folder.write(bytes, to: "file"))
        #expect(try file.read(upTo: limit, timeout: 60) == Array(bytes.prefix(limit)))
    }

    @Test("reading continues where it stopped")
    func continued() throws {
        let file = try FileDescriptor(opening: try folder.write([1, 2, 3], to: "file"))
        #expect(try file.read(upTo: 2, timeout: 60) == [1, 2])
        #expect(try file.read(upTo: 2, timeout: 60) == [3])
        #expect(try file.read(upTo: 0, timeout: 60).isEmpty)
        #expect(try FileDescriptor(opening: "/dev/zero").read(upTo: 1000, timeout: 60).count == 1000)
    }

    @Test("a part of a file ends with the file")
    func part() throws {
        let file = try FileDescriptor(opening: try folder.write([1, 2, 3], to: "file"))
        #expect(try file.read(1..<9) == [2, 3])
        #expect(try file.read(3..<9).isEmpty)
        #expect(try file.read(upTo: 9, timeout: 60) == [1, 2, 3])
    }

    @Test("a pipe is read to its end, or until time is up")
    func pipe() throws {
        try folder.makePipe("pipe")
        let file = try FileDescriptor(opening: folder.path + "/pipe")
        let writer = try #require(FileHandle(forWritingAtPath: folder.path + "/pipe"))
        try writer.write(contentsOf: [1, 2])
        let error = #expect(throws: POSIXError.self) { _ = try file.read(upTo: 9, timeout: 0) }
        #expect(error?.code == .ETIMEDOUT)
        try writer.write(contentsOf: [3])
        try writer.close()
        #expect(try file.read(upTo: 9, timeout: 60) == [3])
    }

    @Test("a file that cannot keep names on a disk is no error, but any other failure to do so is")
    func names() throws {
        try FileDescriptor(opening: folder.path).syncNames()
        // The kernel answers EINVAL for a device, as some file systems do for a folder.
        try FileDescriptor(opening: "/dev/null").syncNames()
        let error = #expect(throws: POSIXError.self) { try FileDescriptor(owning: -1).syncNames() }
        #expect(error?.code == .EBADF)
    }

    @Test("opening a missing file or reading a folder throws the system's error")
    func failures() throws {
        let missing = #expect(throws: POSIXError.self) { _ = try FileDescriptor(opening: "/dev/none") }
        #expect(missing?.code == .ENOENT)
        let folder = #expect(throws: POSIXError.self) {
            _ = try FileDescriptor(opening: "/").read(upTo: 9, timeout: 60)
        }
        #expect(folder?.code == .EISDIR)
        #expect(POSIXError(errno: 4096).code == .EIO)
    }

    @Test("more bytes than fit into a pipe are all written", .timeLimit(.minutes(20)))
    func parts() throws {
        let pipe = Pipe()
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        // On a thread of its own, because a waiting task would keep others from running.
        Thread.detachNewThread {
            let file = FileDescriptor(owning: dup(pipe.fileHandleForWriting.fileDescriptor))
            try? pipe.fileHandleForWriting.close()
            try? file.write(bytes.dropFirst(1))
        }
        #expect(try pipe.fileHandleForReading.readToEnd() == bytes.dropFirst(1))
    }

    @Test("a full disk is reported")
    func full() throws {
        let file = try FileDescriptor(opening: "/dev/full", flags: O_WRONLY)
        let error = #expect(throws: POSIXError.self) { try file.write(Data([1])) }
        #expect(error?.code == .ENOSPC)
    }

    @Test("a file that is locked cannot be locked again until the lock is released")
    func lock() throws {
        let path = try folder.write([], to: "file")
        do {
            let lock = try FileLock(FileDescriptor(opening: path))
            let error = #expect(throws: POSIXError.self) { _ = try FileLock(FileDescriptor(opening: path)) }
            #expect(error?.code == .EAGAIN)
            _ = consume lock
        }
        #expect(throws: Never.self) { _ = try FileLock(FileDescriptor(opening: path)) }
    }
}

@Suite("A folder")
struct FolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["a": "1", "inner/b": "2"])
    }

    @Test("files are opened beneath a folder, even if it is renamed")
    func beneath() throws {
        let inner = try FileDescriptor(opening: folder.path + "/inner")
        try folder.rename("inner", to: "other")
        #expect(try inner.open("b").read(upTo: 9, timeout: 60) == Array("2".utf8))
        #expect(try inner.names() == ["b"])
    }

    @Test("no more names are listed than one beyond the limit")
    func names() throws {
        let open = try FileDescriptor(opening: folder.path)
        #expect(try open.names().sorted() == ["a", "inner"])
        #expect(try open.names(upTo: 0).count == 1)
    }

    @Test("a file that is put aside gets the first free name")
    func putAside() throws {
        let open = try FileDescriptor(opening: folder.path)
        try folder.write("0", to: "a-1")
        #expect(try open.putAside("a") { "a-\($0)" } == "a-2")
        #expect(try open.names().sorted() == ["a-1", "a-2", "inner"])
    }

    @Test("a file is not put aside if no name is free")
    func noName() throws {
        let open = try FileDescriptor(opening: folder.path)
        let error = #expect(throws: POSIXError.self) { try open.putAside("a") { _ in "inner" } }
        #expect(error?.code == .EEXIST)
        #expect(try open.status(of: "a").isRegular)
    }
}

@Suite("A regular file")
struct RegularFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["file": "1234"])
    }

    private func content(_ name: String, maxSize: Int = 4) throws -> Data? {
        try RegularFile.content(of: folder.path + "/" + name, maxSize: maxSize)
    }

    @Test("a file is read as a whole, and a missing one is nil")
    func content() throws {
        #expect(try content("file") == Data("1234".utf8))
        #expect(try content("none") == nil)
        #expect(try content("file/inner") == nil)
    }

    @Test("links, folders, pipes and files that are too long are refused")
    func unsuitable() throws {
        try folder.link("link", to: "file")
        try folder.makeFolder("folder")
        try folder.makePipe("pipe")
        func reason(_ name: String, maxSize: Int = 4) -> String? {
            let error = #expect(throws: RegularFile.Unsuitable.self) { try content(name, maxSize: maxSize) }
            return error?.errorDescription
        }
        #expect(reason("link") == "it is a symbolic link")
        #expect(reason("folder") == "it is not a regular file")
        #expect(reason("pipe") == "it is not a regular file")
        #expect(reason("file", maxSize: 3) == "it is too long")
    }
}

@Suite("The status of a file")
struct FileStatusTests {
    @Test("files, folders, links and missing files are told apart")
    func kinds() throws {
        let folder = try TemporaryFolder(["file": "12"])
        try folder.link("link", to: "file")
        let file = try FileStatus(of: folder.path + "/file")
        #expect(file.isRegular && !file.isFolder && file.size == 2)
        let link = try FileStatus(of: folder.path + "/link")
        #expect(!link.isRegular && !link.isFolder)
        #expect(try FileStatus(of: folder.path + "/link", followsLink: true).isRegular)
        let parent = try FileStatus(of: folder.path)
        #expect(parent.isFolder && !parent.isRegular)
        let missing = #expect(throws: POSIXError.self) { try FileStatus(of: folder.path + "/missing") }
        #expect(missing?.code == .ENOENT)
    }
}
