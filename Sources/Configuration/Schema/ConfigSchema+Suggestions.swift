extension ConfigSchema {
    /// Keys of earlier versions, with what to do about each.
    private static let formerKeys = [
        "camera.decode": "Delete it: every frame is decoded in full",
        "web.embedders": "It is now called web.frame_ancestors",
        "web.hosts": "It is now called web.allowed_hosts",
        "web.viewToken": "It is now called web.view_token",
    ]

    /// Returns the message about a key that does not exist.
    static func unknown(_ path: [String], isTable: Bool) -> String {
        let what = isTable ? "unknown table" : "unknown key"
        if let advice = formerKeys[path.joined(separator: ".")] { return "\(what). \(advice)" }
        if let nearest = nearest(to: path, isTable: isTable) { return "\(what). Did you mean \(nearest)?" }
        let table = Array(path.dropLast())
        let siblings = table.isEmpty ? [] : keys.filter { $0.table == table }.map(\.leaf)
        if !siblings.isEmpty { return "\(what). [\(table.joined(separator: "."))] has \(siblings.enumeration)" }
        return "\(what). The tables are \(tables.map { $0.joined(separator: ".") }.enumeration)"
    }

    /// Returns the key, or `[table]`, that the user most likely meant: one with a similar name in the same table, or
    /// with the same name in another table.
    static func nearest(to path: [String], isTable: Bool) -> String? {
        guard let leaf = path.last.map(normalized), (1...40).contains(leaf.count) else { return nil }
        let written = normalized(path.joined(separator: "."))
        guard written.count <= 80 else { return nil }
        if isTable, let table = nearestTable(to: written) { return "[\(table)]" }
        let table = Array(path.dropLast())
        let candidates = keys.compactMap { key -> (name: String, distance: Int)? in
            let whole = editDistance(written, key.name)
            let distance = editDistance(leaf, key.leaf)
            if table == key.table { return distance <= tolerance(leaf) ? (key.name, distance) : nil }
            // In another table the name must be nearly the same. Anything else would be a guess.
            if whole <= 1 || distance == 0 || (distance == 1 && leaf.count >= 4) { return (key.name, distance + 1) }
            return nil
        }
        return candidates.min { $0.distance < $1.distance }?.name
    }

    private static func nearestTable(to written: String) -> String? {
        (tables + keys.filter(\.isTable).map(\.path)).map { $0.joined(separator: ".") }
            .map { (name: $0, distance: editDistance(written, $0)) }
            .filter { $0.distance <= tolerance(written) }
            .min { $0.distance < $1.distance }?.name
    }

    /// Returns the number of typing errors with which a word is still recognised.
    private static func tolerance(_ word: String) -> Int {
        switch word.count {
        case ...4: 1
        case ...8: 2
        default: 3
        }
    }

    private static func normalized(_ name: String) -> String {
        String(name.lowercased().map { $0 == "-" ? "_" : $0 })
    }
}

extension [String] {
    /// `a, b and c`
    var enumeration: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

/// Returns the Damerau-Levenshtein distance of two words, in its optimal string alignment form.
///
/// It is the number of insertions, deletions, substitutions and swaps of neighbours that turn one word into the other,
/// if no part is edited twice.
package func editDistance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
        var current = [i] + [Int](repeating: 0, count: b.count)
        for j in 1...b.count {
            let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
            current[j] = min(last[j] + 1, current[j - 1] + 1, substitution)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                current[j] = min(current[j], beforeLast[j - 2] + 1)
            }
        }
        (beforeLast, last) = (last, current)
    }
    return last[b.count]
}
