import Configuration
import FlyingFox
import Handoff
import State
import Storage
import Untrusted

/// The things of one kind that clients set, show and delete by their names: targets, probes or standards.
struct NamedItems<Item: Named & Sendable>: Sendable {
    let maxCount: Int
    let items: @Sendable () -> [Item]
    /// Changes the list at once, whatever other clients do, and waits for the disk.
    let change: @Sendable ((inout [Item]) -> Void) async -> Void
    /// Answers with one that was changed, and with the reason why the change will be forgotten, if it will.
    let answer: @Sendable (Item) -> HTTPResponse
    /// The error if there is none of a name.
    let missing: HTTPError
    /// The error if there are too many of them.
    let full: HTTPError
    /// The error if a body is not one of them.
    let malformed: HTTPError

    /// Returns the item that a request names.
    func item(_ call: Call) throws(HTTPError) -> Item {
        guard let item = items().first(where: { $0.name == call.decodedName }) else { throw missing }
        return item
    }

    /// Whether an item of a name can be set.
    func hasRoom(for name: Name) -> Bool {
        let items = items()
        return items.count < maxCount || items.contains { $0.name == name }
    }

    /// Sets an item, at the place of the one of its name or else at the end.
    /// - Parameter prepare: Changes the other items, if this one is set.
    /// - Returns: The status of the answer, by whether it is new.
    func set(
        _ item: Item, preparing prepare: (inout [Item]) -> Void = { _ in }
    ) async throws(HTTPError) -> HTTPStatusCode {
        var isNew: Bool?
        await change { items in isNew = items.set(item, upTo: maxCount, preparing: prepare) }
        guard let isNew else { throw full }
        return isNew ? .created : .ok
    }

    /// Deletes the item that a request names, and answers with it.
    func delete(_ call: Call) async throws(HTTPError) -> HTTPResponse {
        var deleted: Item?
        await change { deleted = $0.remove(call.decodedName) }
        guard let deleted else { throw missing }
        return answer(deleted)
    }

    /// Returns the error about a mistake in a body.
    func refusal(_ rejection: ConfigRejection) -> HTTPError {
        var refusal = malformed
        refusal.message = rejection.message
        return refusal
    }
}

/// Items of a list of settings.
extension NamedItems where Item: Config.NamedItem {
    init(
        _ list: any WritableKeyPath<Config, [Item]> & Sendable, of shared: SharedState, missing: HTTPError,
        full: HTTPError, malformed: HTTPError
    ) {
        self.init(
            maxCount: Item.maxCount, items: { shared.config.value.effective[keyPath: list] },
            change: { edit in await shared.settingsMemory.change { edit(&$0[keyPath: list]) } },
            answer: { .json($0.configValue?.with(shared.settingsMemory.problem)) }, missing: missing, full: full,
            malformed: malformed)
    }

    /// Answers with the item that a request names.
    func show(_ call: Call) throws(HTTPError) -> HTTPResponse { .json(try item(call).configValue) }

    /// Sets the item that a request names, to what its body says.
    /// - Parameters:
    ///   - complete: Adds what the body leaves out.
    ///   - prepare: Changes the other items, if this one is set.
    func set(
        _ call: Call, completing complete: (inout [String: ConfigValue]) async throws -> Void = { _ in },
        preparing prepare: (Item, inout [Item]) -> Void = { _, _ in }
    ) async throws -> HTTPResponse {
        var values = try await call.json([String: ConfigValue].self, orRefuse: malformed)
        guard values["name"] == nil else { throw malformed }
        try await complete(&values)
        values["name"] = call.decodedName.map { .string($0.text) }
        let item: Item
        do throws(ConfigRejection) {
            item = try Item(.table(values))
        } catch {
            throw refusal(error)
        }
        let status = try await set(item) { prepare(item, &$0) }
        var response = answer(item)
        response.statusCode = status
        return response
    }

    /// The document with items of the list.
    func list(_ items: [Item]) -> ConfigValue { .table(["\(Item.noun)s": .list(items.compactMap(\.configValue))]) }
}
