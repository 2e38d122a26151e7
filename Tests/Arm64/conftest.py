"""Swatchcam's C code, compiled for arm64 and run by QEMU's user emulation, and compiled for this machine to compare.

    .venv/bin/pytest Tests/Arm64

Needs Debian's cross compiler and QEMU, and Swift's toolchain for its clang, which compiles the C code of a release.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess

import pytest
from Harness.waiting import stretched

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
LANGUAGE = ["-std=gnu11", "-O2", "-ffp-contract=off"]
INCLUDES = [f"-I{ROOT}/Sources/{target}/include" for target in ("CPixels", "CV4L2", "CLinux")]
TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]

PAGE_SIZES = (4096, 16384, 65536)
"""Page sizes of arm64 kernels: Debian's and most others', the Raspberry Pi 5's, and the largest."""


def clang():
    """Swift's own clang."""
    swift = shutil.which("swift")
    assert swift, "Swift's toolchain is not on the path"
    return str(pathlib.Path(os.path.realpath(swift)).with_name("clang"))


def compilers():
    """The commands that compile and link, by processor and name."""
    arm64 = ["--target=aarch64-linux-gnu", f"--ld-path={shutil.which('aarch64-linux-gnu-ld')}", "-static"]
    return {
        ("this", "gcc"): ["gcc"],
        ("this", "clang"): [clang()],
        ("arm64", "gcc"): ["aarch64-linux-gnu-gcc", "-static"],
        ("arm64", "clang"): [clang(), *arm64],
    }


@dataclasses.dataclass(frozen=True)
class Program:
    path: pathlib.Path
    processor: str

    def run(self, *arguments, page_size=4096, input=None):
        """The output of the program, which has to succeed."""
        emulator = ["qemu-aarch64", "-p", str(page_size)] if self.processor == "arm64" else []
        command = [*emulator, self.path, *map(str, arguments)]
        done = subprocess.run(command, input=input, capture_output=True, check=False, timeout=stretched(120))
        assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stderr.decode()}"
        return done.stdout.decode()


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """Builds a program from C sources, once: build("arm64", "clang", [sources], [flags])."""
    directory = tmp_path_factory.mktemp("programs")
    programs = {}

    def built(processor, compiler, sources, flags=()):
        key = (processor, compiler, *sources, *flags)
        if key not in programs:
            path = directory / f"program-{len(programs)}"
            compile([*compilers()[processor, compiler], *flags], [*sources, "-lm"], path)
            programs[key] = Program(path, processor)
        return programs[key]

    return built


def compile(compiler, sources, output):
    command = [*compiler, *LANGUAGE, *WARNINGS, *INCLUDES, *map(str, sources), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
