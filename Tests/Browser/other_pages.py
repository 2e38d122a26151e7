"""The pages besides the dashboard."""

import pytest
from Harness.cases import sampled

OTHER_PAGES = pytest.mark.parametrize(
    "path",
    sampled(
        [
            "kiosk",
            "test",
            "kiosk?show=picture",
            "kiosk?show=overlay",
            "kiosk?show=history",
            "kiosk?show=verdict",
            "measuring",
            "elsewhere",
            "calibrate",
            "absorbance",
            "wrong-address",
        ],
        2,
    ),
)
"""Runs a test with the path of each of these pages."""
