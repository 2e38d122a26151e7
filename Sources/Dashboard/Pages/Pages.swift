import Assets
import Color
import Configuration
import Documents
import FoundationEssentials
package import Handoff
package import Logging
import Readings
import Synchronization
import Untrusted

/// The pages, which are rendered from Mustache templates, and the resources that they refer to.
///
/// Templates and resources are embedded in the program unless the configuration names a folder. Embedded scripts are
/// bundles; if a folder is named, they are the single modules, so that each can be replaced. A folder is checked for
/// changes when a file in it is requested, at most twice a second. An invalid template is an error at start-up. If a
/// template becomes invalid later, the error is logged once, and the last valid templates stay in use.
package final class Pages: Sendable {
    private struct Compiled {
        var templates: TemplateSet
        /// The last revision that was compiled, successfully or not.
        var revision: Int
        var replacements = 0
    }

    private let templates: AssetStore
    private let resources: AssetStore
    private let templatesRefresh: SharedRefresh
    private let resourcesRefresh: SharedRefresh
    /// The path of the resources in pages. It changes with the embedded files, so that browsers can cache them for
    /// ever. The files of a folder may change while the program runs, and are requested each time.
    private let resourcesPath: String
    private let isBundled: Bool
    private let title: @Sendable () -> String?
    /// The web manifest, with which browsers install the dashboard like an app.
    let manifest: Asset
    let version: String
    private let templatesLog: RateLimitedLogger
    private let resourcesLog: RateLimitedLogger
    private let compiled: Mutex<Compiled>

    /// - Parameters:
    ///   - templates: The folder that replaces the embedded `Templates/`, if any.
    ///   - resources: The folder that replaces the embedded `Resources/`, if any.
    ///   - version: The version of the program, shown on the page.
    ///   - clocks: The clocks for checking the folders.
    ///   - title: Returns the configured title of the pages; nil if there is none.
    /// - Throws: `PagesError` if a folder cannot be read or a template is invalid.
    package init(
        templates: String?, resources: String?, version: String = "dev", clocks: Clocks = Clocks(),
        log: Logger = Logger(label: "swatchcam.pages"), title: @escaping @Sendable () -> String? = { nil }
    ) throws(PagesError) {
        self.title = title
        self.templates = try AssetStore(embedded: Assets.files(in: "Templates"), folder: templates)
        isBundled = resources == nil && Assets.hasBundles
        let embedded = resources == nil ? Assets.resources : Assets.files(in: "Resources")
        self.resources = try AssetStore(embedded: embedded, folder: resources)
        templatesRefresh = SharedRefresh(label: "templates", clocks: clocks)
        resourcesRefresh = SharedRefresh(label: "resources", clocks: clocks)
        resourcesPath = resources == nil ? "resources/\(ResourceName.versionFolder)" : "resources"
        manifest = Asset(content: JSONText.data(of: WebManifest(resources: resourcesPath)), isCompressible: true)
        self.version = version
        templatesLog = RateLimitedLogger(log)
        resourcesLog = RateLimitedLogger(log)
        let (files, revision) = self.templates.snapshot
        let set = try TemplateSet(files: files, location: self.templates.location)
        compiled = Mutex(Compiled(templates: set, revision: revision))
    }

    /// Reads templates that have changed. A page that is rendered without this has the templates of the last time.
    /// - Returns: The number of times that the templates were replaced.
    @discardableResult func refresh() async -> Int {
        if templates.hasFolder { await templatesRefresh.run(refreshTemplates) }
        return compiled.withLock(\.replacements)
    }

    /// Renders the dashboard with a reading, and the documents of `/api/cameras`, `/api/controls` and `/api/settings`.
    /// - Parameter access: The rights of the user.
    func dashboard(
        _ reading: Reading, cameras: Data? = nil, controls: Data? = nil, settings: Data? = nil,
        access: Access = .control, canLogOut: Bool = false, hasFleet: Bool = false
    ) throws(PagesError) -> String {
        var context = context(for: reading, settings: settings, access: access)
        context["camerasJSON"] = cameras.map(String.init(scriptJSON:))
        context["controlsJSON"] = controls.map(String.init(scriptJSON:))
        context["canLogOut"] = canLogOut
        context["hasFleet"] = hasFleet
        return try render("dashboard", context)
    }

    /// Renders the kiosk, which fills the screen with the colour.
    /// - Parameters:
    ///   - showsName: Whether the colour's name is shown.
    ///   - showsQuality: Whether the grade of the reading is shown.
    func kiosk(
        _ reading: Reading, show: Config.Kiosk.Show, showsName: Bool = false, showsQuality: Bool = false
    ) throws(PagesError) -> String {
        var context = Self.context(for: reading, version: version)
        context["showsPicture"] = show == .picture || show == .overlay
        context["showsOverlay"] = show == .overlay
        context["showsHistory"] = show == .history
        context["showsVerdict"] = show == .verdict
        context["showsName"] = showsName
        context["showsQuality"] = showsQuality
        return try render("kiosk", context)
    }

    /// - Parameters:
    ///   - next: The path to go to after the login.
    ///   - problem: The reason why the last login failed; nil if none has failed.
    ///   - path: The path in whose place the page is shown.
    func login(next: String, problem: String?, at path: String) throws(PagesError) -> String {
        var context: [String: Any] = ["hasColor": false, "next": next]
        context["problem"] = problem
        return try render("login", context, at: path)
    }

    /// Renders the page that explains an error: its name, and a sentence.
    /// - Parameter path: The path in whose place the page is shown.
    func problem(_ title: String, message: String, at path: String) throws(PagesError) -> String {
        try render("problem", ["hasColor": false, "title": title, "message": message], at: path)
    }

    func solid(_ color: RGB8) throws(PagesError) -> String {
        try render("solid", ["hasColor": true, "hex": color.hex, "textColor": color.textColor.hex], at: "/test/")
    }

    func comparison() throws(PagesError) -> String {
        try render("comparison", ["hasColor": false, "version": version])
    }

    /// A page that measures step by step, with the picture and the readout of the dashboard.
    enum Tool: String {
        /// The page that calibrates the camera.
        case calibration
        /// The page that measures absorbances and concentrations.
        case absorbance

        var heading: String {
            switch self {
            case .calibration: "Calibration"
            case .absorbance: "Concentration"
            }
        }
    }

    /// Renders a page that measures with a reading, and the document of `/api/settings`.
    /// - Parameter access: The rights of the user.
    func tool(
        _ tool: Tool, _ reading: Reading, settings: Data? = nil, access: Access = .control
    ) throws(PagesError) -> String {
        var context = context(for: reading, settings: settings, access: access)
        context["heading"] = tool.heading
        return try render(tool.rawValue, context)
    }

    private func context(for reading: Reading, settings: Data?, access: Access) -> [String: Any] {
        var context = Self.context(for: reading, version: version)
        context["settingsJSON"] = settings.map(String.init(scriptJSON:))
        context["access"] = access.rawValue
        context["mayChange"] = access == .control
        return context
    }

    /// Renders the wall of the colours of all instances that use the same broker.
    /// - Parameter onKiosk: Whether it fills the screen without a heading.
    func fleet(onKiosk: Bool) throws(PagesError) -> String {
        try render("fleet", ["hasColor": false, "onKiosk": onKiosk])
    }

    /// Renders the page that says how another device opens the pages.
    /// - Parameters:
    ///   - addresses: The addresses of the pages, the surest first, which has a QR code; none if only this machine can connect.
    ///   - future: The addresses that they will have once other machines can connect.
    ///   - address: The address that the server listens on.
    ///   - needsToken: Whether the other device is asked for a token.
    ///   - isAdmitted: Whether a proxy admits the users itself.
    ///   - file: The path of the configuration file; nil if there is none yet.
    func elsewhere(
        _ addresses: [String], future: [String] = [], listensOn address: String, needsToken: Bool,
        isAdmitted: Bool = false, file: String? = nil
    ) throws(PagesError) -> String {
        let isReached = !addresses.isEmpty
        let shown = isReached ? addresses : future
        var context: [String: Any] = [
            "hasColor": false, "listens": address, "isReached": isReached, "hasOthers": shown.count > 1,
            "needsToken": needsToken, "isAdmitted": isAdmitted, "isNewFile": file == nil,
            "others": Array(shown.dropFirst()),
        ]
        // A line may end after each folder.
        context["folders"] = URL(filePath: file ?? ConfigFile.candidates()[1]).path.sanitized(limit: 4096)
            .dropFirst().split(separator: "/")
        context["address"] = shown.first
        if isReached, let first = shown.first, let code = try? QRCode(first) {
            (context["path"], context["side"]) = (code.path, code.side)
        }
        return try render("elsewhere", context)
    }

    /// Renders the page that defines every figure of a reading.
    func measuring() throws(PagesError) -> String {
        try render("measuring", ["hasColor": false, "colorFigures": Self.colorFigures])
    }

    static let manifestPath = "/manifest.webmanifest"

    /// The configured title, or else the name of the program.
    var siteName: String { title() ?? "Swatchcam" }

    /// - Parameter path: The path of the page. From its depth follows `root`, with which addresses in the page begin: a
    ///   proxy may show everything under a sub-path.
    private func render(
        _ name: String, _ context: [String: Any], at path: String = "/"
    ) throws(PagesError) -> String {
        var context = context
        // No page is that deep; a longer path would make the answer many times as long as the request.
        let depth = min(path.utf8.dropFirst().count { $0 == UInt8(ascii: "/") }, 16)
        let root = depth == 0 ? "./" : String(repeating: "../", count: depth)
        context["root"] = root
        context["resources"] = root + resourcesPath
        context["isBundled"] = isBundled
        context["manifest"] = root + Self.manifestPath.dropFirst()
        context["webTitle"] = title()
        context["siteName"] = siteName
        guard let page = compiled.withLock(\.templates).render(context, with: name) else {
            throw .missing(file: name + TemplateSet.fileExtension)
        }
        return page
    }

    func resource(_ name: ResourceName) async -> Asset? {
        if resources.hasFolder { await resourcesRefresh.run(refreshResources) }
        return resources.file(named: name.path)
    }

    @Sendable private func refreshResources() {
        do {
            try resources.refresh()
            resourcesLog.report(nil)
        } catch {
            report(error, to: resourcesLog)
        }
    }

    @Sendable private func refreshTemplates() {
        do {
            try templates.refresh()
            let (files, revision) = templates.snapshot
            guard compiled.withLock({ $0.revision }) != revision else { return }
            compiled.withLock { $0.revision = revision }
            let fresh = try TemplateSet(files: files, location: templates.location)
            compiled.withLock {
                $0.templates = fresh
                $0.replacements += 1
            }
            templatesLog.report(nil)
        } catch {
            report(error, to: templatesLog)
        }
    }

    private func report(_ problem: PagesError, to log: RateLimitedLogger) {
        log.report("\(problem). The last valid version stays in use.", at: .error)
    }
}

/// The rights of a client.
enum Access: String, Sendable {
    /// May see colours, pictures and settings.
    case view
    /// May also change settings.
    case control
}

/// The reason why a template or a folder cannot be used.
package enum PagesError: Error, Equatable, CustomStringConvertible {
    /// A template is invalid. Line and column count from 1.
    case template(file: String, line: Int, column: Int, problem: String)
    /// Templates and blocks are nested too deep in a template, or it contains itself.
    case nested(file: String, limit: Int)
    /// A required template is missing.
    case missing(file: String)
    /// A folder cannot be used.
    case folder(path: String, problem: String)

    /// The place of the problem, and a sentence about it.
    package var description: String {
        switch self {
        case .template(let file, let line, let column, let problem):
            "\(file):\(line):\(column): \(problem)"
        case .nested(let file, let limit):
            "\(file): partials and blocks are nested more than \(limit) deep; does one of them contain itself?"
        case .missing(let file):
            "\(file): there is no such template"
        case .folder(let path, let problem):
            "\(path): \(problem)"
        }
    }
}

extension PagesError {
    /// Returns an error of a whole template, which is reported at its first line and column.
    static func start(of file: String, problem: String) -> PagesError {
        .template(file: file, line: 1, column: 1, problem: problem)
    }
}
