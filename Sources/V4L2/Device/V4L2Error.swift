import FoundationEssentials
import Glibc
import Untrusted

/// An error of a camera, with a sentence that a person can act on.
public enum V4L2Error: Error, Equatable, Sendable {
    /// A system call failed: its name (`open`, `VIDIOC_S_FMT`), errno, and the device node.
    case system(call: String, errno: Int32, path: String)
    /// This user may not open the device; the members of `group` may.
    case denied(path: String, group: String?)
    /// The container or service sandbox that the program runs in denies access to the device, whatever the file's mode.
    case confined(path: String)
    /// Another program is using the device; `holders` are the visible processes that have it open.
    case busy(path: String, holders: [DeviceHolder])
    /// The path does not lead to a video4linux device. Whether it leads to another file or nowhere is deliberately not
    /// reported.
    case notACamera(path: String)
    /// The node is not a streaming capture device; `name` is the driver's name for it.
    case notACaptureDevice(path: String, name: String)
    /// The node is a part of an image signal processor; `name` is the driver's name for it.
    case imageProcessor(path: String, name: String)
    /// The receiver of a camera module does not start, because its media graph is not set up.
    case graphNotSetUp(path: String, errno: Int32)
    /// The stream of a camera module's sensor does not start although Swatchcam has set up its media graph; `problem`
    /// says what does not fit.
    case sensorNotStarted(path: String, errno: Int32, problem: String)
    /// libcamera's V4L2 layer has lost this camera in this process, because another program used it meanwhile.
    case lostByLayer(path: String)
    /// The driver granted no buffers.
    case noBuffers(path: String)
    /// The driver sent an invalid reply; `problem` says what is wrong with it.
    case malformedReply(path: String, problem: String)
    /// The driver rejected a control's value.
    case control(name: String, errno: Int32, path: String)
    /// The driver has ended the stream without saying why.
    case streamEnded(path: String)
    /// The input signal has changed and ended the stream; the camera must be opened again.
    case sourceChanged(path: String)

    /// Creates the error about a device that cannot be opened.
    init(opening path: String, _ error: POSIXError) {
        self =
            switch error.code {
            case .ENOENT: .notACamera(path: path)
            case .EACCES: .denied(path: path, group: DeviceGroup.name(of: path))
            // A file's mode gives EACCES; EPERM comes from the device control group (the kernel's devcgroup).
            case .EPERM: .confined(path: path)
            case .EBUSY: .busy(path: path, holders: DeviceHolder.all(of: path))
            default: .system(call: "open", errno: error.code.rawValue, path: path)
            }
    }

    /// The device node concerned.
    private var path: String {
        switch self {
        case .system(_, _, let path), .denied(let path, _), .confined(let path), .busy(let path, _),
            .notACamera(let path), .notACaptureDevice(let path, _), .imageProcessor(let path, _),
            .graphNotSetUp(let path, _), .sensorNotStarted(let path, _, _), .lostByLayer(let path),
            .noBuffers(let path),
            .malformedReply(let path, _), .control(_, _, let path), .streamEnded(let path), .sourceChanged(let path):
            path
        }
    }

    /// The errno of the system call that failed; nil for all other errors, and for a rejected value of a control.
    public var errno: Int32? {
        switch self {
        case .system(_, let errno, _), .graphNotSetUp(_, let errno), .sensorNotStarted(_, let errno, _): errno
        case .denied: EACCES
        case .confined: EPERM
        case .busy: EBUSY
        default: nil
        }
    }
}

