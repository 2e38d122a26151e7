"""The arguments of the program, where Swift's runtime does not find them, and where there are none."""

import os
import subprocess
import sys

import pytest
from conftest import TOKEN
from Harness import api, program

HIDE_MAPS = ["unshare", "-Urm", "sh", "-c", 'mount --bind /dev/null /proc/$$/maps && exec "$0" "$@"']
"""Runs a command that cannot read the file in which Swift's runtime looks for the arguments."""
HIDE_PROC = ["unshare", "-Urm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"']
FOREIGN_PROC = ["unshare", "-Ur", "--pid", "--fork", "--kill-child"]
"""Runs a command whose /proc is that of the machine, in which it does not find itself."""

EARLY_ENVIRONMENT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The runtime looks for the environment on the stack, and for the arguments beside it. A constructor would be too late
// for the debug build: there, the runtime is a library that is initialized earlier.
FILE *fopen(const char *path, const char *mode) {
    if (strcmp(path, "/proc/self/maps") == 0) setenv("EARLY", "1", 1);
    return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen"))(path, mode);
}
"""

NO_ARGUMENTS = "import ctypes, sys; ctypes.CDLL(None).execv(sys.argv[1].encode(), (ctypes.c_char_p * 1)())"
"""Python that replaces itself by a program, with an empty list of arguments."""


def must_work(command):
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this user may not make namespaces")


@pytest.fixture(scope="module")
def early_environment(tmp_path_factory):
    """The environment that preloads a library, which moves the environment away from the arguments."""
    library = tmp_path_factory.mktemp("library") / "early_environment.so"
    command = ["cc", "-shared", "-fPIC", "-o", library, "-x", "c", "-", "-ldl"]
    subprocess.run(command, input=EARLY_ENVIRONMENT, text=True, check=True)
    return os.environ | {"LD_PRELOAD": str(library)}


@pytest.fixture
def wrong(tmp_path):
    """A configuration with a mistake."""
    config = tmp_path / "wrong.toml"
    config.write_text("camera.fps = 0")
    return config


def reports(answer, config):
    """Whether the program has checked this configuration."""
    return (answer.returncode, answer.stdout) == (
        78,
        f"{config}:1:14: camera.fps: 0 is out of range 1...240\n",
    )


def test_the_arguments_are_obeyed_although_the_runtime_does_not_find_them(wrong):
    must_work(HIDE_MAPS)
    assert reports(program.run("check", "--config", wrong, prefix=HIDE_MAPS, cwd=wrong.parent), wrong)


def test_the_arguments_are_obeyed_although_a_library_has_moved_the_environment(wrong, early_environment):
    assert reports(program.run("check", "--config", wrong, env=early_environment, cwd=wrong.parent), wrong)


def test_the_server_requires_its_token_although_a_library_has_moved_the_environment(start_server, early_environment):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n', env=early_environment)
    assert api.request(f"{server.url}api/reading").status == 401


@pytest.mark.parametrize("place", [HIDE_PROC, FOREIGN_PROC], ids=["hidden", "foreign"])
@pytest.mark.parametrize("command", ["serve", "read", "sample", "exposure", "status"])
def test_what_would_crash_without_proc_is_not_started(command, place, tmp_path):
    """libdispatch ends a process that is under load and cannot read the states of its threads."""
    must_work(place)
    answer = program.run(command, prefix=place, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (64, "")
    assert answer.stderr.startswith("/proc does not show this process; ")


def test_wrong_usage_is_explained_although_the_runtime_does_not_find_the_arguments(tmp_path):
    must_work(HIDE_MAPS)
    answer = program.run("--colour", prefix=HIDE_MAPS, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (64, "")
    assert "Unknown option '--colour'" in answer.stderr


def test_an_empty_list_of_arguments_is_refused(tmp_path):
    answer = program.run(prefix=[sys.executable, "-c", NO_ARGUMENTS], cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (64, "")
    assert answer.stderr == "the program was started without its name, so arguments may be missing too\n"
