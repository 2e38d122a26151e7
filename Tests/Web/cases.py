"""The cases that a fuzzer tries."""

import itertools
import time
from collections.abc import Iterator


def counting_for(seconds: float) -> Iterator[int]:
    """0, 1, 2 and so on, until this time is over."""
    end = time.monotonic() + seconds
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count())
