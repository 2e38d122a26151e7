package import FoundationEssentials
package import Handoff
package import Readings

/// The reason why a client's mark is not set.
package enum MarkRefusal: Error, Equatable {
    /// The client has used its share of the day's table; with the time until the next day, in seconds.
    case share(untilMidnight: Double)
    /// Clients have used all of the day's table that belongs to them; with the time until the next day, in seconds.
    case part(untilMidnight: Double)
    /// The table cannot be written, with the reason in a sentence.
    case notWritten(String)
    /// The folder is so slow that the mark has not been written in time. It may still be.
    case tooSlow
    /// Too many marks wait to be written.
    case queueFull
    case stopping

    init(_ refusal: MarkBudget.Refusal, until end: Date, at now: Date) {
        let time = max(0, end.timeIntervalSince(now))
        self = refusal == .share ? .share(untilMidnight: time) : .part(untilMidnight: time)
    }
}

/// What a client wants to do with a mark.
enum MarkChange: Sendable {
    /// To set it. The mark has no number yet.
    case set(Mark)
    /// To delete it. The mark names the client that deletes it.
    case delete(Mark)

    var mark: Mark {
        switch self {
        case .set(let mark), .delete(let mark): mark
        }
    }
}

/// A change that waits until it is written.
struct MarkCommand: Command {
    typealias Value = Mark
    typealias Refusal = MarkRefusal

    static let capacity = 256
    static func unavailable(isStopped: Bool) -> MarkRefusal { isStopped ? .stopping : .queueFull }

    let change: MarkChange
    /// The time at which the client stops waiting.
    let end: MonotonicTime
}

/// The marks that clients want to set or delete. Each change waits until it is written to the folder of the history, if
/// there is one, because a change that a client was told about must not be lost.
package struct MarkRequests: Sendable {
    private let timeout: Duration
    private let clocks: Clocks
    private let queue: RequestQueue<MarkCommand>

    /// - Parameter timeout: The maximum time for which a client waits.
    /// - Throws: `HandoffError.noDescriptor` if the process has no file descriptor left.
    package init(timeout: Duration = .seconds(5), clocks: Clocks = Clocks()) throws(HandoffError) {
        self.timeout = timeout
        self.clocks = clocks
        queue = try RequestQueue()
    }

    /// Sets a mark, and waits until it is kept.
    /// - Parameters:
    ///   - text: A text that `Mark.text` has returned.
    ///   - time: The moment that it marks; nil for the present one.
    ///   - client: The network of the client.
    package func submit(
        _ text: String, at time: Date? = nil, by client: String
    ) async -> Result<Mark, MarkRefusal> {
        await submit(.set(Mark(time: time ?? clocks.date(), kind: .user, text: text, client: client)))
    }

    /// Deletes a client's mark, and waits until that is kept.
    /// - Parameter client: The network of the client that deletes it.
    package func delete(_ mark: Mark, by client: String) async -> Result<Mark, MarkRefusal> {
        await submit(.delete(Mark(id: mark.id, time: mark.time, kind: mark.kind, text: mark.text, client: client)))
    }

    private func submit(_ change: MarkChange) async -> Result<Mark, MarkRefusal> {
        let command = MarkCommand(change: change, end: clocks.now() + timeout / .seconds(1))
        return await withAbandonment(after: timeout, clocks: clocks) { await queue.submit(command) }
            ?? .failure(.tooSlow)
    }

    /// Waits until there is a request, or the task is cancelled.
    func wait() async { await queue.wait() }

    /// Removes and returns the requests, except those whose clients no longer wait.
    func take() -> [RequestQueue<MarkCommand>.Request] {
        let now = clocks.now()
        var requests: [RequestQueue<MarkCommand>.Request] = []
        while let request = queue.take() {
            if request.command.end > now { requests.append(request) } else { request.reply(.failure(.tooSlow)) }
        }
        return requests
    }

    /// Refuses all requests, also later ones.
    func stop() { queue.stop() }
}
