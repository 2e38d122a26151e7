"""Mutated requests and frames, made from SWATCHCAM_FUZZ_SEED (by default 1).

The case "some" sends a fixed number of them, "many" as many as SWATCHCAM_FUZZ_SECONDS (by default 30) allow.
"""

import os

import pytest
import wire_fuzz
from cases import counting_for
from Harness import process

SECONDS = float(os.environ.get("SWATCHCAM_FUZZ_SECONDS", "30"))
SEED = int(os.environ.get("SWATCHCAM_FUZZ_SEED", "1"))


@pytest.mark.parametrize("numbers", [range(200), pytest.param(None, marks=pytest.mark.slow)], ids=["some", "many"])
def test_the_server_survives_mutated_requests_and_frames(server, numbers):
    count = wire_fuzz.run(server.url, SEED, numbers or counting_for(SECONDS))
    print(f"\n    {count} inputs of seed {SEED}, {process.resident(server.pid):.1f} MiB")
    assert server.reading()["state"] == "test-pattern"
    assert process.resident(server.pid) < 150
    assert "Fatal" not in server.logged()
