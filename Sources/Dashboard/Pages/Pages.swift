import Assets
package import Logging
import Pixels
import Readings
import Synchronization

/// The pages: Mustache templates rendered with a reading, and the files that they refer to.
///
/// Templates and resources are the embedded ones unless the configuration names a folder. Such a folder is looked at
/// when something of it is requested, at most twice a second. A template that does not work is refused at the start;
/// later the last ones that worked stay in use, and the error is logged once.
package final class Pages: Sendable {
    private enum Origin { case templates, resources }

    private struct Compiled {
        var templates: TemplateSet
        /// The revision that was compiled last, whether it worked or not.
        var revision: Int
        /// What was logged last of each folder, so that it is not logged again at each request.
        var reported: [Origin: PagesError] = [:]
    }

    private let templates: AssetStore
    private let resources: AssetStore
    private let templatesRefresh: SharedRefresh
    private let resourcesRefresh: SharedRefresh
    /// Where pages find the files: below a name that changes with them, so that browsers keep them for good. Those of a
    /// folder change while the program runs, and are asked for each time.
    private let resourcesPath: String
    private let version: String
    private let log: Logger
    private let compiled: Mutex<Compiled>

    /// - Parameters:
    ///   - templates: a folder in place of the embedded `Templates/`; nil for none.
    ///   - resources: a folder in place of the embedded `Resources/`; nil for none.
    ///   - version: the program's, shown on the page.
    ///   - now: the clock by which folders are looked at again.
    package init(
        templates: String?, resources: String?, version: String = "dev", log: Logger = Logger(label: "swatchcam.pages"),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws(PagesError) {
        self.templates = try AssetStore(embedded: Assets.files(in: "Templates"), folder: templates)
        self.resources = try AssetStore(embedded: Assets.files(in: "Resources"), folder: resources)
        templatesRefresh = SharedRefresh(label: "templates", now: now)
        resourcesRefresh = SharedRefresh(label: "resources", now: now)
        resourcesPath = resources == nil ? "/resources/\(ResourceName.lasting)" : "/resources"
        self.version = version
        self.log = log
        let (files, revision) = self.templates.snapshot
        let set = try TemplateSet(files: files, location: self.templates.location)
        compiled = Mutex(Compiled(templates: set, revision: revision))
    }

    /// The dashboard with a reading in it.
    /// - Parameters:
    ///   - rate: readings pushed per second, as configured.
    ///   - access: what its reader may do.
    ///   - canLogOut: whether its reader had to log in.
    func dashboard(
        _ reading: Reading, rate: Double, access: Access = .control, canLogOut: Bool = false
    ) async throws(PagesError) -> String {
        var context = Self.context(for: reading, rate: rate, version: version)
        context["access"] = access.rawValue
        context["mayChange"] = access == .control
        context["canLogOut"] = canLogOut
        return try await render("dashboard", context)
    }

    /// The colour on a whole screen.
    /// - Parameter showsPicture: whether the live picture is on it, too.
    func kiosk(_ reading: Reading, rate: Double, showsPicture: Bool) async throws(PagesError) -> String {
        var context = Self.context(for: reading, rate: rate, version: version)
        context["showsPicture"] = showsPicture
        return try await render("kiosk", context)
    }

    /// The page that asks for a token.
    /// - Parameters:
    ///   - next: where it leads.
    ///   - problem: why it is shown again.
    func login(next: String, problem: String?) async throws(PagesError) -> String {
        var context: [String: Any] = ["hasColor": false, "next": next]
        context["problem"] = problem
        return try await render("login", context)
    }

    /// A page of one solid colour, to hold before a camera.
    func solid(_ color: RGB8) async throws(PagesError) -> String {
        try await render("solid", ["hasColor": true, "hex": color.hex, "textColor": color.textColor.hex])
    }

    /// The page that walks through colours and compares what the camera reads.
    func comparison() async throws(PagesError) -> String {
        try await render("comparison", ["hasColor": false, "version": version])
    }

    private func render(_ name: String, _ context: [String: Any]) async throws(PagesError) -> String {
        var context = context
        context["resources"] = resourcesPath
        guard let page = await currentTemplates().render(context, with: name) else {
            throw .missing(file: name + TemplateSet.fileExtension)
        }
        return page
    }

    /// A file of `Resources/`.
    func resource(_ name: ResourceName) async -> Asset? {
        if resources.hasFolder { await resourcesRefresh.run(refreshResources) }
        return resources.file(named: name.path)
    }

    private func currentTemplates() async -> TemplateSet {
        if templates.hasFolder { await templatesRefresh.run(refreshTemplates) }
        return compiled.withLock { $0.templates }
    }

    @Sendable private func refreshResources() {
        do {
            try resources.refresh()
        } catch {
            report(error, of: .resources)
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
                $0.reported[.templates] = nil
            }
        } catch {
            report(error, of: .templates)
        }
    }

    private func report(_ problem: PagesError, of origin: Origin) {
        let isNew = compiled.withLock { $0.reported.updateValue(problem, forKey: origin) != problem }
        if isNew { log.error("\(problem). The last version that worked stays in use.") }
    }
}
