import FlyingFox
import Untrusted

/// An address of the server with one method: who may use it, what it takes, and what answers.
///
/// The server routes by the list of these (`WebApp.routes`) and checks rights, parameters and the length of bodies by
/// it. Tests write the table in docs/api.md and docs/openapi.json from it.
struct Route: Sendable {
    /// Who may use a route.
    enum Right: Sendable {
        /// Everyone, even without access.
        case open
        /// Everyone if `metrics.open` is set, and else as `view`.
        case metrics
        /// A client with access.
        case view
        /// A client with full access. Its requests hold a place of those that change something.
        case control
    }

    let method: HTTPMethod
    /// The path. A name in braces stands for any text, as in `/api/targets/{name}` or `/api/scales/{name}/read`.
    let path: String
    let right: Right
    /// The parameters in its path and those that it takes in its query.
    let parameters: [Parameter]
    /// The names of those in its query.
    let queryNames: [String]
    /// Whether it ignores other parameters instead of refusing them: programs that show pictures add a number against
    /// caches.
    let ignoresOtherParameters: Bool
    /// The maximum length of its body in bytes.
    let maxBodyLength: Int
    /// What it responds or does, in a few words; nil for what docs/api.md does not list.
    let summary: String?
    /// What docs/openapi.json says of it; nil for what is not in there.
    var description: Description?
    /// The heading under which it stands in there.
    var tag: String?
    /// Answers a request. It throws an `HTTPError`; any other error is a defect.
    let respond: @Sendable (Call) async throws -> HTTPResponse

    /// - Parameter right: Nil for `view` if the method is GET, and for `control` if it is another one.
    init(
        _ method: HTTPMethod, _ path: String, right: Right? = nil, parameters: [Parameter] = [],
        ignoresOtherParameters: Bool = false, maxBodyLength: Int = RequestGuard.maxBodyLength, _ summary: String?,
        _ respond: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) {
        (self.method, self.path, self.right) = (method, path, right ?? (method == .GET ? .view : .control))
        (self.parameters, self.ignoresOtherParameters) = (parameters, ignoresOtherParameters)
        queryNames = parameters.map(\.name).filter { !path.contains("{\($0)}") }
        self.maxBodyLength = maxBodyLength
        (self.summary, self.respond) = (summary, respond)
    }
}

/// The routes by their addresses.
struct Router: Sendable {
    /// What a path offers.
    struct Address: Sendable {
        fileprivate(set) var routes: [HTTPMethod: Route] = [:]
        /// What the path has in place of the name in braces; empty if it has none.
        fileprivate(set) var name: Substring = ""

        /// The maximum length of a body in bytes, whatever the method: a body is refused before the method is.
        var maxBodyLength: Int { routes.values.map(\.maxBodyLength).max() ?? 0 }

        /// - Throws: The error about a method that the path does not support.
        func route(for method: HTTPMethod) throws(HTTPError) -> Route {
            if let route = routes[method == .HEAD ? .GET : method] { return route }
            let methods = routes.keys.flatMap { $0 == .GET ? ["GET", "HEAD"] : [$0.rawValue] }
            let list = methods.sorted().joined(separator: ", ")
            throw HTTPError(
                status: .methodNotAllowed, code: "method-not-allowed", message: "This address accepts only \(list).",
                headers: [HTTPHeader("Allow"): list])
        }
    }

    /// The paths without a name, byte by byte: the time to hash a text grows with the square of the number of combining
    /// marks.
    private var fixed: [[UInt8]: Address] = [:]
    /// The paths with a name, by what precedes it and then by what follows it. No beginning begins another.
    private var named: [String: [String: Address]] = [:]

    init(_ routes: [Route] = []) {
        for route in routes {
            if let name = route.path.firstIndex(of: "{") {
                let end = String(route.path[name...].drop { $0 != "}" }.dropFirst())
                named[String(route.path[..<name]), default: [:]][end, default: Address()].routes[route.method] = route
            } else {
                fixed[Array(route.path.utf8), default: Address()].routes[route.method] = route
            }
        }
    }

    /// Returns what a path offers; nil if there is nothing.
    /// - Parameter path: The path as it was sent, without decoding.
    func address(of path: String) -> Address? {
        if let address = fixed[Array(path.utf8)] { return address }
        for (beginning, addresses) in named {
            guard let name = path.rest(after: beginning) else { continue }
            for (end, var address) in addresses where !end.isEmpty && name.utf8.count > end.utf8.count {
                guard name.hasSuffix(end) else { continue }
                address.name = name.dropLast(end.count)
                return address
            }
            var address = addresses[""]
            address?.name = name
            return address
        }
        return nil
    }
}
