"""The package in a bare Debian 12: installed, upgraded, removed and purged."""

import tomllib

import pytest
from conftest import CONFIG, EDITED_CONFIG, KIOSK, OLDER_CONFIG, STATE
from Harness.chromium import chromium
from Harness.dashboard import Dashboard
from Harness.program import ROOT

WANTED_BY = "/etc/systemd/system/multi-user.target.wants/swatchcam.service"


def test_a_bare_debian_has_no_swift_libraries(bare):
    assert bare.run("find", "/", "-xdev", "-name", "libswift*", "-o", "-name", "libFoundation*") == ""


class TestInstalled:
    def test_the_program_runs_and_has_the_version_of_the_package(self, installed):
        version = installed.run("dpkg-query", "--show", "--showformat=${Version}", "swatchcam")
        assert installed.run("swatchcam", "--version") == f"{version}\n"

    def test_every_library_of_the_program_is_installed(self, installed):
        assert "not found" not in installed.run("ldd", "/usr/bin/swatchcam")

    def test_the_installed_configuration_is_valid(self, installed):
        assert installed.run("swatchcam", "check", "--config", CONFIG) == ""

    def test_the_service_has_a_user_without_a_shell(self, installed):
        user = installed.run("getent", "passwd", "swatchcam").split(":")
        assert user[5:] == ["/var/lib/swatchcam", "/usr/sbin/nologin\n"]

    def test_the_services_user_may_use_cameras(self, installed):
        assert installed.run("id", "--name", "--groups", "swatchcam").split() == ["swatchcam", "video"]

    def test_only_root_may_write_the_configuration_and_the_service_may_read_it(self, installed):
        assert installed.run("stat", "--format=%A %U %G", CONFIG) == "-rw-r--r-- root swatchcam\n"

    def test_the_service_starts_with_the_machine(self, installed):
        assert installed.run("readlink", WANTED_BY) == "/lib/systemd/system/swatchcam.service\n"

    def test_the_kiosk_opens_the_page_of_the_configuration_that_its_settings_name(self, installed):
        installed.write("/etc/other.toml", "web.port = 9123\n")
        installed.write("/etc/default/swatchcam-kiosk", "SWATCHCAM_CONFIG=/etc/other.toml\n")
        try:
            assert installed.run("swatchcam-kiosk", "address") == "http://127.0.0.1:9123/kiosk\n"
        finally:
            installed.run("rm", "/etc/other.toml", "/etc/default/swatchcam-kiosk")

    def test_nothing_is_announced_to_the_network_unless_the_example_is_copied(self, installed):
        assert not installed.exists("/etc/avahi/services/avahi-swatchcam.service")

    def test_avahi_announces_the_example_under_the_name_of_the_machine(self, installed):
        root = installed.copy("avahi")
        root.apt("install", "avahi-daemon")
        example = "/usr/share/doc/swatchcam/examples/avahi-swatchcam.service"
        root.run("cp", example, "/etc/avahi/services/")
        root.write("/etc/avahi/avahi-daemon.conf", "[server]\nhost-name=bench\nenable-dbus=no\nallow-interfaces=lo\n")
        # Beside the loopback interface of a network of its own, nothing hears it.
        daemon = "ip link set lo up multicast on 2> /dev/null; timeout 5 avahi-daemon --no-drop-root --no-chroot --no-rlimits 2>&1"
        said = root.run("unshare", "--net", "sh", "-c", f"{daemon} || true")
        assert 'Service "Swatchcam on bench" (/etc/avahi/services/avahi-swatchcam.service)' in said
        port = tomllib.loads(root.read(CONFIG)).get("web", {}).get("port", 8080)
        assert f"<port>{port}</port>" in root.read(example)

    def test_the_dashboard_of_the_installed_program_shows_its_swatch(self, served):
        driver = chromium(is_whole=True)
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
    def test_an_upgrade_installs_the_new_version(self, upgraded, installed):
        assert upgraded.run("swatchcam", "--version") == installed.run("swatchcam", "--version")
        assert "0.0.9" not in upgraded.run("dpkg-query", "--show", "swatchcam")

    def test_an_upgrade_replaces_a_configuration_that_nobody_edited(self, older, upgraded):
        assert older.read(CONFIG) == OLDER_CONFIG
        assert upgraded.read(CONFIG) == (ROOT / "config.toml").read_text()

    def test_an_upgrade_keeps_an_edited_configuration(self, upgraded_after_edit):
        assert upgraded_after_edit.read(CONFIG) == EDITED_CONFIG

    def test_the_service_may_still_read_a_configuration_that_others_may_not(self, upgraded_after_edit):
        service = ["setpriv", "--reuid=swatchcam", "--regid=swatchcam", "--init-groups"]
        assert upgraded_after_edit.run("stat", "--format=%A", CONFIG) == "-rw-r-----\n"
        upgraded_after_edit.run(*service, "swatchcam", "check", "--config", CONFIG)

    def test_an_upgrade_puts_the_new_configuration_beside_an_edited_one(self, upgraded_after_edit):
        assert upgraded_after_edit.read(f"{CONFIG}.dpkg-dist") == (ROOT / "config.toml").read_text()


class TestRemoved:
    @pytest.mark.parametrize("path", [CONFIG, STATE])
    def test_removal_keeps_the_configuration_and_the_state(self, removed, path):
        assert removed.exists(path)

    def test_removal_deletes_the_program(self, removed):
        assert not removed.exists("/usr/bin/swatchcam")

    def test_removal_deletes_the_enabled_kiosk(self, removed):
        assert not removed.exists(KIOSK)

    def test_removal_deletes_the_service(self, removed):
        assert not removed.exists("/lib/systemd/system/swatchcam.service")


class TestPurged:
    def test_a_purge_leaves_no_file(self, purged):
        assert purged.run("find", "/", "-xdev", "-name", "*swatchcam*") == ""

    def test_a_purge_keeps_the_services_user(self, purged):
        """As is usual in Debian, so that no other user gets its number while files of it may still exist."""
        assert purged.run("id", "--user", "--name", "swatchcam") == "swatchcam\n"
