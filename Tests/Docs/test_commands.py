"""Every command block of the documents does what it says, or says why no test runs it."""

import json
import re
import subprocess
import sys

import pytest
from conftest import name_of
from documents import Block, all_blocks, text
from Harness import program
from Harness.palettes import FILES

BLOCKS = all_blocks()
NODE = int(
    subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout[1:].partition(".")[0]
)
FIRST_LINES = ["bash", "-c", '"$@" | head -n 2', "bash"]
"""Recipes that print every reading end when nobody reads what they print."""

PREAMBLE = """set -eu -o pipefail
curl() { command curl --silent --show-error --fail-with-body "$@"; }
"""


def of(*languages: str) -> list:
    return [pytest.param(block, id=name_of(block)) for block in BLOCKS if block.language in languages and block.is_run]


def said(result: subprocess.CompletedProcess) -> str:
    return f"exit status {result.returncode}\n{result.stdout}\n{result.stderr}"


def shape(printed: str) -> str:
    """What does not depend on the colour that is read."""
    printed = re.sub(r"#[0-9A-F]{6}", "#", printed)
    printed = re.sub(r"\b(good|fair|poor)\b.*", "grade", printed)
    return re.sub(r"\s+", " ", re.sub(r"-?\d+(\.\d+)?", "0", printed)).strip()


@pytest.mark.parametrize("block", [pytest.param(block, id=name_of(block)) for block in BLOCKS])
def test_a_block_has_a_language_and_a_true_marker(block: Block):
    known = {"sh", "console", "toml", "json", "yaml", "promql", "python", "js", "text", "caddy", "html"}
    assert block.language in known, (
        "Name the language of the block; sh is run, and console is a command with its output."
    )
    if block.marker.startswith("run by "):
        path, _, words = block.marker.removeprefix("run by ").partition(": ")
        assert words, "The marker is `run by FILE: TEXT`."
        assert words in block.text, f"The block does not contain {words!r}."
        assert words in text(path), f"{path} does not contain {words!r}."
    elif block.marker.startswith("not run"):
        assert re.match(r"not run: \w+", block.marker), "The marker is `not run: REASON`."


@pytest.mark.parametrize("block", of("sh"))
def test_commands_succeed(reader, block: Block):
    for line in block.text.splitlines():
        assert not line.startswith("$ "), "A command with its output is a block of the language console."
    result = reader.run(["bash", "-c"], PREAMBLE + block.text)
    assert result.returncode == 0, said(result)


@pytest.mark.parametrize("block", of("console"))
def test_commands_print_what_the_block_shows(reader, block: Block):
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)[1:]
    for command, expected in zip(parts[::2], parts[1::2], strict=True):
        result = reader.run(["bash", "-c"], PREAMBLE + command)
        assert result.returncode == 0, said(result)
        assert shape(result.stdout) == shape(expected), said(result)


@pytest.mark.parametrize("block", of("python"))
def test_python_runs(reader, block: Block):
    expect_lines(reader.run([*FIRST_LINES, sys.executable, "-u", "-c"], block.text))


@pytest.mark.parametrize("block", of("js"))
def test_javascript_runs(reader, block: Block):
    options = []
    if "WebSocket" in block.text and NODE < 22:
        if NODE < 20:
            pytest.skip(f"Node.js {NODE} has no WebSocket")
        options = ["--experimental-websocket"]
    expect_lines(reader.run([*FIRST_LINES, "node", *options, "--input-type=module", "--eval"], block.text))


def expect_lines(result: subprocess.CompletedProcess) -> None:
    assert re.search(r"#[0-9A-F]{6}|\(480, 640, 3\)", result.stdout), said(result)


@pytest.mark.parametrize("block", of("toml"))
def test_configurations_are_accepted(tmp_path, block: Block):
    config = tmp_path / "config.toml"
    code = block.text
    for number in (1, 2):
        code = code.replace('"..."', f'"secret-{number}-that-swatchcam-token-has-printed-for-this-machine"', 1)
    # The files of the machine that the block is about.
    for key, path in re.findall(r'^(\w+_file|palette|folder) = "(.*)"', code, re.MULTILINE):
        file = tmp_path / path.removeprefix("/")
        (file if key == "folder" else file.parent).mkdir(parents=True, exist_ok=True)
        if key != "folder":
            file.write_bytes(FILES.get(file.name, b""))
        code = code.replace(f'"{path}"', f'"{file}"')
    config.write_text(code)
    result = program.run("check", "--config", config)
    assert result.returncode == 0, said(result)


@pytest.mark.parametrize("block", of("json"))
def test_json_is_json(block: Block):
    code = block.text.strip()
    json.loads(code if code.startswith(("{", "[")) else f"{{{code}}}")


@pytest.mark.parametrize("block", of("yaml", "promql", "caddy"))
def test_other_blocks_are_run_by_another_test(block: Block):
    pytest.fail(f"Nothing runs this block: mark it as `run by FILE: TEXT` or `not run: REASON`.\n{block.text}")
