import Assets
import Foundation

extension Pages {
    /// A file of `Resources/`, as a page names it.
    struct ResourceName: Equatable, Sendable {
        /// Below `Resources/`.
        var path: String
        /// Whether this name can only ever mean this content.
        var isLasting: Bool

        /// A name for all embedded files together, which is another one when any of them is: relative imports among them
        /// need no names of their own.
        static let lasting: String = {
            let files = Assets.files(in: "Resources").sorted { $0.key < $1.key }
            let tags = files.map { "\($0.key) \(Asset(content: $0.value).entityTag)" }.joined(separator: "\n")
            return "v-" + Asset(content: Data(tags.utf8)).entityTag.filter { $0.isLetter || $0.isNumber }
        }()
    }

    /// The file that a path means; nil: it means none.
    /// - Parameter path: as it was sent, never decoded.
    static func resourceName(at path: String) -> ResourceName? {
        let folder = "/resources/"
        guard path.hasPrefix(folder) else { return nil }
        let name = path.dropFirst(folder.count)
        guard name.hasPrefix(ResourceName.lasting + "/") else {
            return ResourceName(path: String(name), isLasting: false)
        }
        return ResourceName(path: String(name.dropFirst(ResourceName.lasting.count + 1)), isLasting: true)
    }
}
