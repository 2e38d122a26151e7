"""The package in a bare Debian 12: what apt does, and what is there then."""

import pytest
from chromium import chromium
from conftest import CONFIG, EDITED_CONFIG, KIOSK, OLDER_CONFIG, STATE
from dashboard import Dashboard
from debian_root import ROOT

WANTED_BY = "/etc/systemd/system/multi-user.target.wants/swatchcam.service"


def test_nothing_of_swift_was_there(bare):
    assert bare.run("find", "/", "-xdev", "-name", "libswift*", "-o", "-name", "libFoundation*") == ""


class TestInstalled:
    def test_the_program_runs(self, installed):
        version = installed.run("dpkg-query", "--show", "--showformat=${Version}", "swatchcam")
        assert installed.run("swatchcam", "--version") == f"{version}\n"

    def test_every_library_is_there(self, installed):
        assert "not found" not in installed.run("ldd", "/usr/bin/swatchcam")

    def test_the_configuration_is_good(self, installed):
        assert installed.run("swatchcam", "check", "--config", CONFIG) == ""

    def test_the_service_has_a_user_without_a_shell(self, installed):
        user = installed.run("getent", "passwd", "swatchcam").split(":")
        assert user[5:] == ["/var/lib/swatchcam", "/usr/sbin/nologin\n"]

    def test_that_user_may_use_cameras(self, installed):
        assert installed.run("id", "--name", "--groups", "swatchcam").split() == ["swatchcam", "video"]

    def test_the_configuration_is_roots_to_write_and_the_services_to_read(self, installed):
        assert installed.run("stat", "--format=%A %U %G", CONFIG) == "-rw-r--r-- root swatchcam\n"

    def test_the_service_starts_with_the_machine(self, installed):
        assert installed.run("readlink", WANTED_BY) == "/lib/systemd/system/swatchcam.service\n"

    def test_the_dashboard_shows_its_swatch(self, served):
        driver = chromium()
        try:
            driver.get(served)
            page = Dashboard(driver)
            page.wait_for_readings(2)
            shown = page.snapshot()
            assert (shown["state"], shown["hasColor"]) == ("test-pattern", True)
            assert shown["fill"] == shown["hex"] != ""
        finally:
            driver.quit()


class TestUpgraded:
    def test_it_is_the_new_one(self, upgraded, installed):
        assert upgraded.run("swatchcam", "--version") == installed.run("swatchcam", "--version")
        assert "0.0.9" not in upgraded.run("dpkg-query", "--show", "swatchcam")

    def test_a_configuration_that_nobody_edited_is_the_new_one(self, older, upgraded):
        assert older.text(CONFIG) == OLDER_CONFIG
        assert upgraded.text(CONFIG) == (ROOT / "config.toml").read_text()

    def test_an_edited_configuration_is_kept(self, upgraded_after_edit):
        assert upgraded_after_edit.text(CONFIG) == EDITED_CONFIG

    def test_the_service_still_reads_a_configuration_that_was_hidden_from_others(self, upgraded_after_edit):
        service = ["setpriv", "--reuid=swatchcam", "--regid=swatchcam", "--init-groups"]
        assert upgraded_after_edit.run("stat", "--format=%A", CONFIG) == "-rw-r-----\n"
        upgraded_after_edit.run(*service, "swatchcam", "check", "--config", CONFIG)

    def test_the_new_configuration_is_put_beside_an_edited_one(self, upgraded_after_edit):
        assert upgraded_after_edit.text(f"{CONFIG}.dpkg-dist") == (ROOT / "config.toml").read_text()


class TestRemoved:
    @pytest.mark.parametrize("path", [CONFIG, STATE])
    def test_what_is_the_users_stays(self, removed, path):
        assert removed.exists(path)

    def test_the_program_is_gone(self, removed):
        assert not removed.exists("/usr/bin/swatchcam")

    def test_the_kiosk_that_would_miss_it_is_gone(self, removed):
        assert not removed.exists(KIOSK)

    def test_the_service_is_gone(self, removed):
        assert not removed.exists("/lib/systemd/system/swatchcam.service")


class TestPurged:
    def test_nothing_is_left(self, purged):
        assert purged.run("find", "/", "-xdev", "-name", "*swatchcam*") == ""

    def test_the_user_stays(self, purged):
        """Debian's habit: a number must not come to be another's while files of it are somewhere."""
        assert purged.run("id", "--user", "--name", "swatchcam") == "swatchcam\n"
