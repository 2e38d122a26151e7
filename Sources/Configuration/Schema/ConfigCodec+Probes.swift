package import Pixels
import Untrusted

/// A table `[[probes]]`: a part of the picture that is measured beside the region.
extension Probe {
    package static let (noun, keys) = ("probe", ["name", "region", "reference"])

    /// Reads a probe.
    /// - Throws: A sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        let values = try Self.table(value)
        guard case .string(let written)? = values["name"] else { throw .refused("a probe needs a name, as a string") }
        let name = try Config.checkedName(written)
        func refused(_ reason: String) -> ConfigRejection { .refused("the region of \(name.text.quoted()): \(reason)") }
        guard let region = values["region"] else {
            throw .refused("\(name.text.quoted()) needs a region, [x, y, width, height] in 0...1")
        }
        let decoded: Region
        do throws(ConfigRejection) {
            decoded = try ConfigCodec<Region>.region.decode(region, "")
        } catch {
            throw refused(
                error == .wrongType
                    ? "\(region.sentence); expected \(ConfigCodec<Region>.region.expected)" : "\(error.message)")
        }
        var isReference = false
        if let value = values["reference"] {
            guard case .boolean(let flag) = value else {
                throw .refused("the reference of \(name.text.quoted()): \(value.sentence); expected true or false")
            }
            isReference = flag
        }
        self.init(name: name, region: decoded, isReference: isReference)
    }

    /// The table as lines of TOML, with its heading.
    package var toml: String {
        let region = region.configValue?.toml ?? ""
        return "[[probes]]\nname = \(name.text.toml)\nregion = \(region)\n\(isReference ? "reference = true\n" : "")"
    }
}

extension Probe: Config.NamedItem, ConfigRepresentable {
    package var configValue: ConfigValue? {
        let numbers = [region.x, region.y, region.width, region.height].map { ConfigValue.float($0) }
        return .table(["name": .string(name.text), "region": .list(numbers), "reference": .boolean(isReference)])
    }
}

extension ConfigCodec<[Probe]> {
    /// Probes with different names, of which one may be the reference.
    static let probes = items(allowedValues: "at most \(Probe.maxCount) tables") { probe, others in
        guard probe.isReference, let other = others.first(where: \.isReference) else { return nil }
        return "\(probe.name.text.quoted()) and \(other.name.text.quoted()) are both the reference; one can be"
    }
}
