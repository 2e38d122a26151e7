import Assets
import FoundationEssentials

extension Pages {
    /// The name by which a page refers to a resource.
    struct ResourceName: Equatable, Sendable {
        /// The path in `Resources/`.
        var path: String
        /// Whether the name always refers to the same content.
        var isVersioned: Bool

        /// The folder of all embedded files in URLs. Its name changes when any of them changes. Relative imports stay
        /// in the folder, so the files themselves need not contain the name.
        static let versionFolder: String = {
            let files = Assets.resources.sorted { $0.key < $1.key }
            let tags = files.map { "\($0.key) \(Asset(content: $0.value).entityTag)" }.joined(separator: "\n")
            return "v-" + Asset(content: Data(tags.utf8)).entityTag.filter { $0.isLetter || $0.isNumber }
        }()
    }

    /// Returns the name in a path of a URL; nil if the path is not that of a resource.
    /// - Parameter path: The path as it was sent, not decoded.
    static func resourceName(at path: String) -> ResourceName? {
        let folder = "/resources/"
        guard path.hasPrefix(folder) else { return nil }
        let name = path.dropFirst(folder.count)
        guard name.hasPrefix(ResourceName.versionFolder + "/") else {
            return ResourceName(path: String(name), isVersioned: false)
        }
        return ResourceName(path: String(name.dropFirst(ResourceName.versionFolder.count + 1)), isVersioned: true)
    }
}
