import Testing

@testable import Dashboard

@Suite("HTTP date")
struct HTTPDateTests {
    @Test(
        "a date is written in the format of RFC 9110",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (1_728_555_010, "Thu, 10 Oct 2024 10:10:10 GMT"),
            (1_798_761_600, "Fri, 01 Jan 2027 00:00:00 GMT"), (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        ])
    func text(time: Int, date: String) {
        #expect(HTTPDate.text(time) == date)
    }
}
