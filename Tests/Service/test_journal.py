"""What a person finds in the journal, with journalctl's own means: by priority, by time."""

import json
import re

import pytest
import service


@pytest.fixture
def entry(boot):
    """What it said when there was no camera yet: a warning."""
    lines = service.journal("--output", "json", "--identifier", "swatchcam").splitlines()
    entries = [json.loads(line) for line in lines]
    return next(entry for entry in entries if "No camera found" in entry["MESSAGE"])


def test_a_warning_has_its_priority(entry):
    assert entry["PRIORITY"] == "4"


def test_an_entry_has_one_time_the_journals(entry):
    assert not re.search(r"\d\d:\d\d:\d\d", entry["MESSAGE"])
