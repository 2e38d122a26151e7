"""Wrong command lines and configurations get a message and an exit status. No camera is needed."""

import dataclasses
import re

import bad_inputs
import program
import pytest


def assert_refused(case, result):
    """Asserts a refusal as the case says, not a crash. Nothing is on stdout, except the problems that `check` finds."""
    said, silent = result.stderr, result.stdout
    if "check" in case.arguments and case.status == 78:
        said, silent = silent, said
    assert result.returncode == case.status, f"status {result.returncode}: {said}"
    assert silent == "", f"on the wrong stream: {silent}"
    missing = [fragment for fragment in case.fragments if fragment.lower() not in said.lower()]
    assert not missing, f"{missing} not in: {said}"


@pytest.mark.parametrize("case", bad_inputs.COMMAND_LINES, ids=lambda case: case.input)
def test_a_wrong_command_line_is_refused(case):
    assert_refused(case, case.run())


@pytest.mark.parametrize("case", bad_inputs.CONFIGS, ids=lambda case: case.input)
def test_a_wrong_configuration_is_refused_in_one_line(case):
    result = case.run()
    assert_refused(case, result)
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr


@pytest.mark.parametrize("arguments", [("serve",), ("check",)], ids=" ".join)
def test_other_commands_refuse_a_wrong_configuration_too(arguments):
    """`serve` does not start with the valid part of a configuration."""
    case = bad_inputs.config("[camera]\nfps = 900", "config.toml:2:", "camera.fps", "1...240")
    case = dataclasses.replace(case, arguments=arguments)
    assert_refused(case, case.run())


def test_all_problems_are_reported_together():
    case = bad_inputs.config(
        "[camera]\nfps = 900\nfsp = 15\n[web]\nport = 70000", "camera.fps", "camera.fsp", "web.port"
    )
    result = case.run()
    assert_refused(case, result)
    assert re.findall(r"config\.toml:(\d+):\d+: ", result.stderr) == ["2", "3", "5"]


def test_a_valid_configuration_is_accepted(tmp_path):
    path = program.config(tmp_path, "test-pattern")
    result = program.run("check", "--config", path)
    assert result.returncode == 0, result.stderr
