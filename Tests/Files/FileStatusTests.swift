import Foundation
import TestSupport
import Testing

@testable import Files

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
