"""Sequences of requests over one connection, each way for SWATCHCAM_FUZZ_SECONDS (15), from SWATCHCAM_FUZZ_SEED (1)."""

import os

import pytest
import sequence_fuzz

SECONDS = float(os.environ.get("SWATCHCAM_FUZZ_SECONDS", "15"))
SEED = int(os.environ.get("SWATCHCAM_FUZZ_SEED", "1"))


@pytest.mark.parametrize("way", sequence_fuzz.WAYS)
def test_every_request_gets_its_own_answer_and_nothing_else_gets_any(way, tmp_path):
    print()
    wrong = sequence_fuzz.run(way, tmp_path, SECONDS, SEED)
    assert [f"{problem} (case {cases[0]} of seed {SEED})" for problem, cases in wrong.items()] == []
