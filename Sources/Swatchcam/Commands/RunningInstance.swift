import ArgumentParser
import Configuration
import Dashboard
import FoundationEssentials

/// The options of the commands that make a request to the running instance.
struct AddressOptions: ParsableArguments {
    @Option(help: "The address that the running Swatchcam listens on.")
    var address: String?

    @Option(help: "The port that the running Swatchcam listens on.")
    var port: String?

    var overrides: ConfigOverrides { ConfigOverrides(address: address, port: port) }
}

/// The running instance, as a command asks it for something that may require web.token.
struct RunningInstance {
    let client: InstanceClient
    /// What to do without the token: the beginning of a sentence.
    let alternative: String
    /// The request that the token is needed for.
    let method: String
    let path: String

    /// The failure if a token is required. It is never sent, because any program may be listening at the address.
    var tokenNeeded: Failure {
        Failure(
            status: .noPermission,
            message: "\(client.address): web.token is never sent. \(alternative) on the page, or with a request that "
                + "carries the token: \(method) http://\(client.address)\(path)")
    }

    func failure(_ message: String) -> Failure {
        Failure(status: .unavailable, message: "\(client.address): \(message)")
    }

    /// Returns what the instance has answered.
    /// - Throws: `Failure` if it has not, or if it refuses the request.
    func decoded<Value: Decodable>(_ response: InstanceResponse?) throws(Failure) -> Value {
        guard let response else { throw failure("Swatchcam does not answer. Start it with: swatchcam serve") }
        if let refusal = ErrorReport(response) {
            throw refusal.concernsToken ? tokenNeeded : failure(refusal.message)
        }
        guard let value = response.decoded(as: Value.self) else {
            throw failure("another program answers there (\(response.status))")
        }
        return value
    }
}
