import Synchronization

/// A sentence for a person about the state of the program.
package struct Notice: Equatable, Sendable {
    /// The subject of a notice. There is at most one notice about each topic at a time.
    package enum Topic: String, CaseIterable, JSONWritable, Sendable {
        /// No camera was found, so the test pattern stands in for one.
        case camera
        /// The camera granted a format, size or rate other than the configured one.
        case negotiated
        /// The camera declares a transfer function or primaries that Swatchcam does not follow.
        case colorimetry
        /// The camera refused values of controls that the configuration, a reset or an unlocking wanted.
        case controls
        /// An automatic control of the camera may change the colour.
        case automatic
        /// The folder of the history cannot be written to.
        case history
        /// Files of the state folder or the history were put aside, because Swatchcam did not write them as they are,
        /// or nothing is kept.
        case storage
        /// The palette cannot be read.
        case palette
        /// There is no connection to the broker.
        case broker
        /// Events cannot be sent to the webhook.
        case events
        /// The outcome of the last edit to the configuration file, or the message that the file is gone.
        case configuration
        /// A change of the configuration that takes effect after a restart.
        case restart
    }

    package var topic: Topic
    /// The sentence, which may be followed by more lines.
    package var message: String

    package init(topic: Topic, message: String) { (self.topic, self.message) = (topic, message) }
}

/// The notices that currently apply. Any thread may post them; every reading carries them.
package final class Notices: Sendable {
    private let messages = Mutex<[Notice.Topic: String]>([:])

    package init() {}

    /// The current notices, in the order of their topics.
    package var all: [Notice] {
        let messages = messages.withLock(\.self)
        return Notice.Topic.allCases.compactMap { topic in messages[topic].map { Notice(topic: topic, message: $0) } }
    }

    /// Replaces the notice about a topic; nil removes it.
    package func post(_ message: String?, about topic: Notice.Topic) {
        messages.withLock { $0[topic] = message }
    }

    /// The length from which a notice takes no further sentence, in bytes.
    private static let maxLength = 4096

    /// Adds a sentence to the notice about a topic, unless it has been added.
    package func add(_ sentence: String, about topic: Notice.Topic) {
        messages.withLock { messages in
            let message = messages[topic] ?? ""
            guard !message.contains(sentence), message.utf8.count < Self.maxLength else { return }
            messages[topic] = message.isEmpty ? sentence : "\(message) \(sentence)"
        }
    }

    /// Removes a notice, unless another one has replaced it.
    package func withdraw(_ message: String, about topic: Notice.Topic) {
        messages.withLock { messages in
            if messages[topic] == message { messages[topic] = nil }
        }
    }
}
