import Glibc
import Testing

@testable import Dashboard

@Suite("Limit of descriptors")
struct DescriptorLimitTests {
    @Test(
        "the soft limit is raised as far as the hard limit allows, but not beyond 65,536, and never lowered",
        arguments: [
            (1024, 4096, 4096), (1024, 1024, 1024), (1024, 65_535, 65_535), (1024, 65_536, 65_536),
            (1024, 1_048_576, 65_536), (70_000, 1_048_576, 70_000),
        ] as [(rlim_t, rlim_t, rlim_t)])
    func raised(soft: rlim_t, hard: rlim_t, expected: rlim_t) {
        let raised = DescriptorLimit.raised(rlimit(rlim_cur: soft, rlim_max: hard))
        #expect(raised.rlim_cur == expected)
        #expect(raised.rlim_max == hard)
    }

    @Test("raising the limit returns the limit of the process")
    func current() {
        let returned = DescriptorLimit.raise()
        var limit = rlimit()
        #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(returned == Int(clamping: limit.rlim_cur))
        #expect(DescriptorLimit.current == returned)
    }

    @Test(
        "half of the descriptors are for connections, with parts for each side and client; half of the rest wait",
        arguments: [
            (63, 31, 23, 15, 16, false), (64, 32, 24, 16, 16, true), (1024, 512, 384, 256, 256, true),
            (5998, 2999, 2249, 1499, 1024, true), (6000, 3000, 2250, 1500, 1024, true),
            (65_536, 3000, 2250, 1500, 1024, true),
        ])
    func shares(limit: Int, connections: Int, side: Int, server: Int, backlog: Int, areSufficient: Bool) {
        let shares = DescriptorShares(of: limit)
        #expect(shares.connections == connections)
        #expect(shares.sideConnections == side)
        #expect(shares.nearbyConnections == server)
        #expect(shares.backlog == backlog)
        #expect(shares.areSufficient == areSufficient)
    }
}
