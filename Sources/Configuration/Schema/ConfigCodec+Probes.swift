package import Pixels
import Untrusted

/// A table `[[probes]]`: a part of the picture that is measured beside the region.
extension Probe {
    package static let (noun, keys) = ("probe", ["name", "region", "reference"])

    /// Reads a probe.
    /// - Throws: Every mistake, each a sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        var table = try ItemTable(value, of: Self.self)
        let region = table.required("region", "a region, [x, y, width, height] in 0...1") {
            value throws(ConfigRejection) in
            try ConfigCodec<Region>.region.decode(value, "")
        }
        let isReference = table.optional("reference", "true or false") { value throws(ConfigRejection) in
            guard case .boolean(let flag) = value else { throw .wrongType }
            return flag
        }
        guard let name = table.name, let region, table.rejections.isEmpty else { throw .several(table.rejections) }
        self.init(name: name, region: region, isReference: isReference ?? false)
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
