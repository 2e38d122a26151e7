"""The archive for distributions without a package: what its program needs, and its installation in other systems."""

import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from debian_root import AS_ROOT, DebianRoot, execute
from Harness.program import ROOT

# The commands that make a bare system; Debian 12 is made once for all tests.
OTHER_SYSTEMS = {
    "Debian 13": [str(ROOT / "Scripts/debian-root"), "--suite=trixie"],
    "Ubuntu 24.04": ["mmdebstrap", "--variant=minbase", "noble"],
}
# Debian 12 has no package with Ubuntu's keys; nothing of it outlives the test.
UBUNTU_MIRROR = "deb [trusted=yes] http://archive.ubuntu.com/ubuntu noble main"


@pytest.fixture(scope="session")
def archive():
    """The archive that `make tarball` made last."""
    archives = list((ROOT / ".build/tarball").glob("swatchcam-*-linux-amd64.tar.gz"))
    assert len(archives) == 1, "there is no archive: make tarball"
    return archives[0]


@pytest.fixture(scope="session")
def folder(archive, workshop):
    """The folder in the archive, unpacked."""
    execute(["tar", "--extract", "--file", str(archive), "--directory", str(workshop)])
    return workshop / archive.name.removesuffix(".tar.gz")


@pytest.fixture(
    scope="session", params=["Debian 12", *(pytest.param(name, marks=pytest.mark.release) for name in OTHER_SYSTEMS)]
)
def system(request, bare, workshop, folder) -> DebianRoot:
    """A bare system, with the archive unpacked in /opt."""
    name = request.param.replace(" ", "-")
    if request.param in OTHER_SYSTEMS:
        mirrors = [UBUNTU_MIRROR] if "Ubuntu" in request.param else []
        root = DebianRoot.make(workshop / name, *OTHER_SYSTEMS[request.param], mirrors=mirrors)
    else:
        root = bare.copy(name)
    execute([*AS_ROOT, "cp", "--archive", str(folder), f"{root.folder}/opt/swatchcam"])
    return root


@pytest.fixture(params=["amd64", "arm64"])
def program(request, archive, workshop) -> Path:
    """The program in the archive for a processor."""
    other = archive.with_name(archive.name.replace("amd64", request.param))
    if not other.exists():
        pytest.skip("not run: Scripts/build-arm64 --tarball has not been run")
    execute(["tar", "--extract", "--file", str(other), "--directory", str(workshop)])
    return workshop / other.name.removesuffix(".tar.gz") / "swatchcam"


def test_the_program_needs_only_the_c_library(program):
    needed = re.findall(r"NEEDED.*\[(.*)\]", execute(["readelf", "--dynamic", str(program)]))
    assert {re.sub("-.*", "", name) for name in needed} <= {"libc.so.6", "libm.so.6", "ld"}


def test_the_c_library_of_debian_12_is_new_enough(program):
    symbols = execute(["readelf", "--dyn-syms", "--wide", str(program)])
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", symbols)]
    assert versions and max(versions) <= (2, 36)


def test_the_archive_names_nobody_and_no_time_of_the_build(archive):
    with tarfile.open(archive) as contents:
        members = contents.getmembers()
    assert {(member.uid, member.gid, member.uname) for member in members} == {(0, 0, "")}
    assert len({member.mtime for member in members}) == 1


def test_it_is_installed_reads_the_test_pattern_and_is_removed(system):
    system.run("/opt/swatchcam/install")
    assert system.run("swatchcam", "--version") == execute([str(ROOT / ".build/release/swatchcam"), "--version"])
    assert re.match(r"#[0-9A-F]{6} ", system.run("swatchcam", "read", "--device", "test-pattern"))
    assert system.exists("/usr/local/share/man/man1/swatchcam.1")
    assert system.exists("/usr/local/share/doc/swatchcam/cameras.md")
    system.run("/opt/swatchcam/install", "--remove")
    left = system.run("find", "/usr/local", "-name", "*swatchcam*").splitlines()
    assert left == []


def test_the_service_starts_the_program_where_it_was_installed(folder, tmp_path):
    environment = {"DESTDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    install = [str(folder / "install"), "--prefix", "/opt/swatchcam", "--service"]
    subprocess.run(install, check=True, env=environment, capture_output=True)
    unit = (tmp_path / "etc/systemd/system/swatchcam.service").read_text()
    assert "\nExecStart=/opt/swatchcam/bin/swatchcam serve --config /etc/swatchcam/config.toml\n" in unit
    assert (tmp_path / "etc/swatchcam/config.toml").read_text() == (ROOT / "config.toml").read_text()


def test_a_configuration_that_is_there_is_kept(folder, tmp_path):
    config = tmp_path / "etc/swatchcam/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("# Mine.\n")
    environment = {"DESTDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    for words in (["--service"], ["--remove"]):
        subprocess.run([str(folder / "install"), *words], check=True, env=environment, capture_output=True)
        assert config.read_text() == "# Mine.\n"


def test_an_option_that_is_not_known_prints_the_manual_and_changes_nothing(folder, tmp_path):
    environment = {"DESTDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([str(folder / "install"), "--services"], check=False, env=environment, capture_output=True)
    assert done.returncode == 64
    assert b"--service " in done.stdout
    assert list(tmp_path.iterdir()) == []
