import Foundation

extension Reading {
    /// The reading as everyone gets it: one line, every key, in the contract's order.
    func json() -> Data { Data(jsonText().utf8) }

    /// `json()` as text.
    func jsonText() -> String {
        var json = JSONText()
        json.object { json in
            json.member("sequence", sequence)
            json.member("time", time.timestamp)
            json.member("state", state.rawValue)
            json.member("message", message)
            json.member("hex", hex)
            json.object("rgb", rgb) { json, rgb in
                json.member("r", rgb.r)
                json.member("g", rgb.g)
                json.member("b", rgb.b)
            }
            json.object("mean", mean) { json, mean in
                json.member("r", mean.r, decimals: 4)
                json.member("g", mean.g, decimals: 4)
                json.member("b", mean.b, decimals: 4)
            }
            json.member("brightness", brightness, decimals: 4)
            json.member("textColor", textColor)
            json.object("frame", frame) { json, frame in
                json.member("sequence", frame.sequence)
                json.member("width", frame.width)
                json.member("height", frame.height)
                json.member("format", frame.format)
                json.member("ageMs", frame.ageMs, decimals: 1)
            }
            json.object("camera", camera) { json, camera in
                json.member("id", camera.id)
                json.member("name", camera.name)
                json.member("device", camera.device)
            }
            json.object("rate", rate) { json, rate in
                json.member("capture", rate.capture, decimals: 2)
                json.member("reading", rate.reading, decimals: 2)
            }
            json.member("dropped", dropped)
        }
        return json.text
    }
}

extension Date {
    /// ISO 8601 in UTC with three decimals, `2026-11-20T19:30:00.250Z`, rounded to the nearest millisecond.
    var timestamp: String {
        // 9999 is the last year of four digits.
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        let bounded = Int(max(0, min(milliseconds.isFinite ? milliseconds : 0, 253_402_300_799_999)))
        let seconds = Date(timeIntervalSince1970: Double(bounded / 1000)).formatted(.iso8601)
        let fraction = String(1000 + bounded % 1000).dropFirst()
        return seconds.dropLast() + "." + fraction + "Z"
    }
}
