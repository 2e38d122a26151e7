import Synchronization

/// What every reading tells besides its colour: sentences that are true at present, and which documents of the API
/// have changed. Whoever knows posts; the capture thread reads.
package final class Bulletin: Sendable {
    /// A sentence for a person.
    package struct Notice: Equatable, Encodable, Sendable {
        /// What it is about; there is one notice about each at a time.
        package enum Topic: String, Encodable, CaseIterable, Sendable {
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

        package var topic: Topic
        package var message: String

        package init(topic: Topic, message: String) {
            self.topic = topic
            self.message = message
        }
    }

    /// Each counts up when a document changes, so that clients know when to ask for it again.
    package struct Revisions: Equatable, Encodable, Sendable {
        /// Of `GET /api/cameras`.
        package var cameras = 0
        /// Of `GET /api/controls`.
        package var controls = 0

        package init(cameras: Int = 0, controls: Int = 0) {
            self.cameras = cameras
            self.controls = controls
        }
    }

    private struct State {
        package var messages: [Notice.Topic: String] = [:]
        var revisions = Revisions()
    }

    private let state = Mutex(State())

    package init() {}

    /// In the order of the topics.
    package var notices: [Notice] {
        let messages = state.withLock { $0.messages }
        return Notice.Topic.allCases.compactMap { topic in messages[topic].map { Notice(topic: topic, message: $0) } }
    }

    package var revisions: Revisions { state.withLock { $0.revisions } }

    /// Puts a sentence in the place of what was said about its topic; nil: there is nothing to say any more.
    package func post(_ message: String?, about topic: Notice.Topic) {
        state.withLock { $0.messages[topic] = message }
    }

    /// Takes a sentence back, if it is still the one about its topic.
    package func withdraw(_ message: String, about topic: Notice.Topic) {
        state.withLock { state in
            if state.messages[topic] == message { state.messages[topic] = nil }
        }
    }

    /// Tells that a document has changed.
    package func advance(_ document: any WritableKeyPath<Revisions, Int> & Sendable) {
        state.withLock { $0.revisions[keyPath: document] += 1 }
    }
}
