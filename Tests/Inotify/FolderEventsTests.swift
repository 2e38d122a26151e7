import Testing

@testable import Inotify

@Suite("The events of a folder")
struct FolderEventsTests {
    /// The bits are those of Linux's `uapi/linux/inotify.h`.
    @Test("the kernel is asked for the wanted events, and always for the removal and renaming of the folder")
    func masks() {
        #expect(FolderEvents().mask == 0x400 | 0x800)
        #expect(FolderEvents.entries.mask == 0xC00 | 0x100 | 0x200 | 0x40 | 0x80)
        #expect(FolderEvents.contents.mask == 0xC00 | 0x2 | 0x8)
        #expect(FolderEvents.attributes.mask == 0xC00 | 0x4)
    }
}