extension V4L2Error: CustomStringConvertible {
    /// A sentence that says what happened, to what, and what to do.
    public var description: String {
        let place = path.sanitized()
        return switch self {
        case .system(let call, let errno, _):
            "\(place): \(Self.explanation(of: errno, in: call))"
        case .denied(_, let group?):
            "\(place): permission denied. Add yourself to the '\(group)' group: sudo usermod -aG \(group) $USER, then log in again."
        case .denied(_, nil):
            "\(place): permission denied. To see who may use it, run: ls -l \(place)"
        case .confined(let path) where path.contains("/media"):
            "\(place): permission denied, not by the file's mode but by what Swatchcam runs in: a container, or a systemd unit without DeviceAllow=char-media. To read a sensor raw, it needs sensor.conf; see /usr/share/doc/swatchcam/cameras.md."
        case .confined:
            "\(place): permission denied, not by the file's mode but by what Swatchcam runs in: a container, or a systemd unit without DeviceAllow=char-video4linux. Allow the device there, then restart Swatchcam."
        case .busy(_, let holders) where holders.isEmpty:
            "\(place): busy: another program is using the camera. Close that program, or find it with: sudo fuser -v \(place)"
        case .busy(_, let holders):
            "\(place): busy: \(Self.list(holders)). Close that program."
        case .control(let name, let errno, _):
            "\(place): \(name) \(Self.controlReason(errno))."
        case .streamEnded:
            "\(place): the stream has ended, and the driver does not say why. If this happens again, try another cable or another port."
        case .sourceChanged:
            "\(place): the input signal has changed."
        case .notACamera:
            "\(place): there is no camera here. Is it plugged in? Run 'swatchcam cameras' to list the cameras."
        case .notACaptureDevice(_, let name):
            "\(place): \(name) is not a video capture device. Run 'swatchcam cameras' to list the cameras."
        case .imageProcessor(_, let name):
            "\(place): \(name) is a part of the image processor of camera modules, not a camera. \(Self.moduleAdvice)"
        case .graphNotSetUp(_, let errno):
            "\(place): the camera module behind this node is not set up (\(Self.text(of: errno))): links of its media graph are missing, or their formats do not fit. \(Self.moduleAdvice)"
        case .sensorNotStarted(_, let errno, let problem):
            "\(place): the sensor's pictures do not reach the node that captures them (\(Self.text(of: errno))): \(problem). Set camera.format, or camera.width and camera.height, to what 'swatchcam cameras' lists for this sensor. If that does not help, please report it with the output of: swatchcam cameras --report"
        case .lostByLayer:
            "\(place): another program has used this camera since Swatchcam started, and libcamera's V4L2 layer cannot open it again in this process. Stop that program, then restart Swatchcam."
        case .noBuffers:
            "\(place): the driver granted no buffer. Try a smaller width and height."
        case .malformedReply(_, let problem):
            "\(place): the driver sent an invalid reply: \(problem). Unplug the camera and plug it in again."
        }
    }

    /// What to do about a camera module.
    package static let moduleAdvice =
        "For a camera module, run Swatchcam under libcamera: libcamerify swatchcam serve. /usr/share/doc/swatchcam/cameras.md names the other ways."

    private static func explanation(of errno: Int32, in call: String) -> String {
        switch errno {
        case EBUSY:
            "busy: another program is using the camera. Close that program, or find it with: sudo fuser -v /dev/video*"
        case ENXIO:
            "no such device. Is the camera plugged in? Run 'swatchcam cameras' to list the cameras."
        case ENODEV:
            "the camera is gone. Plug it in again."
        case ENOSPC where call == "VIDIOC_STREAMON":
            "not enough USB bandwidth. Use a lower width and height, or format = \"MJPG\", or plug the camera into another port."
        case EIO, EPROTO:
            "the stream failed (\(call): \(Self.text(of: errno))). If this happens again, try another cable or another port."
        default:
            "\(call) failed: \(Self.text(of: errno))."
        }
    }

    /// Returns why a driver rejected a control's value, in a few words that follow the control's name.
    static func controlReason(_ errno: Int32) -> String {
        switch errno {
        case EACCES: "cannot be set now: it is read-only, or an automatic control has taken it over"
        case EBUSY: "cannot be changed at the moment"
        case EINVAL, ERANGE: "does not take this value"
        case EIO, EPIPE, EREMOTE, EPROTO, ETIMEDOUT:
            "was rejected by the camera itself; an automatic control may have taken it over"
        default: "cannot be set: \(text(of: errno))"
        }
    }

    private static func list(_ holders: [DeviceHolder]) -> String {
        let names = holders.prefix(3).map { "\($0.name) (process \($0.pid))" }.joined(separator: ", ")
        return names + (holders.count == 1 ? " has it open" : " have it open")
    }

    private static func text(of errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        // This is the XSI variant, which fills the buffer and returns 0.
        guard unsafe strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
        return String(decoding: bytes, as: UTF8.self) + " (errno \(errno))"
    }
}
