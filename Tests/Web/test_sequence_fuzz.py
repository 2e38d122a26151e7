"""Random sequences of requests over one connection, made from SWATCHCAM_FUZZ_SEED (by default 1).

The case "some" sends a fixed number of them, "many" as many as SWATCHCAM_FUZZ_SECONDS (by default 15) allow.
"""

import os

import pytest
import sequence_fuzz
from cases import counting_for

SECONDS = float(os.environ.get("SWATCHCAM_FUZZ_SECONDS", "15"))
SEED = int(os.environ.get("SWATCHCAM_FUZZ_SEED", "1"))


@pytest.mark.parametrize("numbers", [range(100), pytest.param(None, marks=pytest.mark.slow)], ids=["some", "many"])
@pytest.mark.parametrize("route", sequence_fuzz.ROUTES)
def test_every_request_gets_its_own_answer_and_nothing_else_is_answered(route, numbers, tmp_path):
    print()
    wrong = sequence_fuzz.run(route, tmp_path, SEED, numbers or counting_for(SECONDS))
    assert [f"{problem} (case {cases[0]} of seed {SEED})" for problem, cases in wrong.items()] == []
