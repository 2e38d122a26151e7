import CV4L2
import Files
import FoundationEssentials
import Glibc

/// A description of all video devices of this machine, for people who help with hardware that they do not have.
///
/// It has no serial numbers, which are in the stable names of devices, and nothing else about a person.
public enum HardwareReport {
    /// Returns the lines of the report, without line breaks.
    public static func lines(in folder: String = "/dev") -> [String] {
        let nodes = DeviceNode.paths("video", in: folder).flatMap { describe(node: $0) }
        let graphs = DeviceNode.paths("media", in: folder).flatMap { path in
            do throws(V4L2Error) { return try describe(media: path) } catch { return [error.description] }
        }
        return ["kernel \(kernel)"] + nodes + graphs
    }

    /// The kernel's release and the machine's architecture.
    private static var kernel: String {
        var name = utsname()
        unsafe uname(&name)
        return "\(string(of: name.release)) \(string(of: name.machine))"
    }

    private static func describe(node path: String) -> [String] {
        do throws(V4L2Error) {
            let device = try Device(opening: path)
            let capability = device.capability
            let formats = device.offeredFormats().map { "  format \($0.fourCC) \($0.name): \($0.sizes.brief)" }
            let controls = device.controls().map { control in
                let value = control.value.map { " = \($0.brief)" } ?? ""
                return "  control \(control.name) \(control.kind) \(control.minimum)...\(control.maximum)\(value)"
            }
            return [
                "\(path) \(capability.driver): \(capability.card), \(capability.bus), flags "
                    + String(capability.flags, radix: 16) + ", \(capability.role)"
            ] + [device.colorimetryLine].compactMap(\.self) + formats + controls
        } catch {
            return [error.description]
        }
    }

    private static func describe(media path: String) throws(V4L2Error) -> [String] {
        let media = try MediaDevice(opening: path)
        let graph = try media.graph()
        return ["\(path) \(media.driver), \(media.bus)"]
            + graph.entities.flatMap { entity in
                let node = entity.node.map { ", \($0)" } ?? ""
                let function = String(entity.function, radix: 16)
                return ["  entity \(entity.name), function \(function)\(node)"]
                    + graph.pads.filter { $0.entity == entity.id }.map { pad in
                        "    pad \(pad.index)\(format(of: pad, entity))"
                    }
                    + graph.steps(from: entity).map { step in
                        let state = step.isImmutable ? "fixed" : step.isEnabled ? "on" : "off"
                        return "    link \(step.source.index) -> \(step.target.name) \(step.sink.index), \(state)"
                    }
            }
    }

    /// Returns the format at a pad, preceded by a colon; empty if it has none.
    private static func format(of pad: MediaGraph.Pad, _ entity: MediaGraph.Entity) -> String {
        guard let format = try? entity.format(atPad: pad.index) else { return "" }
        return ": bus format \(String(format.code, radix: 16)) \(format.width)x\(format.height)"
    }
}

extension Device {
    /// The present format with its colorimetry, as the driver's numbers; nil if there is none.
    var colorimetryLine: String? {
        var format = unsafe v4l2_format()
        unsafe format.type = capability.bufferType.rawValue
        guard unsafe cv4l2_g_fmt(descriptor.rawValue, &format) == 0 else { return nil }
        if capability.usesMultiplanarAPI {
            let pix = unsafe format.fmt.pix_mp
            return Self.line(
                pix.pixelformat, pix.width, pix.height, pix.colorspace, UInt32(pix.ycbcr_enc), UInt32(pix.quantization),
                UInt32(pix.xfer_func))
        }
        let pix = unsafe format.fmt.pix
        return Self.line(
            pix.pixelformat, pix.width, pix.height, pix.colorspace, pix.ycbcr_enc, pix.quantization, pix.xfer_func)
    }

    private static func line(
        _ fourCC: UInt32, _ width: UInt32, _ height: UInt32, _ colorspace: UInt32, _ encoding: UInt32,
        _ quantization: UInt32, _ function: UInt32
    ) -> String {
        "  set to \(FourCC(rawValue: fourCC)) \(width)x\(height), colorspace \(colorspace), ycbcr_enc \(encoding), "
            + "quantization \(quantization), xfer_func \(function)"
    }
}

extension OfferedFormat.Sizes {
    /// The sizes in a few words.
    fileprivate var brief: String {
        switch self {
        case .stepwise(let width, _, let height, _):
            "\(width.lowerBound)x\(height.lowerBound)...\(width.upperBound)x\(height.upperBound)"
        case .discrete(let sizes):
            sizes.prefix(12).map { "\($0.width)x\($0.height)" }.joined(separator: " ")
                + (sizes.count > 12 ? " and \(sizes.count - 12) more" : "")
        }
    }
}
