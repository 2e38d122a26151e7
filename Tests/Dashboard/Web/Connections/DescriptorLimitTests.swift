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
        "half of the descriptors are for connections; the network, this machine, and each client have their parts of them",
        arguments: [
            (64, 32, 24, 10), (1024, 512, 384, 170), (11_998, 5999, 4499, 1999), (12_000, 6000, 4500, 2000),
            (65_536, 6000, 4500, 2000),
        ])
    func shares(limit: Int, connections: Int, side: Int, server: Int) {
        let shares = DescriptorShares(of: limit)
        #expect(shares.connections == connections)
        #expect(shares.sideConnections == side)
        #expect(shares.nearbyConnections == server)
    }

    @Test(
        "half of the other descriptors are for connections that wait to be accepted, at most 1,024",
        arguments: [(64, 16), (1024, 256), (8192, 1024), (65_536, 1024)])
    func backlog(limit: Int, backlog: Int) {
        #expect(DescriptorShares(of: limit).backlog == backlog)
    }

    @Test("browsers can be served with 64 descriptors, but not with fewer", arguments: [(64, true), (63, false)])
    func areSufficient(limit: Int, isEnough: Bool) {
        #expect(DescriptorShares(of: limit).areSufficient == isEnough)
    }
}
