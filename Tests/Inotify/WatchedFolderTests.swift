import Glibc
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

@Suite("Inotify events")
struct InotifyEventTests {
    private func bytes(_ id: Int32, _ mask: Int32, _ name: [UInt8]) -> [UInt8] {
        let words = [UInt32(bitPattern: id), UInt32(bitPattern: mask), 0, UInt32(name.count)]
        return words.flatMap { word in unsafe withUnsafeBytes(of: word) { unsafe Array($0) } } + name
    }

    private let named = Array("config.toml".utf8) + [0, 0, 0, 0, 0]

    @Test("several events in one buffer are read one after the other")
    func several() {
        let all = bytes(1, IN_CLOSE_WRITE, named) + bytes(2, IN_IGNORED, []) + bytes(-1, IN_Q_OVERFLOW, [])
        let events = InotifyEvent.all(in: all[...])
        #expect(events.map(\.watchDescriptor) == [1, 2, -1])
        #expect(events.map(\.name) == ["config.toml", nil, nil])
        #expect(events.map(\.isEndOfWatch) == [false, true, false])
        #expect(events.map(\.isOverflow) == [false, false, true])
    }

    @Test("an incomplete event at the end of the buffer is ignored", arguments: 0..<32)
    func cut(count: Int) {
        #expect(InotifyEvent.all(in: bytes(1, IN_CREATE, named).prefix(count)).isEmpty)
    }

    @Test("an event may have a file name that is not UTF-8")
    func invalidName() {
        let events = InotifyEvent.all(in: bytes(1, IN_CREATE, [0xFF, 0, 0, 0])[...])
        #expect(events.map(\.name) == ["\u{FFFD}"])
    }
}
