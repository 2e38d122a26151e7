/// A cell of a table. A nil value, which is not known, becomes an empty cell.
package enum CSVCell: Equatable, Sendable {
    /// A word of the program's own, such as a state or a time, which needs no quotation marks.
    case word(String?)
    /// Any other text. It is quoted, and cannot become a formula in a spreadsheet.
    case text(String?)
    case integer(Int?)
    /// A number with a fixed number of decimals.
    case number(Double?, decimals: Int)
}
