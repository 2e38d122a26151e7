import Glibc
import Untrusted

/// What can go wrong with a camera, each with a sentence that a person can act on.
public enum V4L2Error: Error, Equatable, Sendable {
    /// A system call failed: its name (`open`, `VIDIOC_S_FMT`), errno, and the device node.
    case system(call: String, errno: Int32, path: String)
    /// This user may not open the device; `group` is the one whose members may.
    case denied(path: String, group: String?)
    /// What the program runs in keeps the device from it, whoever may use the file: a container, a service's sandbox.
    case confined(path: String)
    /// Another program streams from the device; `holders` are those that have it open, as far as they can be seen.
    case busy(path: String, holders: [DeviceHolder])
    /// The path does not lead to a video4linux device: nothing is there, or something else, which is not told apart.
    case notACamera(path: String)
    /// The node is no streaming capture device; `name` is what the driver calls it.
    case notACaptureDevice(path: String, name: String)
    /// The driver grants fewer buffers than streaming needs.
    case tooFewBuffers(path: String, granted: Int)
    /// The driver contradicts itself; the text says how.
    case malformedReply(path: String, problem: String)
    /// The driver does not take a control's value.
    case control(name: String, errno: Int32, path: String)
    /// The stream has ended because what is plugged into the device has changed: to be opened again.
    case sourceChanged(path: String)

    /// The device node that it is about.
    private var path: String {
        switch self {
        case .system(_, _, let path), .denied(let path, _), .confined(let path), .busy(let path, _),
            .notACamera(let path), .notACaptureDevice(let path, _), .tooFewBuffers(let path, _),
            .malformedReply(let path, _), .control(_, _, let path), .sourceChanged(let path):
            path
        }
    }

    /// The errno, if a system call failed.
    public var errno: Int32? {
        switch self {
        case .system(_, let errno, _): errno
        case .denied: EACCES
        case .confined: EPERM
        case .busy: EBUSY
        default: nil
        }
    }
}

extension V4L2Error: CustomStringConvertible {
    /// What happened, to what, and what to do.
    public var description: String {
        let place = path.sanitized()
        return switch self {
        case .system(let call, let errno, _):
            "\(place): \(Self.explanation(of: errno, in: call))"
        case .denied(_, let group?):
            "\(place): permission denied. Add yourself to the '\(group)' group: sudo usermod -aG \(group) $USER, then log in again."
        case .denied(_, nil):
            "\(place): permission denied. See who may use it with: ls -l \(place)"
        case .confined:
            "\(place): permission denied, not by the file's mode but by what Swatchcam runs in: a container, or a systemd unit without DeviceAllow=char-video4linux. Allow it the device there, then start it anew."
        case .busy(_, let holders) where holders.isEmpty:
            "\(place): busy: another program has the camera. Close that program, or find it with: sudo fuser -v \(place)"
        case .busy(_, let holders):
            "\(place): busy: \(Self.list(holders)). Close that program."
        case .control(let name, let errno, _):
            "\(place): \(name) \(Self.controlReason(errno))."
        case .sourceChanged:
            "\(place): what is plugged into it has changed."
        case .notACamera:
            "\(place): there is no camera here. Is it plugged in? Run 'swatchcam cameras' to list the cameras."
        case .notACaptureDevice(_, let name):
            "\(place): \(name) is not a video capture device. Run 'swatchcam cameras' to see those that are."
        case .tooFewBuffers(_, let granted):
            "\(place): the driver grants \(granted) buffers where at least 2 are needed. Try a smaller width and height."
        case .malformedReply(_, let problem):
            "\(place): the driver's answer makes no sense: \(problem). Unplug the camera and plug it in again."
        }
    }

    private static func explanation(of errno: Int32, in call: String) -> String {
        switch errno {
        case EBUSY:
            "busy: another program has the camera. Close that program, or find it with: sudo fuser -v /dev/video*"
        case ENXIO:
            "no such device. Is the camera plugged in? Run 'swatchcam cameras' to see those that are."
        case ENODEV:
            "the camera is gone. Plug it in again."
        case ENOSPC where call == "VIDIOC_STREAMON":
            "not enough USB bandwidth. Use a lower width and height, or format = \"MJPG\", or plug the camera into another port."
        case EIO, EPROTO:
            "the stream broke (\(call): \(Self.text(of: errno))). If that goes on, try another cable or another port."
        default:
            "\(call) failed: \(Self.text(of: errno))."
        }
    }

    /// Why a driver refuses a control, in a few words that follow its name.
    static func controlReason(_ errno: Int32) -> String {
        switch errno {
        case EACCES: "cannot be set now: it is read-only, or an automatic rules it"
        case EBUSY: "cannot be set while the camera is in use"
        case EINVAL, ERANGE: "does not take this value"
        case EIO, EPROTO, ETIMEDOUT: "was refused by the camera itself; an automatic may rule it"
        default: "cannot be set: \(text(of: errno))"
        }
    }

    private static func list(_ holders: [DeviceHolder]) -> String {
        let names = holders.prefix(3).map { "\($0.name) (process \($0.pid))" }.joined(separator: ", ")
        return names + (holders.count == 1 ? " has it open" : " have it open")
    }

    private static func text(of errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        // The XSI variant: fills the buffer and returns 0.
        guard unsafe strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
        return String(decoding: bytes, as: UTF8.self) + " (errno \(errno))"
    }
}
