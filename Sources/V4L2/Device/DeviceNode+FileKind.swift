import CV4L2
import Files
import Glibc

extension DeviceNode {
    /// Returns whether a path leads to a video4linux device: a camera, or another kind such as a radio.
    ///
    /// The file is not opened.
    public static func isVideo4Linux(at path: String) -> Bool {
        // A C string would end at a NUL and mean another path.
        guard !path.utf8.contains(0) else { return false }
        return isVideo4Linux(try? FileStatus(of: path, followsLink: true))
    }

    /// Returns whether an open file is a video4linux device.
    static func isVideo4Linux(_ descriptor: borrowing FileDescriptor) -> Bool {
        isVideo4Linux(try? descriptor.status)
    }

    private static func isVideo4Linux(_ status: FileStatus?) -> Bool {
        status.map { $0.kind == S_IFCHR && cv4l2_major($0.fields.st_rdev) == CV4L2_MAJOR } ?? false
    }
}
