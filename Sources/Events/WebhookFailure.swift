import CCurl
import Untrusted

/// The reason why an event could not be sent to the webhook.
enum WebhookFailure: Error, Equatable {
    /// libcurl cannot be loaded: what the loader says.
    case library(String)
    case noMemory
    /// The token cannot be read: a sentence.
    case token(String)
    /// There is no machine of this name, or no name server.
    case unknownName(place: String)
    /// Nothing listens there, or the network does not lead there: what the library says.
    case unreachable(place: String, String)
    case noAnswer(place: String)
    case closed(place: String)
    case untrusted(place: String, String)
    case noTLS(place: String, String)
    /// The response leads to another scheme.
    case redirectedScheme(place: String, isEncrypted: Bool)
    case redirected(place: String)
    /// The response has another status than success.
    case status(Int, place: String, hasToken: Bool)
    case tooLong(place: String)
    /// Something else: what the library says.
    case other(place: String, String)

    /// - Returns: Nil if the request was successful, or was cancelled.
    init?(_ outcome: WebhookRequest.Outcome, place: String, isEncrypted: Bool, hasToken: Bool) {
        let text = outcome.message.trimmed.sanitized(limit: 200)
        switch outcome.code {
        case SWATCHCAM_CURL_OK where 200...299 ~= outcome.status: return nil
        case SWATCHCAM_CURL_OK: self = .status(outcome.status, place: place, hasToken: hasToken)
        case SWATCHCAM_CURL_CANCELLED: return nil
        case SWATCHCAM_CURL_NO_MEMORY: self = .noMemory
        case SWATCHCAM_CURL_NO_HOST: self = .unknownName(place: place)
        case SWATCHCAM_CURL_NO_CONNECTION: self = .unreachable(place: place, text)
        case SWATCHCAM_CURL_TIMEOUT: self = .noAnswer(place: place)
        case SWATCHCAM_CURL_EMPTY: self = .closed(place: place)
        case SWATCHCAM_CURL_CERTIFICATE: self = .untrusted(place: place, text)
        case SWATCHCAM_CURL_TLS: self = .noTLS(place: place, text)
        case SWATCHCAM_CURL_UNSUPPORTED_PROTOCOL:
            self = .redirectedScheme(place: place, isEncrypted: isEncrypted)
        case SWATCHCAM_CURL_REDIRECTS: self = .redirected(place: place)
        case SWATCHCAM_CURL_WRITE: self = .tooLong(place: place)
        default: self = .other(place: place, text.isEmpty ? "libcurl says \(outcome.code)" : text)
        }
    }

    /// Whether the receiver has refused this event for good, so that sending it again would not help.
    var isFinal: Bool {
        switch self {
        // A wrong token or address will be corrected; 408, 425 and 429 ask to be tried again.
        case .status(let status, _, _): 400...499 ~= status && ![401, 403, 404, 407, 408, 425, 429].contains(status)
        default: false
        }
    }
}

extension WebhookFailure: CustomStringConvertible {
    /// What happened, and what to do about it.
    var description: String {
        switch self {
        case .library(let reason) where reason.contains("No such file"):
            "The webhook requires libcurl, which is not installed. Run: apt install libcurl4"
        case .library(let reason): "libcurl cannot be loaded: \(reason.sanitized(limit: 200))."
        case .noMemory: "There is no memory for a connection to the webhook."
        case .token(let sentence): sentence
        case .unknownName(let place):
            "The address of \(place) cannot be looked up. Correct events.webhook, or check the network."
        case .unreachable(let place, let reason):
            "\(place) cannot be reached: \(reason). Start the receiver, or correct events.webhook."
        case .noAnswer(let place): "\(place) does not answer in time. Check that the receiver is running."
        case .closed(let place):
            "\(place) ends the connection without an answer. Check the port, or whether it expects https."
        case .untrusted(let place, let reason):
            "The certificate of \(place) is not accepted: \(reason). It must be valid for this name, and signed by a CA that "
                + "this system knows."
        case .noTLS(let place, let reason):
            "\(place) does not agree on an encrypted connection: \(reason). Check the port, or whether it expects http."
        case .redirectedScheme(let place, let isEncrypted):
            "\(place) redirects to another scheme than \(isEncrypted ? "https" : "http"), which is not followed. "
                + "Write the address that it redirects to in events.webhook."
        case .redirected(let place):
            "\(place) redirects again and again. Write the address of the receiver in events.webhook."
        case .status(let status, let place, let hasToken) where [401, 403].contains(status):
            "\(place) refuses access (\(status)). "
                + (hasToken
                    ? "Check the token in events.webhook_token_file."
                    : "If it requires a token, write it into a file, and name that in events.webhook_token_file.")
        case .status(404, let place, _): "\(place) does not know the address (404). Correct events.webhook."
        case .status(429, let place, _): "\(place) receives too many requests (429). They are sent again later."
        case .status(let status, let place, _) where 500...599 ~= status:
            "\(place) has failed to receive an event (\(status)). Look into the log of the receiver."
        case .status(let status, let place, _):
            "\(place) does not accept an event (\(status)). Check that events.webhook is the address of the receiver."
        case .tooLong(let place): "\(place) answers with more than 256 KiB. Check that events.webhook is a receiver."
        case .other(let place, let reason): "The connection to \(place) fails: \(reason)."
        }
    }
}
