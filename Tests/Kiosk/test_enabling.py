"""`enable` installs the kiosk, and `disable` leaves nothing of it, on a desktop and on the console."""

import os
import subprocess

import pytest
from Harness.waiting import stretched


class Desktop:
    def __init__(self, kiosk, folder):
        self.folder = folder
        self._kiosk = kiosk
        self.autostart = folder / "labwc/autostart"

    def run(self, command):
        # As an ordinary user: root would enable the kiosk of the console.
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
        environment = os.environ | {"XDG_CONFIG_HOME": str(self.folder), "HOME": str(self.folder)}
        subprocess.run([*prefix, self._kiosk, command], env=environment, check=True, capture_output=True)

    def write_autostart(self, text):
        self.autostart.parent.mkdir(exist_ok=True)
        self.autostart.write_text(text)
        for path in (self.autostart.parent, self.autostart):
            os.chown(path, *((65534, 65534) if os.getuid() == 0 else (-1, -1)))


@pytest.fixture
def desktop(kiosk, folder):
    place = folder / "config"
    place.mkdir(mode=0o777)
    place.chmod(0o777)
    return Desktop(kiosk, place)


def test_a_desktop_starts_the_session_in_the_background(desktop, kiosk):
    desktop.run("enable")
    (line,) = desktop.autostart.read_text().splitlines()
    assert line.startswith(f"{kiosk} session & #")


def test_enabling_twice_changes_nothing_the_second_time(desktop):
    desktop.run("enable")
    once = desktop.autostart.read_text()
    desktop.run("enable")
    assert desktop.autostart.read_text() == once


def test_disabling_leaves_nothing_on_a_desktop_that_had_no_autostart_file(desktop):
    desktop.run("enable")
    desktop.run("disable")
    assert not list(desktop.folder.iterdir())


@pytest.mark.parametrize("text", ["kanshi &\nswaybg -c '#000' &\n", "\n# mine\n\n", "wf-panel-pi &\n"])
def test_the_users_own_lines_of_the_autostart_file_stay_unchanged(desktop, text):
    desktop.write_autostart(text)
    desktop.run("enable")
    assert desktop.autostart.read_text().startswith(text)
    desktop.run("disable")
    assert desktop.autostart.read_text() == text


def test_the_session_is_not_appended_to_an_unfinished_last_line(desktop):
    desktop.write_autostart("kanshi &")
    desktop.run("enable")
    assert desktop.autostart.read_text().splitlines()[0] == "kanshi &"


def test_disabling_a_kiosk_that_was_not_enabled_changes_nothing(desktop):
    desktop.write_autostart("kanshi &\n")
    desktop.run("disable")
    assert desktop.autostart.read_text() == "kanshi &\n"


# A console

SYSTEM = """
set -eu
# Everything that may change is in memory here, and calls to systemd are recorded.
for directory in /etc /var/lib; do
    mkdir -p "$1$directory" "$1$directory.work"
    mount -t overlay -o "lowerdir=$directory,upperdir=$1$directory,workdir=$1$directory.work" overlay $directory
done
mkdir "$1/bin"
cat > "$1/bin/systemctl" << 'END'
#!/bin/sh
echo "systemctl $*" >> "${0%/bin/*}/calls"
case $1 in enable | disable) exec /usr/bin/systemctl --quiet --root=/ "$1" swatchcam-kiosk.service ;; esac
END
chmod +x "$1/bin/systemctl"
PATH=$1/bin:$PATH
listing() { (cd /; find etc/systemd etc/passwd etc/group var/lib/swatchcam-kiosk ! -type d \\
     -printf '%p %l %s\\n' || true) | sort; }
listing > "$1/before"
"$2" enable > /dev/null
listing > "$1/between"
id -u swatchcam-kiosk > "$1/uid"
cp /etc/systemd/system/swatchcam-kiosk.service "$1/unit"
systemd-analyze verify /etc/systemd/system/swatchcam-kiosk.service 2> "$1/verified" || echo failed >> "$1/verified"
"$2" disable > /dev/null
listing > "$1/after"
"""


@pytest.fixture(scope="module")
def console(kiosk, tmp_path_factory):
    """The files that the script above wrote while `enable` and `disable` changed a copy of the system in memory."""
    if os.getuid() != 0:
        pytest.skip("only root may change a copy of the system")
    folder = tmp_path_factory.mktemp("console")
    memory = folder / "memory"
    memory.mkdir()
    command = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        f'mount -t tmpfs tmpfs "$1"\n{SYSTEM}\nfind "$1" -maxdepth 1 -type f -exec cp {{}} "$3" ";"',
    ]
    subprocess.run([*command, "sh", memory, kiosk, folder], check=True, timeout=stretched(60))
    return folder


def test_enabling_the_console_adds_a_service_that_starts_with_the_system(console, kiosk):
    between = (console / "between").read_text()
    assert "etc/systemd/system/multi-user.target.wants/swatchcam-kiosk.service" in between
    assert f"ExecStart={kiosk} session\n" in (console / "unit").read_text()


def test_the_service_of_the_console_is_started_immediately(console):
    assert "systemctl restart swatchcam-kiosk.service" in (console / "calls").read_text()


def test_the_service_of_the_console_passes_systemd_analyze(console):
    assert (console / "verified").read_text() == ""


def test_disabling_leaves_nothing_on_the_console(console):
    before, after = ((console / name).read_text().splitlines() for name in ("before", "after"))
    assert after == before


def test_disabling_returns_the_first_terminal_to_its_login(console):
    assert "systemctl start getty@tty1.service" in (console / "calls").read_text()


def test_disabling_ends_the_users_processes_that_outlive_the_session(console):
    """userdel refuses to delete a user who has processes."""
    uid = (console / "uid").read_text().strip()
    assert f"systemctl stop user-{uid}.slice" in (console / "calls").read_text().splitlines()


WITHOUT_POLKIT = """
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/bin" "$1/changes" "$1/work"
mount -t overlay -o "lowerdir=/usr/bin,upperdir=$1/changes,workdir=$1/work" overlay /usr/bin
rm /usr/bin/pkcheck
printf '#!/bin/sh\necho "systemd %s"\n' "$3" > "$1/bin/systemctl"
# The first command that changes the system.
printf '#!/bin/sh\necho "the system would be changed"\nexit 42\n' > "$1/bin/systemd-sysusers"
chmod +x "$1"/bin/*
PATH=$1/bin:$PATH exec "$2" enable
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root may hide a program")
@pytest.mark.parametrize(
    "systemd, printed",
    [
        (
            "252 (252.39-1~deb12u2)",
            "swatchcam-kiosk: polkit is missing, without which the kiosk may not use the screen: apt install polkitd\n",
        ),
        ("257 (257.13-1~deb13u1)", "the system would be changed\n"),
    ],
)
def test_the_console_of_debian_12_needs_polkit_and_that_of_debian_13_does_not(kiosk, tmp_path, systemd, printed):
    command = ["unshare", "--mount", "sh", "-c", WITHOUT_POLKIT, "sh", tmp_path, kiosk, systemd]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=stretched(60)
    )
    assert done.returncode != 0
    assert done.stdout == printed
