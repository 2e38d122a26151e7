"""The journal's entries: their priorities and times."""

import json
import re

import pytest
import service


@pytest.fixture
def entry(boot):
    """The warning that there was no camera at first."""
    lines = service.journal("--output", "json", "--identifier", "swatchcam").splitlines()
    entries = [json.loads(line) for line in lines]
    return next(entry for entry in entries if "No camera found" in entry["MESSAGE"])


def test_a_warning_has_the_priority_of_a_warning(entry):
    assert entry["PRIORITY"] == "4"


def test_a_journal_entry_does_not_repeat_the_time(entry):
    assert not re.search(r"\d\d:\d\d:\d\d", entry["MESSAGE"])
