import ArgumentParser
import Testing

@testable import Configuration
@testable import Swatchcam

@Suite("Exit statuses")
struct FailureTests {
    @Test(
        "each kind of failure has its exit status of sysexits.h",
        arguments: zip(
            [Swatchcam.ExitStatus.usage, .unavailable, .internalError, .inputOutput, .noPermission, .configuration],
            [64, 69, 70, 74, 77, 78] as [Int32]))
    func statuses(status: Swatchcam.ExitStatus, number: Int32) {
        #expect(status.rawValue == number)
    }

    @Test("a problem on the command line is wrong usage; one in the file is a wrong configuration")
    func configuration() {
        let option = ConfigProblem(key: "--port", message: "is bad")
        let key = ConfigProblem(file: "a.toml", key: "web.port", message: "is bad")
        let file = ConfigProblem(file: "a.toml", message: "is bad")
        #expect(Failure(ConfigError([option, option]))?.status == .usage)
        #expect(Failure(ConfigError([option, key]))?.status == .configuration)
        #expect(Failure(ConfigError(file))?.status == .configuration)
        #expect(Failure(ConfigError(key))?.message == "a.toml: web.port: is bad")
    }

    @Test("the errors of ArgumentParser are left to it")
    func others() {
        #expect(Failure(ExitCode(3)) == nil)
        #expect(Failure(ValidationError("No.")) == nil)
    }
}
