"""Test cases, of which `make test` runs some and `make test-all` runs all."""

from collections.abc import Sequence

import pytest


def sampled(cases: Sequence, quick: int = 1) -> list:
    """Marks all but the first `quick` cases as slow. A case that is a tuple holds one value for each parameter."""
    rest = [case if isinstance(case, tuple) else (case,) for case in cases[quick:]]
    return [*cases[:quick], *(pytest.param(*case, marks=pytest.mark.slow) for case in rest)]
