"""The Debian package: as a file, and installed, upgraded, removed and purged in a bare Debian 12.

    make deb && .venv/bin/pytest Tests/Package

Debian is made once a run, by Scripts/debian-root, and copied for each state of the package; this takes root, or sudo.
"""

import contextlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from debian_root import AS_ROOT, ROOT, DebianRoot, execute

sys.path.append(str(ROOT / "Tests/Browser"))

CONFIG = "/etc/swatchcam/config.toml"
STATE = "/var/lib/swatchcam/state.json"
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
    """A folder that is gone after the run, on the disk where the build is: /tmp may be memory."""
    folder = tempfile.mkdtemp(prefix="package-test-", dir=ROOT / ".build")
    yield Path(folder)
    execute([*AS_ROOT, "rm", "--recursive", "--one-file-system", folder])


@pytest.fixture(scope="session")
def unpacked(package, workshop) -> Path:
    """What is in the package; DEBIAN has its control files."""
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
    """Debian as it is before anybody has heard of Swatchcam."""
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
    """From the older version, its configuration as it was."""
    root = older.copy("upgraded")
    root.install(package)
    return root


@pytest.fixture(scope="session")
def upgraded_after_edit(older, package) -> DebianRoot:
    """From the older version, its configuration edited, and hidden from others."""
    root = older.copy("upgraded-after-edit")
    root.write(CONFIG, EDITED_CONFIG)
    root.run("chmod", "o=", CONFIG)
    root.install(package)
    return root


@pytest.fixture(scope="session")
def removed(installed) -> DebianRoot:
    """After the service has left something, and somebody enabled the kiosk."""
    root = installed.copy("removed")
    root.write(STATE, "{}")
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
    """The address of the dashboard that the installed program serves, by the installed configuration."""
    options = ["--config", CONFIG, "--device", "test-pattern", "--port", "0"]
    # It ends by itself if it hangs.
    command = installed.command("timeout", "60", "swatchcam", "serve", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        announced = re.search(r"http://\S+", process.stdout.readline())
        yield announced and announced[0]
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
