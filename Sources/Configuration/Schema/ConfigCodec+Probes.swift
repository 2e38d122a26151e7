import Documents
import Pixels
import Untrusted

/// A table `[[probes]]`: a part of the picture that is measured beside the region.
extension Probe {
    package static let (noun, keys) = ("probe", ["name", "region", "shape", "reference", "light", "targets"])

    /// Reads a probe.
    /// - Throws: Every mistake, each a sentence without a position.
    package init(_ value: ConfigValue) throws(ConfigRejection) {
        var table = try ItemTable(value, of: Self.self)
        let region = table.required("region", "a region, [x, y, width, height] in 0...1") {
            value throws(ConfigRejection) in
            try ConfigCodec<Region>.region.decode(value, "")
        }
        let shape = table.optional("shape", ConfigCodec<Shape>.shape.expected) { value throws(ConfigRejection) in
            try ConfigCodec<Shape>.shape.decode(value, "")
        }
        func flag(_ key: String) -> Bool? {
            table.optional(key, "true or false") { value throws(ConfigRejection) in
                try ConfigCodec<Bool>.flag.decode(value, "")
            }
        }
        let (isReference, isLight) = (flag("reference"), flag("light"))
        let targets = table.optional("targets", "a list of the names of targets") { value throws(ConfigRejection) in
            guard case .list(let list) = value, list.count <= Config.Target.maxCount else { throw .wrongType }
            var names: [Name] = []
            for case let element in list {
                guard case .string(let text) = element else { throw .wrongType }
                names.append(try Config.checkedName(text))
            }
            return names
        }
        guard let name = table.name, let region, table.rejections.isEmpty else { throw .several(table.rejections) }
        self.init(
            name: name, region: region, shape: shape ?? .rectangle, isReference: isReference ?? false,
            isLight: isLight ?? false, targets: targets)
    }

    /// Says which of its targets does not exist; nil if all do.
    func problem(among targets: [Name]) -> String? {
        guard let missing = self.targets?.first(where: { !targets.contains($0) }) else { return nil }
        let near = targets.first { editDistance($0.text.lowercased(), missing.text.lowercased()) <= 2 }
        return "the targets of \(name.text.quoted()): there is no target named \(missing.text.quoted())"
            + (near.map { "; did you mean \($0.text.quoted())?" } ?? "")
    }

    /// The table as lines of TOML, with its heading.
    package var toml: String {
        var lines = ["[[probes]]", "name = \(name.text.toml)", "region = \(region.configValue?.toml ?? "")"]
        if shape != .rectangle { lines.append("shape = \(shape.rawValue.toml)") }
        if isReference { lines.append("reference = true") }
        if isLight { lines.append("light = true") }
        if let targetList { lines.append("targets = \(targetList.toml ?? "")") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var targetList: ConfigValue? { targets.map { .list($0.map { .string($0.text) }) } }
}

extension Probe: Config.NamedItem, ConfigRepresentable {
    static var schema: JSONSchema { .component("Probe") }

    package var configValue: ConfigValue? {
        let numbers = [region.x, region.y, region.width, region.height].map { ConfigValue.float($0) }
        var values: [String: ConfigValue] = [
            "name": .string(name.text), "region": .list(numbers), "shape": .string(shape.rawValue),
            "reference": .boolean(isReference), "light": .boolean(isLight),
        ]
        if let targetList { values["targets"] = targetList }
        return .table(values)
    }
}

extension ConfigCodec<Shape> {
    /// `rectangle` or `ellipse`.
    fileprivate static let shape = choice("a shape")
}

extension ConfigCodec<[Probe]> {
    /// Probes with different names, of which one may be the reference.
    static let probes = items(allowedValues: "at most \(Probe.maxCount) tables") { probe, others in
        guard probe.isReference, let other = others.first(where: \.isReference) else { return nil }
        return "\(probe.name.text.quoted()) and \(other.name.text.quoted()) are both the reference; one can be"
    }
}
