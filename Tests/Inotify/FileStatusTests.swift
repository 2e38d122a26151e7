import Foundation
import Testing

@testable import Inotify

@Suite("The status of a file")
struct FileStatusTests {
    @Test("files, folders, links and missing files are told apart")
    func kinds() throws {
        let files = FileManager.default
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-\(UUID())").path
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: folder + "/file"))
        try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "file")

        let file = FileStatus(folder + "/file")
        #expect(file.isRegular && !file.isFolder && !file.isUnknown && file.mayHaveWriter)
        let link = FileStatus(folder + "/link")
        #expect(!link.isRegular && !link.isFolder && !link.isUnknown && !link.mayHaveWriter)
        #expect(FileStatus(folder + "/link", followsLinks: true).isRegular)
        let parent = FileStatus(folder)
        #expect(parent.isFolder && !parent.isRegular && !parent.mayHaveWriter)
        let missing = FileStatus(folder + "/missing")
        #expect(missing.isUnknown && !missing.isRegular && !missing.isFolder && !missing.mayHaveWriter)
        try files.linkItem(atPath: folder + "/file", toPath: folder + "/second")
        #expect(!FileStatus(folder + "/second").mayHaveWriter)
    }
}
