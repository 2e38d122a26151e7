import Synchronization

/// What every reading tells besides its colour: sentences that are true at present, and which documents of the API
/// have changed. Whoever knows posts; the capture thread reads.
final class Bulletin: Sendable {
    /// A sentence for a person.
    struct Notice: Equatable, Encodable, Sendable {
        /// What it is about; there is one notice about each at a time.
        enum Topic: String, Encodable, CaseIterable, Sendable {
            /// The camera gives something else than it was asked for.
            case negotiated
            /// The camera did not take a control as the configuration has it.
            case controls
            /// An automatic of the camera may change the colour.
            case drift
            /// What became of an edit of the configuration file.
            case configuration
            /// A change of the configuration that waits for a restart.
            case restart
        }

        var topic: Topic
        var message: String
    }

    /// Each counts up when a document changes, so that clients know when to ask for it again.
    struct Revisions: Equatable, Encodable, Sendable {
        /// Of `GET /api/cameras`.
        var cameras = 0
        /// Of `GET /api/controls`.
        var controls = 0
    }

    private struct State {
        var messages: [Notice.Topic: String] = [:]
        var revisions = Revisions()
    }

    private let state = Mutex(State())

    /// In the order of the topics.
    var notices: [Notice] {
        let messages = state.withLock { $0.messages }
        return Notice.Topic.allCases.compactMap { topic in messages[topic].map { Notice(topic: topic, message: $0) } }
    }

    var revisions: Revisions { state.withLock { $0.revisions } }

    /// Puts a sentence in the place of what was said about its topic; nil: there is nothing to say any more.
    func post(_ message: String?, about topic: Notice.Topic) {
        state.withLock { $0.messages[topic] = message }
    }

    /// Takes a sentence back, if it is still the one about its topic.
    func withdraw(_ message: String, about topic: Notice.Topic) {
        state.withLock { state in
            if state.messages[topic] == message { state.messages[topic] = nil }
        }
    }

    /// Tells that a document has changed.
    func advance(_ document: any WritableKeyPath<Revisions, Int> & Sendable) {
        state.withLock { $0.revisions[keyPath: document] += 1 }
    }
}
