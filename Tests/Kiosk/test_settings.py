"""The settings of the kiosk, each of which is used as it is meant or refused with a sentence."""

import os
import subprocess

import pytest
from Harness.waiting import stretched

PAGE = "http://127.0.0.1:8080/kiosk"
NUMBER = "a whole number of seconds in 30...86400"
ADDRESS = "an address such as http://127.0.0.1:8080/kiosk"


AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
"""Runs the kiosk as an ordinary user, who cannot enable it on this machine's console."""


def run(kiosk, command, **settings):
    # systemd sets INVOCATION_ID, and with it the variables in the kiosk's file.
    environment = os.environ | {"INVOCATION_ID": "test", "SWATCHCAM_KIOSK_URL": PAGE, "HOME": "/nonexistent"} | settings
    for name in ("XDG_CONFIG_HOME", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    return subprocess.run(
        [*AS_NOBODY, kiosk, command], env=environment, capture_output=True, text=True, check=False, timeout=stretched()
    )


REFUSED = [
    *(("TIMEOUT", value, NUMBER) for value in ("0", "1", "3", "29", "86401", "9" * 30, "-60", "030", "60.5", "abc")),
    *(("TIMEOUT", value, NUMBER) for value in (" ", "60 ", "6 0", "a[$(id)]")),
    *(("URL", value, ADDRESS) for value in (" ", "abc", "127.0.0.1:8080", "http://", "ftp://h/", "http://u:p@h/")),
    *(("URL", value, ADDRESS) for value in ("http://h:0/", "http://h:65536/", f"http://h:{'9' * 30}/", "http://h/a b")),
    *(("BROWSER", value, "chromium or cog") for value in (" ", "firefox", "cog ", "Cog", "1")),
    *(("REMEMBER", value, "yes or no") for value in (" ", "Yes", "yes ", "1", "-1")),
    *(("FLAGS", value, "flags that begin with -") for value in ("abc", "1", "http://h/ --kiosk")),
]


@pytest.mark.parametrize(
    "command, name, value, wanted",
    [*(("session", *case) for case in REFUSED), *((command, *REFUSED[0]) for command in ("enable", "address"))],
)
def test_a_value_without_a_meaning_is_refused_before_anything_is_done(kiosk, command, name, value, wanted):
    done = run(kiosk, command, **{f"SWATCHCAM_KIOSK_{name}": value})
    assert (done.returncode, done.stdout) == (1, "")
    shown = value[:100]
    assert done.stderr == f"swatchcam-kiosk: SWATCHCAM_KIOSK_{name} is '{shown}', but has to be {wanted}\n"


@pytest.mark.parametrize("value", ["config.toml", "-x", " "])
def test_a_path_that_depends_on_the_folder_is_refused(kiosk, value):
    done = run(kiosk, "session", SWATCHCAM_KIOSK_URL="", SWATCHCAM_CONFIG=value)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"swatchcam-kiosk: SWATCHCAM_CONFIG is '{value}', but has to be a path that begins with /\n"


def test_a_refused_value_cannot_control_the_terminal_and_is_shortened(kiosk):
    done = run(kiosk, "session", SWATCHCAM_KIOSK_TIMEOUT="\x1b[2J" + "9" * 100_000)
    assert done.returncode == 1
    assert "\x1b" not in done.stderr
    assert len(done.stderr) < 300


ACCEPTED = [
    *(("TIMEOUT", value) for value in ("", "30", "60", "86400")),
    *(("BROWSER", value) for value in ("", "chromium", "cog")),
    *(("REMEMBER", value) for value in ("", "yes", "no")),
    *(("FLAGS", value) for value in ("", " ", "--a", " --a  --b=c")),
]


@pytest.mark.parametrize("name, value", ACCEPTED)
def test_a_value_with_a_meaning_is_accepted(kiosk, name, value):
    done = run(kiosk, "address", **{f"SWATCHCAM_KIOSK_{name}": value})
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{PAGE}\n", "")


@pytest.mark.parametrize("page", ["http://h", "http://h:65535", "https://[::1]:8080/kiosk?show=picture&a=b#c"])
def test_any_page_may_be_shown(kiosk, page):
    assert run(kiosk, "address", SWATCHCAM_KIOSK_URL=page).stdout == f"{page}\n"


def test_an_unreadable_configuration_is_reported(kiosk, tmp_path):
    path = tmp_path / "none.toml"
    done = run(kiosk, "address", SWATCHCAM_KIOSK_URL="", SWATCHCAM_CONFIG=str(path))
    assert done.returncode == 0
    assert done.stderr == f"swatchcam-kiosk: cannot read {path}, so the address is not that in it\n"


def test_a_kiosk_with_a_wrong_setting_can_be_disabled(kiosk):
    done = run(kiosk, "disable", SWATCHCAM_KIOSK_TIMEOUT="abc")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FILE = r"""
# A comment; and an empty line:

SWATCHCAM_KIOSK_TIMEOUT=60
SWATCHCAM_KIOSK_FLAGS = --not-a-setting
  SWATCHCAM_KIOSK_URL={value}
"""

WITH_FILE = 'mount -t tmpfs tmpfs /etc/default && printf %s "$1" > /etc/default/swatchcam-kiosk && exec "$2" address'


@pytest.mark.skipif(os.getuid() != 0, reason="only root may replace a folder of the system")
@pytest.mark.parametrize(
    "value, used",
    [
        ("http://h/?a=b&c=$HOME;`id`=", "http://h/?a=b&c=$HOME;`id`="),
        (' "http://h/#a" ', "http://h/#a"),
        ("'http://h/a=b'\r", "http://h/a=b"),
        ('"http://h/', None),
        ("http://h/ a", None),
    ],
)
def test_nothing_in_the_file_is_special_but_quotation_marks_around_a_value(kiosk, value, used):
    """As systemd reads it: a shell would split an address with & into commands."""
    environment = {name: text for name, text in os.environ.items() if name != "INVOCATION_ID"}
    command = ["unshare", "--mount", "sh", "-c", WITH_FILE, "sh", FILE.replace("{value}", value).strip("\n"), kiosk]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=stretched())
    if used:
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{used}\n", "")
    else:
        assert done.returncode == 1
        assert "SWATCHCAM_KIOSK_URL is " in done.stderr
