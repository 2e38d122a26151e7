"""Cases of a test, of which `make test` tries some and `make test-all` all."""

from collections.abc import Sequence

import pytest


def sampled(cases: Sequence, quick: int = 1) -> list:
    """All but the first cases are marked as slow. A case that is a tuple has a value for each parameter."""
    rest = [case if isinstance(case, tuple) else (case,) for case in cases[quick:]]
    return [*cases[:quick], *(pytest.param(*case, marks=pytest.mark.slow) for case in rest)]
