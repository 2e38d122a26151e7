"""The package, upgraded, removed and installed again while the service reads a camera."""

import os
import time

import pytest
import service

PACKAGE = os.environ.get("SWATCHCAM_PACKAGE")

pytestmark = pytest.mark.skipif(not PACKAGE, reason="the program was installed without a package")


def dpkg(*arguments):
    # As apt calls it, without asking questions.
    return service.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", *arguments)


@pytest.fixture
def edited_configuration():
    shipped = service.CONFIG.read_text()
    edited = shipped + "\n# Ours.\n"
    service.CONFIG.write_text(edited)
    yield edited
    service.CONFIG.write_text(shipped)


def test_an_upgrade_restarts_the_service_and_keeps_its_configuration(edited_configuration):
    pid = service.main_pid()
    began = time.monotonic()
    dpkg("--install", PACKAGE)
    service.wait_until_recovered("package upgraded", "restarted by its scripts", began, but_not=pid)
    assert service.CONFIG.read_text() == edited_configuration


@pytest.mark.release
def test_removing_the_package_ends_the_service_and_installing_it_again_starts_it(edited_configuration):
    dpkg("--remove", "swatchcam")
    gone = service.show("ActiveState")
    began = time.monotonic()
    dpkg("--install", PACKAGE)
    service.wait_until_recovered("package removed, then installed", "started by its scripts", began)
    assert gone == "inactive"
    assert service.CONFIG.read_text() == edited_configuration
    assert service.show("UnitFileState") == "enabled"
