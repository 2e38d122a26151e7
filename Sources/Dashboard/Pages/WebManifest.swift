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
    var id = "/"
    var startURL = "/"
    var scope = "/"
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
        case name, description, id, scope, display, icons
        case shortName = "short_name"
        case startURL = "start_url"
        case backgroundColor = "background_color"
        case themeColor = "theme_color"
    }
}
