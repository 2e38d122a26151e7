"""The package, installed over itself and taken away, while systemd runs and the service reads a camera."""

import os
import time

import pytest
import service

PACKAGE = os.environ.get("SWATCHCAM_PACKAGE")

pytestmark = pytest.mark.skipif(not PACKAGE, reason="the program was installed without a package")


def dpkg(*arguments):
    # As apt calls it: no question is put to anybody.
    return service.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", *arguments)


@pytest.fixture
def edited_configuration():
    shipped = service.CONFIG.read_text()
    edited = shipped + "\n# Ours.\n"
    service.CONFIG.write_text(edited)
    yield edited
    service.CONFIG.write_text(shipped)


def test_an_upgrade_restarts_it_as_it_was_configured(edited_configuration):
    pid = service.main_pid()
    began = time.monotonic()
    dpkg("--install", PACKAGE)
    service.recovered("package upgraded", "restarted by its scripts", began, but_not=pid)
    assert service.CONFIG.read_text() == edited_configuration


def test_removed_it_ends_and_installed_again_it_reads_on(edited_configuration):
    dpkg("--remove", "swatchcam")
    gone = service.show("ActiveState")
    began = time.monotonic()
    dpkg("--install", PACKAGE)
    service.recovered("package removed, then installed", "started by its scripts", began)
    assert gone == "inactive"
    assert service.CONFIG.read_text() == edited_configuration
    assert service.show("UnitFileState") == "enabled"
