import FlyingFox
import Readings

extension HTTPRequest {
    /// Returns the format of the requested table, from the parameters `separator` and `decimal`.
    /// - Throws: An `HTTPError` if they are invalid.
    func tableFormat() throws(HTTPError) -> CSVFormat {
        let (separator, point) = (parameter("separator") ?? ",", parameter("decimal") ?? ".")
        guard let format = CSVFormat(separator: separator, decimalPoint: point) else { throw .badTable }
        return format
    }
}

extension HTTPError {
    fileprivate static let badTable = HTTPError(
        status: .badRequest, code: "bad-table",
        message: "separator must be a comma, a semicolon or a tab, and decimal a point or a comma, but not the same.")
}
