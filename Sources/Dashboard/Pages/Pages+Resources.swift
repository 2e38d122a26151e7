import Assets
import FoundationEssentials

extension Pages {
    /// The name by which a page refers to a resource.
    struct ResourceName: Equatable, Sendable {
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

/// The web manifest of the dashboard (W3C, Web Application Manifest).
struct WebManifest: Encodable {
    struct Icon: Encodable {
        var src: String
        var sizes: String
        var type: String
        var purpose = "any"
    }

    var name = "Swatchcam"
    var shortName = "Swatchcam"
    var description = "The live colour of what a camera sees."
    // Relative to the manifest's own address, which may be under a sub-path.
    var startURL = "./"
    var scope = "./"
    var display = "standalone"
    /// A neutral grey until the page is loaded: a coloured screen would change how the eye sees the page's colours.
    var backgroundColor = "#808080"
    var themeColor = "#808080"
    var icons: [Icon]

    /// - Parameter resources: The path of the resources.
    init(resources: String) {
        icons = [
            Icon(src: "\(resources)/favicon.svg", sizes: "any", type: "image/svg+xml"),
            Icon(src: "\(resources)/icon-192.png", sizes: "192x192", type: "image/png"),
            Icon(src: "\(resources)/icon-512.png", sizes: "512x512", type: "image/png"),
            Icon(src: "\(resources)/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable"),
        ]
    }

    private enum CodingKeys: String, CodingKey {
        case name, description, scope, display, icons
        case shortName = "short_name"
        case startURL = "start_url"
        case backgroundColor = "background_color"
        case themeColor = "theme_color"
    }
}
