"""The Debian package: as a file, and installed, upgraded, removed and purged in a bare Debian 12.

    make deb && .venv/bin/python -m pytest Tests/Package

Scripts/debian-root makes the Debian once per run, and each state of the package gets a copy. This takes root or sudo.
"""

import contextlib
import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from debian_root import AS_ROOT, DebianRoot, execute
from Harness.program import ROOT
from Harness.waiting import stretched

CONFIG = "/etc/swatchcam/config.toml"
STATE = "/var/lib/swatchcam/camera.json"
KIOSK = "/etc/systemd/system/swatchcam-kiosk.service"

OLDER_CONFIG = "# The configuration of an older version.\n"
EDITED_CONFIG = "# Edited.\n[web]\nport = 9000\n"


@pytest.fixture(scope="session")
def package() -> Path:
    """The .deb that `make deb` made last."""
    packages = list((ROOT / ".build/deb").glob("swatchcam_*.deb"))
    assert len(packages) == 1, "there is no package: make deb"
    return packages[0]


@pytest.fixture(scope="session")
def workshop():
    """A temporary folder on the disk of the build, since /tmp may be in memory."""
    folder = tempfile.mkdtemp(prefix="package-test-", dir=ROOT / ".build")
    yield Path(folder)
    execute([*AS_ROOT, "rm", "--recursive", "--one-file-system", folder])


@pytest.fixture(scope="session")
def unpacked(package, workshop) -> Path:
    """The contents of the package; its control files are in DEBIAN."""
    folder = workshop / "unpacked"
    execute(["dpkg-deb", "--raw-extract", str(package), str(folder)])
    return folder


@pytest.fixture(scope="session")
def older_package(package, workshop) -> Path:
    """The same package, as version 0.0.9 with another configuration."""
    folder = workshop / "older"
    execute(["dpkg-deb", "--raw-extract", str(package), str(folder)])
    control = folder / "DEBIAN/control"
    control.write_text(re.sub("^Version: .*", "Version: 0.0.9", control.read_text(), flags=re.MULTILINE))
    (folder / CONFIG[1:]).write_text(OLDER_CONFIG)
    file = workshop / "swatchcam_0.0.9.deb"
    execute(["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(folder), str(file)])
    return file


@pytest.fixture(scope="session")
def bare(workshop) -> DebianRoot:
    """Debian before anything of Swatchcam is installed."""
    return DebianRoot.make(workshop / "bare")


@pytest.fixture(scope="session")
def installed(bare, package) -> DebianRoot:
    root = bare.copy("installed")
    root.install(package)
    return root


@pytest.fixture(scope="session")
def older(bare, older_package) -> DebianRoot:
    """The older version is installed."""
    root = bare.copy("older-installed")
    root.install(older_package)
    return root


@pytest.fixture(scope="session")
def upgraded(older, package) -> DebianRoot:
    """Upgraded from the older version, its configuration unchanged."""
    root = older.copy("upgraded")
    root.install(package)
    return root


@pytest.fixture(scope="session")
def upgraded_after_edit(older, package) -> DebianRoot:
    """Upgraded from the older version, its configuration edited and not readable by others."""
    root = older.copy("upgraded-after-edit")
    root.write(CONFIG, EDITED_CONFIG)
    root.run("chmod", "o=", CONFIG)
    root.install(package)
    return root


@pytest.fixture(scope="session")
def removed(installed) -> DebianRoot:
    """Removed after the service saved its state and somebody enabled the kiosk."""
    root = installed.copy("removed")
    root.write(STATE, '{"value": "usb-A", "version": 1}')
    root.write(KIOSK, "[Install]\n")
    root.apt("remove", "swatchcam")
    return root


@pytest.fixture(scope="session")
def purged(removed) -> DebianRoot:
    root = removed.copy("purged")
    root.apt("purge", "swatchcam")
    return root


@pytest.fixture
def served(installed):
    """The address of the dashboard that the installed program serves with the installed configuration."""
    options = ["--config", CONFIG, "--device", "test-pattern", "--port", "0"]
    # `timeout` ends the program if it hangs.
    command = installed.command("timeout", str(stretched(60)), "swatchcam", "serve", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        announced = re.search(r"http://\S+", process.stdout.readline())
        yield announced and announced[0]
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
