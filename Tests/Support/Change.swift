/// A change of a value, as an argument of a test beside what follows from it.
package struct Change<Value>: Sendable {
    package let apply: @Sendable (inout Value) -> Void

    package init(_ apply: @escaping @Sendable (inout Value) -> Void) { self.apply = apply }
}
