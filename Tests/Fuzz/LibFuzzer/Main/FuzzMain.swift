import CFuzzer
import Foundation

/// The program `fuzz TARGET [libFuzzer's options] [folders]`, which runs a target with libFuzzer's inputs.
@main
struct FuzzMain {
    /// The target, set once before libFuzzer starts; libFuzzer calls back only on this thread.
    nonisolated(unsafe) private static var target: (any FuzzTarget.Type)?

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let target = FuzzTargets.named(arguments[1]) else {
            print("usage: fuzz \(FuzzTargets.all.map { $0.name }.joined(separator: "|")) [-option=value] [folder]")
            exit(64)
        }
        unsafe Self.target = target
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
        guard let target = unsafe target else { return 0 }
        let input = unsafe Array(bytes)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do throws(Finding) {
                try await target.run(input)
            } catch {
                // A crash makes libFuzzer keep the input.
                fatalError("\(target.name): \(error.sentence)")
            }
            done.signal()
        }
        done.wait()
        return 0
    }
}
