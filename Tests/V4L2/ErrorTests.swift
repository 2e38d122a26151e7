import Files
import Foundation
import Glibc
import Testing

@testable import V4L2

@Suite("Camera errors")
struct ErrorTests {
    @Test(
        "the sentence names the group to join, the program to close or the command to run",
        arguments: [
            (V4L2Error.denied(path: "/dev/video9", group: "video"), "sudo usermod -aG video $USER"),
            (.denied(path: "/dev/video9", group: nil), "ls -l /dev/video9"),
            (.confined(path: "/dev/video9"), "DeviceAllow=char-video4linux"),
            (.busy(path: "/dev/video9", holders: [.init(pid: 7, name: "motion")]), "motion (process 7) has it open"),
            (.busy(path: "/dev/video9", holders: []), "sudo fuser -v /dev/video9"),
            (.imageProcessor(path: "/dev/video9", name: "isp"), "isp is a part of the image processor"),
            (.graphNotSetUp(path: "/dev/video9", errno: EPIPE), "Broken pipe (errno 32)"),
            (.graphNotSetUp(path: "/dev/video9", errno: EPIPE), "libcamerify swatchcam"),
            (.sensorNotStarted(path: "/dev/video9", errno: EPIPE, problem: "A sends X"), "(errno 32)): A sends X. Set"),
            (.streamEnded(path: "/dev/video9"), "try another cable"),
            (.lostByLayer(path: "/dev/video9"), "restart Swatchcam"),
            (.system(call: "VIDIOC_STREAMON", errno: ENOSPC, path: "/dev/video9"), "MJPG"),
            (.system(call: "VIDIOC_X", errno: EBUSY, path: "/dev/video9"), "another program"),
            (.system(call: "VIDIOC_X", errno: ENXIO, path: "/dev/video9"), "plugged in"),
            (.system(call: "VIDIOC_X", errno: ENODEV, path: "/dev/video9"), "Plug it in again"),
            (.system(call: "VIDIOC_X", errno: EINVAL, path: "/dev/video9"), "Invalid argument"),
        ])
    func names(error: V4L2Error, words: String) {
        #expect(error.description.hasPrefix("/dev/video9: "))
        #expect(error.description.contains(words))
        // A media graph that a sandbox hides.
        #expect(V4L2Error.confined(path: "/dev/media0").description.contains("DeviceAllow=char-media"))
    }

    @Test(
        "the reason why a control cannot be set is that of its errno",
        arguments: [
            (EBUSY, "at the moment"), (EIO, "by the camera itself"), (EPIPE, "by the camera itself"),
            (EREMOTE, "by the camera itself"), (EACCES, "read-only"), (ERANGE, "this value"), (ENOMEM, "errno 12"),
        ])
    func controls(errno: Int32, words: String) {
        #expect(V4L2Error.controlReason(errno).contains(words))
    }

    @Test(
        "an error has the errno of the call that failed",
        arguments: [
            (.system(call: "open", errno: EIO, path: "/"), EIO), (.denied(path: "/", group: nil), EACCES),
            (.confined(path: "/"), EPERM), (.busy(path: "/", holders: []), EBUSY), (.notACamera(path: "/"), nil),
        ] as [(V4L2Error, Int32?)])
    func errno(error: V4L2Error, errno: Int32?) {
        #expect(error.errno == errno)
    }

    @Test("at most three programs that have a device open are named")
    func manyHolders() {
        let holders = (1...4).map { DeviceHolder(pid: $0, name: "cam") }
        let sentence = V4L2Error.busy(path: "/dev/video9", holders: holders).description
        #expect(sentence.contains("(process 3)"))
        #expect(!sentence.contains("(process 4)"))
        #expect(sentence.contains(" have it open"))
    }

    @Test("the processes that have a device open are found by any path to it")
    func otherHolder() throws {
        let process = Process()
        let input = Pipe()
        // It ends when its input does, and so at the latest with this process.
        process.executableURL = URL(filePath: "/bin/cat")
        process.standardInput = input
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        try process.run()
        defer { try? input.fileHandleForWriting.close() }
        #expect(DeviceHolder.all(of: "/dev/../dev/full").contains(.init(pid: process.processIdentifier, name: "cat")))
    }

    @Test("the list of processes that have a device open omits this process")
    func holders() throws {
        // This process has the device open and must not be listed.
        let own = try FileDescriptor(opening: "/dev/null", flags: O_RDONLY)
        #expect(own.rawValue >= 0)
        #expect(!DeviceHolder.all(of: "/dev/null").contains { $0.pid == getpid() })
        #expect(DeviceHolder.all(of: "/dev/video-none").isEmpty)
    }

    @Test("an open file that is not a video4linux device is not taken for a camera")
    func exchanged() throws {
        #expect(!DeviceNode.isVideo4Linux(try FileDescriptor(opening: "/dev/null", flags: O_RDWR)))
    }
}
