"""Requests and frames that nobody would send, for SWATCHCAM_FUZZ_SECONDS (30), made from SWATCHCAM_FUZZ_SEED (1)."""

import os
import pathlib
import urllib.request

import wire_fuzz

SECONDS = float(os.environ.get("SWATCHCAM_FUZZ_SECONDS", "30"))
SEED = int(os.environ.get("SWATCHCAM_FUZZ_SEED", "1"))


def test_the_server_outlives_what_nobody_would_send(server):
    count = wire_fuzz.run(server.url, SECONDS, SEED)
    print(f"\n    {count} inputs of seed {SEED}")
    assert server.process.poll() is None
    with urllib.request.urlopen(server.url + "api/reading", timeout=20) as response:
        assert response.status == 200
    resident = pathlib.Path(f"/proc/{server.process.pid}/status").read_text().split("VmRSS:")[1].split()[0]
    print(f"    {int(resident) / 1024:.1f} MiB")
    assert int(resident) < 150 * 1024
    assert "Fatal" not in server.log.read_text()
