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
