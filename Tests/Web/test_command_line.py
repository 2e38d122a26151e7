"""The commands as a shell uses them: options, pipes, and the exit statuses that the manual promises."""

import json
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

EXAMPLES = {
    "0": ["token"],
    "1": ["read", "--device", "test-pattern", "--target", "#00ff00", "--tolerance", "30", "--count", "8"],
    "2": ["read", "--device", "test-pattern", "--target", "#00ff00", "--tolerance", "0.1", "--count", "8"],
    "64": ["--colour"],
    "69": ["read", "--device", "/dev/video-none"],
    "74": ["token"],
    "77": ["sample"],
    "78": ["check"],
}
"""A command for each exit status. Some of them fail because of what `run_example` sets up. The lamp of the painted scene
changes by more than a tenth of 0.1, so that there is no verdict."""

STATUSES = sorted([*EXAMPLES, "70"], key=int)
"""All exit statuses. 70 stands for a defect or for a lack of descriptors, neither of which can be provoked reliably."""


@pytest.fixture
def run_example(tmp_path, guarded):
    """A function that runs the example of an exit status where it has that status."""

    def run(status: str) -> subprocess.CompletedProcess:
        command = EXAMPLES[status]
        if status == "74":
            with Path("/dev/full").open("wb") as full:
                return program.run(*command, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        if status == "77":
            return program.run(*command, "--config", guarded.config, "--port", guarded.port)
        (tmp_path / "config.toml").write_text("camera.fps = 0" if status == "78" else "")
        return program.run(*command, cwd=tmp_path)

    return run


def listed(text: str) -> list[str]:
    return re.findall(r"\b\d\d?\b", text)


def test_the_manual_and_the_help_list_the_same_exit_statuses():
    manual = (ROOT / "docs/man/swatchcam.1").read_text()
    section = re.search(r"^\.Sh EXIT STATUS$(.*?)^\.Sh ", manual, re.MULTILINE | re.DOTALL).group(1)
    usage = program.run("--help").stdout
    assert re.findall(r"^\.It (\d+)$", section, re.MULTILINE) == STATUSES
    assert listed(usage[usage.index("Exit status:") : usage.index("USAGE:")]) == STATUSES


@pytest.mark.parametrize("status", EXAMPLES)
def test_a_command_has_each_exit_status_of_the_manual(run_example, status):
    run = run_example(status)
    assert str(run.returncode) == status, run.stderr
    # The problems of a configuration are the data of `check`, and verdicts are those of `read`.
    assert bool(run.stderr or status in {"1", "2", "78"} and run.stdout) == (status != "0")


# MARK: Pipes


@pytest.mark.parametrize(
    "options",
    [
        ["--count", "20"],
        ["--count", "20", "--json"],
        ["--count", "20", "--format", "lab"],
        ["--every", "1s"],
        ["--csv"],
    ],
    ids=" ".join,
)
def test_a_reader_that_closes_the_pipe_ends_readings_quietly(tmp_path, options):
    config = tmp_path / "config.toml"
    config.write_text("[readings]\nrate = 20\n")
    command = [*PROGRAM, "read", "--config", str(config), "--device", "test-pattern", *options]
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


# MARK: Options


@pytest.mark.parametrize("command", ["check", "status"])
@pytest.mark.parametrize("option", [["--device", "test-pattern"], ["--log-level", "debug"]], ids=lambda it: it[0])
def test_a_command_refuses_an_option_that_it_would_ignore(command, option):
    run = program.run(command, *option)
    assert run.returncode == 64
    assert f"Unknown option '{option[0]}'" in run.stderr


def test_the_running_instance_takes_no_sample_with_another_camera(server):
    run = program.run("sample", "--config", server.config, "--port", server.port, "--device", "test-pattern")
    assert (run.returncode, run.stdout) == (64, "")
    assert run.stderr.startswith(f"--device: Swatchcam is running at 127.0.0.1:{server.port}, and takes the sample")


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
        ("missing", 'there is no folder "{0}"'),
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


# MARK: A shared state folder


def test_the_sample_of_a_command_that_cannot_keep_it_is_printed_as_the_server_would(start_server, tmp_path):
    environment = os.environ | {"STATE_DIRECTORY": str(tmp_path / "state")}
    (tmp_path / "state").mkdir()
    server = start_server("[readings]\nrate = 20\n", env=environment)
    sample = ["sample", "--config", server.config, "--readings", "2", "--json"]
    kept = program.run(*sample, "--port", server.port, env=environment)
    lost = program.run(*sample, "--port", program.free_port(), "--device", "test-pattern", env=environment)
    assert (kept.returncode, lost.returncode) == (0, 74)
    assert json.loads(kept.stdout).keys() == json.loads(lost.stdout).keys()
    assert json.loads(lost.stdout)["problem"] + "\n" == lost.stderr
    assert lost.stderr.startswith(f"This sample is not kept. {tmp_path / 'state'} is in use by another Swatchcam.")


def test_a_server_that_does_not_keep_the_sample_of_the_command_makes_it_fail(start_server, tmp_path):
    environment = os.environ | {"STATE_DIRECTORY": str(tmp_path / "state")}
    (tmp_path / "state").mkdir()
    start_server(env=environment)
    second = start_server("[readings]\nrate = 20\n", env=environment)
    run = program.run("sample", "--config", second.config, "--port", second.port, "--readings", "2")
    assert run.returncode == 74
    assert run.stdout.startswith("Sample 1: #")
    assert run.stderr.startswith("Samples will be lost when Swatchcam stops; export them first. ")
