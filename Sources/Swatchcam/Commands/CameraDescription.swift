import V4L2

/// A camera as `swatchcam cameras` prints it.
struct CameraDescription: Encodable {
    struct Size: Encodable {
        var width: Int
        var height: Int
        /// Frames per second, highest first.
        var rates: [Double]
    }

    struct Format: Encodable {
        var fourcc: String
        var name: String
        /// Sizes; for a range of sizes the smallest and the largest.
        var sizes: [Size]
        var isRange: Bool
    }

    struct Control: Encodable {
        var name: String
        var label: String
        var type: String
        var minimum: Int64
        var maximum: Int64
        var step: Int64
        var `default`: Int64
        var value: Int64?
        var choices: [String: String]?
        var readOnly: Bool
        var inactive: Bool
    }

    var name: String
    var id: String
    var device: String
    var driver: String
    var bus: String
    /// Why it cannot be used; nil if it can.
    var problem: String?
    var formats: [Format] = []
    var controls: [Control] = []

    init(_ node: DeviceNode) {
        name = node.name
        id = node.id
        device = node.path
        driver = node.driver
        bus = node.bus
        do throws(V4L2Error) {
            let device = try Device(opening: node.path)
            formats = device.offeredFormats().map(Format.init)
            controls = device.controls().map(Control.init)
        } catch {
            problem = error.description
        }
    }

    /// For people.
    var text: String {
        var lines = ["\(name)", "  id       \(id)", "  device   \(device)"]
        if let problem { return (lines + ["  problem  \(problem)"]).joined(separator: "\n") }
        lines += ["  driver   \(driver)", "  bus      \(bus)", "  formats"]
        lines += formats.map { "    \($0.text)" }
        lines += ["  controls"]
        lines += controls.map { "    \($0.text)" }
        return lines.joined(separator: "\n")
    }
}

extension CameraDescription.Format {
    init(_ format: OfferedFormat) {
        fourcc = format.fourCC.description
        name = format.name
        switch format.sizes {
        case .discrete(let all):
            isRange = false
            sizes = all.map { .init(width: $0.width, height: $0.height, rates: $0.rates) }
        case .stepwise(let width, _, let height, _):
            isRange = true
            sizes = [(width.lowerBound, height.lowerBound), (width.upperBound, height.upperBound)].map {
                .init(width: $0.0, height: $0.1, rates: [])
            }
        }
    }

    fileprivate var text: String {
        let list = sizes.map { size in
            let rates = size.rates.map { $0.formatted(decimals: $0 == $0.rounded() ? 0 : 2) }.joined(separator: "/")
            return "\(size.width)x\(size.height)" + (rates.isEmpty ? "" : "@\(rates)")
        }
        return "\(fourcc)  \(name): \(list.joined(separator: isRange ? "..." : " "))"
    }
}

extension CameraDescription.Control {
    init(_ control: V4L2.Control) {
        name = control.name
        label = control.label
        type = control.kind.rawValue
        minimum = control.minimum
        maximum = control.maximum
        step = control.step
        `default` = control.defaultValue
        value = control.value
        let named = control.choices.map { (String($0.value), $0.name) }
        choices = named.isEmpty ? nil : Dictionary(named) { first, _ in first }
        readOnly = control.isReadOnly
        inactive = control.isInactive
    }

    fileprivate var text: String {
        var text = "\(name) (\(type))"
        switch type {
        case "button": break
        case "string": text += " \(minimum)...\(maximum) characters"
        default:
            text += " \(minimum)...\(maximum)" + (step > 1 ? " step \(step)" : "") + ", default \(`default`)"
            if let value { text += ", now \(value)" }
        }
        if let choices {
            let numbered = choices.compactMap { key, name in Int64(key).map { ($0, name) } }.sorted { $0.0 < $1.0 }
            text += ": " + numbered.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
        return text + (readOnly ? " [read-only]" : "") + (inactive ? " [inactive]" : "")
    }
}
