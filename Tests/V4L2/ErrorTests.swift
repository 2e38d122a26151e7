import Glibc
import Testing
import V4L2

@Suite("An error of the camera")
struct ErrorTests {
    @Test(
        "says what to do",
        arguments: [
            (EACCES, "usermod -aG video"), (EBUSY, "another program"), (ENOENT, "plugged in"),
            (ENODEV, "Plug it in again"),
            (EINVAL, "Invalid argument"),
        ])
    func advice(errno: Int32, words: String) {
        let sentence = V4L2Error.system(call: "VIDIOC_X", errno: errno, path: "/dev/video9").description
        #expect(sentence.hasPrefix("/dev/video9: "))
        #expect(sentence.contains(words))
    }

    @Test("comes from a file that is no camera", arguments: ["/dev/null", "/etc/passwd", "/"])
    func notACamera(path: String) {
        #expect(throws: V4L2Error.self) { _ = try Device(opening: path) }
    }

    @Test("comes from a node that is not there")
    func missing() {
        #expect(throws: V4L2Error.system(call: "open", errno: ENOENT, path: "/dev/video-none")) {
            _ = try Device(opening: "/dev/video-none")
        }
    }
}
