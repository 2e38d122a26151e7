/// A cell of a table. What is not known is an empty cell.
package enum CSVCell: Equatable, Sendable {
    /// A word of the program's own, such as a state or a number that is a name, which needs no quotation marks.
    case word(String?)
    /// Any other text. It is quoted, and cannot become a formula in a spreadsheet.
    case text(String?)
    case integer(Int?)
    /// A number with a fixed number of decimals.
    case number(Double?, decimals: Int)
}
