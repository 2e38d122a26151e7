import Foundation
import TestSupport
import Testing

@testable import Metrology

@Suite(
    "Statistics compared with SciPy and NumPy",
    .enabled(if: Python.mayRun, "there is no .venv with SciPy; make unit creates it"))
struct StatisticsReferenceTests {
    @Test("distributions and quantiles are those of SciPy to nine digits")
    func distributions() throws {
        var queries: [Query] = []
        for freedom in [1, 1.5, 2.76, 3, 7, 15, 31, 200, 5000] {
            for p in [0.0001, 0.025, 0.3, 0.9, 0.975, 0.9875, 0.9999] {
                queries.append(Query("tQuantile", [p, freedom], StudentsT.quantile(p, degreesOfFreedom: freedom)))
                queries.append(
                    Query("chiSquaredQuantile", [p, freedom], ChiSquared.quantile(p, degreesOfFreedom: freedom)))
            }
            for x in [0.01, 0.5, 1, 3, 10, 100] {
                queries.append(Query("t", [-x, freedom], StudentsT.cumulative(-x, degreesOfFreedom: freedom)))
                queries.append(Query("t", [x, freedom], StudentsT.cumulative(x, degreesOfFreedom: freedom)))
                queries.append(
                    Query("chiSquared", [x, freedom], ChiSquared.cumulative(x, degreesOfFreedom: freedom)))
                queries.append(Query("fTail", [x, 3, freedom], FDistribution.tail(x, 3, freedom)))
                queries.append(Query("fTail", [x, 1, freedom], FDistribution.tail(x, 1, freedom)))
            }
        }
        for p in [1e-9, 0.025, 0.4, 0.5, 0.8, 0.975, 0.999] {
            queries.append(Query("normalQuantile", [p], Normal.quantile(p)))
        }
        for z in [-8, -1.96, 0, 0.5, 3] { queries.append(Query("normal", [z], Normal.cumulative(z))) }
        try compare(queries, within: 1e-9)
    }

    @Test("the distance of a normal vector around a point has a non-central chi-squared distribution")
    func distance() throws {
        let lengths = [0.1, 1, 2.5, 4, 12]
        try compare(
            lengths.flatMap { length in
                [0, 1e-6, 1e-4, 0.01, 0.5, 1, 3, 10].map { distance in
                    Query(
                        "distance", [length, distance], DistanceFromPoint.cumulative(length, distance: distance))
                }
            }, within: 1e-9)
    }

    @Test("Howe's tolerance factors are within 1.5 percent of the exact ones for 5 to 100 parts")
    func toleranceFactor() throws {
        try compare(
            [5, 6, 8, 10, 20, 50, 100].map {
                Query(
                    "toleranceFactor", [Double($0), 0.99, 0.95],
                    ToleranceFactor.twoSided(count: $0, share: 0.99, confidence: 0.95))
            }, within: 0.015)
    }

    @Test("the eigenvalues of symmetric matrices are those of NumPy")
    func eigenvalues() throws {
        var random = SeededGenerator(seed: 1)
        var matrices = (0..<50).map { _ in
            Symmetric3(diagonal: .random(in: -2...2, using: &random), others: .random(in: -1...1, using: &random))
        }
        matrices += [.zero, Symmetric3(diagonal: SIMD3(1, 1, 1), others: .zero)]
        matrices.append(Symmetric3(diagonal: SIMD3(1, 1, 1), others: SIMD3(1, 1, 1)))
        try compare(
            matrices.map { matrix in
                let values = matrix.principalAxes.values
                return Query(
                    "eigenvalues", list: [Self.list(matrix.diagonal), Self.list(matrix.others)],
                    Self.list(values).sorted())
            }, within: 1e-12)
    }

    @Test("weighted lines, Fieller's intervals and the test of linearity are those of NumPy and SciPy")
    func lines() throws {
        var random = SeededGenerator(seed: 2)
        var queries: [Query] = []
        for count in [4, 5, 6, 9, 30] {
            for hasRepeats in [false, true] {
                let x = (0..<count).map { Double(hasRepeats ? $0 / 2 : $0) + 0.5 }
                let y = x.map { 0.1 + 0.3 * $0 - 0.01 * $0 * $0 + random.normal() * 0.02 }
                let weights = x.map { _ in Double.random(in: 0.1...10, using: &random) }
                let line = try #require(StraightLine(x: x, y: y, weights: weights))
                queries.append(
                    Query(
                        "line", list: [x, y, weights],
                        [line.slope, line.intercept, line.slopeError, line.interceptError, line.rSquared]))
                let linearity = Linearity(x: x, y: y, weights: weights)
                if let linearity, x.count > 4 || !hasRepeats {
                    queries.append(Query("lackOfFit", list: [x, y, weights], [linearity.probability]))
                }
                if let result = line.inverse(of: 0.5, weight: 2) {
                    queries.append(
                        Query("fieller", list: [x, y, weights], numbers: [0.5, 2], [result.low, result.high]))
                }
            }
        }
        #expect(queries.count > 22)
        try compare(queries, within: 1e-8)
    }

    private static func list(_ vector: SIMD3<Double>) -> [Double] { [vector.x, vector.y, vector.z] }

    /// A figure of ours and the function of the reference that computes it, too.
    private struct Query: Encodable {
        let name: String
        var lists: [[Double]] = []
        var numbers: [Double] = []
        let found: [Double]

        init(_ name: String, _ numbers: [Double], _ found: Double) {
            (self.name, self.numbers, self.found) = (name, numbers, [found])
        }

        init(_ name: String, list: [[Double]], numbers: [Double] = [], _ found: [Double]) {
            (self.name, lists, self.numbers, self.found) = (name, list, numbers, found)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(name)
            var arguments = container.nestedUnkeyedContainer()
            for list in lists { try arguments.encode(list) }
            for number in numbers { try arguments.encode(number) }
        }
    }

    /// Expects each figure to differ from that of the reference by no more than a share of it, or of 1 if it is less.
    private func compare(_ queries: [Query], within tolerance: Double) throws {
        let answers = try answers(to: queries)
        try #require(answers.count == queries.count)
        for (query, expected) in zip(queries, answers) {
            try #require(query.found.count == expected.count)
            for (found, expected) in zip(query.found, expected) {
                #expect(
                    abs(found - expected) <= tolerance * max(1, abs(expected)),
                    "\(query.name) of \(query.lists) \(query.numbers): \(found) instead of \(expected)")
            }
        }
    }

    private func answers(to queries: [Query]) throws -> [[Double]] {
        let process = Process()
        let (source, output) = (Pipe(), Pipe())
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        process.executableURL = Python.executable
        process.arguments = [
            folder.deletingLastPathComponent().appending(path: "Reference/statistics_reference.py").path
        ]
        (process.standardInput, process.standardOutput) = (source, output)
        try process.run()
        try source.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(queries))
        try source.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode([[Double]].self, from: text)
    }
}

@Suite("Quantiles of Student's t")
struct StudentsTTests {
    @Test("a quantile is the same when it is asked for again, also after more of them than are kept")
    func again() {
        let freedoms = (0..<600).map { 1 + Double($0) / 7 }
        func quantiles(_ p: Double) -> [Double] { freedoms.map { StudentsT.quantile(p, degreesOfFreedom: $0) } }
        let first = quantiles(0.975)
        #expect(quantiles(0.975) == first)
        #expect(zip(quantiles(0.99), first).allSatisfy { $0 > $1 })
        #expect(quantiles(0.025) == first.map { -$0 })
    }
}
