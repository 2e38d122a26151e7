import Glibc
import Testing

@testable import V4L2

@Suite("An error of the camera")
struct ErrorTests {
    @Test(
        "says what to do",
        arguments: [
            (EBUSY, "another program"), (ENXIO, "plugged in"),
            (ENODEV, "Plug it in again"),
            (EINVAL, "Invalid argument"),
        ])
    func advice(errno: Int32, words: String) {
        let sentence = V4L2Error.system(call: "VIDIOC_X", errno: errno, path: "/dev/video9").description
        #expect(sentence.hasPrefix("/dev/video9: "))
        #expect(sentence.contains(words))
    }

    @Test(
        "names the group that may, or the programs that have it",
        arguments: [
            (V4L2Error.denied(path: "/dev/video9", group: "video"), "sudo usermod -aG video $USER"),
            (.denied(path: "/dev/video9", group: nil), "ls -l /dev/video9"),
            (.confined(path: "/dev/video9"), "DeviceAllow=char-video4linux"),
            (.busy(path: "/dev/video9", holders: [.init(pid: 7, name: "motion")]), "motion (process 7) has it open"),
            (.busy(path: "/dev/video9", holders: []), "sudo fuser -v /dev/video9"),
            (.system(call: "VIDIOC_STREAMON", errno: ENOSPC, path: "/dev/video9"), "MJPG"),
        ])
    func names(error: V4L2Error, words: String) {
        #expect(error.description.hasPrefix("/dev/video9: "))
        #expect(error.description.contains(words))
    }

    @Test("finds who has a device open")
    func holders() throws {
        // This process has it, and does not count.
        let own = try FileDescriptor(opening: "/dev/null", flags: O_RDONLY)
        #expect(own.rawValue >= 0)
        #expect(!DeviceHolder.all(of: "/dev/null").contains { $0.pid == getpid() })
        #expect(DeviceHolder.all(of: "/dev/video-none").isEmpty)
    }

    @Test(
        "comes from a path at which there is no camera",
        arguments: ["/dev/null", "/etc/passwd", "/", "/dev/video-none"])
    func notACamera(path: String) {
        #expect(throws: V4L2Error.notACamera(path: path)) { _ = try Device(opening: path) }
    }

    @Test("comes from another file that took the place of a camera while it was opened")
    func exchanged() throws {
        #expect(!DeviceNode.isOpen(try FileDescriptor(opening: "/dev/null", flags: O_RDWR)))
    }
}
