import CFuzzer
import Foundation

/// The program `fuzz DRIVER [libFuzzer's options] [folders]`, which runs a driver with libFuzzer's inputs.
@main
struct FuzzMain {
    /// The driver, set once before libFuzzer starts; libFuzzer calls back only on this thread.
    nonisolated(unsafe) private static var driver: (any FuzzDriver.Type)?

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let driver = FuzzDrivers.named(arguments[1]) else {
            print("usage: fuzz \(FuzzDrivers.all.map { $0.name }.joined(separator: "|")) [-option=value] [folder]")
            exit(64)
        }
        unsafe Self.driver = driver
        // libFuzzer uses the arguments as long as the program runs.
        let texts = unsafe ([arguments[0]] + arguments[2...]).map { unsafe strdup($0) } + [nil]
        let copies = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count)
        _ = unsafe copies.initialize(from: texts)
        var count = Int32(texts.count - 1)
        var start = unsafe copies.baseAddress
        let status = unsafe LLVMFuzzerRunDriver(&count, &start) { bytes, count in
            unsafe FuzzMain.run(UnsafeBufferPointer(start: bytes, count: count))
        }
        exit(status)
    }

    private static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let driver = unsafe driver else { return 0 }
        let input = unsafe Array(bytes)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do throws(Finding) {
                try await driver.run(input)
            } catch {
                // A crash makes libFuzzer keep the input.
                fatalError("\(driver.name): \(error.sentence)")
            }
            done.signal()
        }
        done.wait()
        return 0
    }
}
