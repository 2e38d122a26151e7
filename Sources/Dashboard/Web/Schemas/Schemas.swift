import Documents

/// What requests and answers consist of, as docs/openapi.json describes it: the fields of documents that are declared in
/// lists, and what clients send. A test writes that file from these and from the routes.
enum Schemas {
    static let all = [
        readings, values, targets, probes, scales, samples, history, absorbance, calibration, cameras, program,
    ].flatMap(Array.init)
}
