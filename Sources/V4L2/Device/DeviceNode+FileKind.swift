import CV4L2
import Glibc

extension DeviceNode {
    /// Returns whether a path leads to a video4linux device: a camera, or another kind such as a radio.
    ///
    /// The file is not opened.
    public static func isVideo4Linux(at path: String) -> Bool {
        // A C string would end at a NUL and mean another path.
        guard !path.utf8.contains(0) else { return false }
        var status = stat()
        return unsafe stat(path, &status) == 0 && isVideo4Linux(status)
    }

    /// Returns whether an open file is a video4linux device.
    static func isVideo4Linux(_ descriptor: borrowing FileDescriptor) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor.rawValue, &status) == 0 && isVideo4Linux(status)
    }

    private static func isVideo4Linux(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFCHR && cv4l2_major(status.st_rdev) == CV4L2_MAJOR
    }
}
