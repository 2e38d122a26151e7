import Testing
@Suite struct Skeleton { @Test func builds() { #expect(Bool(true)) } }
