"""Sequences of requests over one connection, for a while each way: SWATCHCAM_FUZZ_SECONDS, 15 if it is not set."""

import os

import pytest
import sequence_fuzz

SECONDS = float(os.environ.get("SWATCHCAM_FUZZ_SECONDS", "15"))


@pytest.mark.parametrize("way", sequence_fuzz.WAYS)
def test_every_request_gets_its_own_answer_and_nothing_else_gets_any(way, tmp_path):
    seed = int.from_bytes(os.urandom(4), "big")
    print()
    wrong = sequence_fuzz.run(way, tmp_path, SECONDS, seed)
    assert [f"{problem} (case {cases[0]} of seed {seed})" for problem, cases in wrong.items()] == []
