"""The commands as a shell uses them: options, pipes, and the exit statuses that the manual promises."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from Harness import program
from Harness.program import PROGRAM, ROOT
from Harness.waiting import stretched

NOBODY = 65534

STATUSES = ["0", "1", "2", "64", "69", "70", "74", "77", "78"]


def listed(text: str) -> list[str]:
    return re.findall(r"\b\d\d?\b", text)


def test_the_manual_and_the_help_list_the_same_exit_statuses():
    manual = (ROOT / "docs/man/swatchcam.1").read_text()
    section = re.search(r"^\.Sh EXIT STATUS$(.*?)^\.Sh ", manual, re.MULTILINE | re.DOTALL).group(1)
    usage = program.run("--help").stdout
    assert re.findall(r"^\.It (\d+)$", section, re.MULTILINE) == STATUSES
    assert listed(usage[usage.index("Exit status:") : usage.index("USAGE:")]) == STATUSES


# The lamp of the painted scene changes by more than a tenth of 0.1, so that there is no verdict.
@pytest.mark.parametrize(("tolerance", "status"), [("30", 1), ("0.1", 2)])
def test_the_exit_status_is_the_verdict(tmp_path, tolerance, status):
    command = ["read", "--device", "test-pattern", "--target", "#00ff00", "--tolerance", tolerance, "--count", "8"]
    run = program.run(*command, cwd=tmp_path)
    assert (run.returncode, bool(run.stdout)) == (status, True), run.stderr


def test_status_shows_the_reading_of_a_healthy_server(server):
    run = program.run("status", "--config", server.config, "--port", server.port)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == f"http://127.0.0.1:{server.port}/: healthy"
    assert lines[1].startswith("State: test-pattern since 20")
    assert any(line.startswith("Colour: #") for line in lines)
    assert "Camera: Test pattern, RGB3 640x480" in lines


# MARK: Pipes


def test_a_reader_that_closes_the_pipe_ends_readings_quietly(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("[readings]\nrate = 20\n")
    command = [*PROGRAM, "read", "--config", str(config), "--device", "test-pattern", "--count", "20"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(stretched()) == 0


def run_without_reader(*arguments) -> subprocess.CompletedProcess:
    """Runs a command whose standard output is a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return program.run(*arguments, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)


def test_a_reader_that_closes_the_pipe_changes_neither_the_messages_nor_the_exit_status(tmp_path, server):
    (tmp_path / "config.toml").write_text("camera.fps = 0")
    token = run_without_reader("token")
    check = run_without_reader("check", "--config", tmp_path / "config.toml")
    status = run_without_reader("status", "--config", server.config, "--port", server.port)
    assert [(run.returncode, run.stderr) for run in (token, check, status)] == [(0, ""), (78, ""), (0, "")]


# MARK: The folder of the history


@pytest.fixture
def public_folder():
    """A folder that every user can reach, unlike pytest's own."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def check(folder: Path) -> subprocess.CompletedProcess:
    """Checks a configuration in this folder as an ordinary user."""
    # Root may write anywhere.
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    return program.run("check", "--config", folder / "config.toml", prefix=prefix)


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("file", '"{0}" is not a folder, or this user may not enter it'),
        ("read-only", 'this user may not write to the folder "{0}"; check its permissions'),
    ],
)
def test_check_finds_a_folder_of_the_history_that_cannot_be_written(public_folder, kind, problem):
    place = public_folder / "history"
    if kind == "file":
        place.write_text("")
    elif kind == "read-only":
        place.mkdir(mode=0o555)
    config = public_folder / "config.toml"
    config.write_text(f'[history]\nfolder = "{place}"\n')
    run = check(public_folder)
    assert (run.returncode, run.stderr) == (78, "")
    assert run.stdout == f"{config}:2:10: history.folder: {problem.format(place)}\n"


def test_check_accepts_a_folder_of_the_history_that_can_be_written(public_folder):
    place = public_folder / "history"
    place.mkdir()
    place.chmod(0o777)
    (public_folder / "config.toml").write_text(f'[history]\nfolder = "{place}"\n')
    assert check(public_folder).returncode == 0
    assert list(place.iterdir()) == []
