"""A bare Debian 12 in a folder, and commands in it."""

import datetime
import hashlib
import os
import subprocess
import time
from pathlib import Path

from Harness.program import ROOT

AS_ROOT = [] if os.geteuid() == 0 else ["sudo"]
"""The prefix that runs a command as root, who alone may make such a folder and change the root directory to it."""

MAKER = ROOT / "Scripts/debian-root"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "swatchcam-roots"
DAY = 86_400

ENVIRONMENT = {
    "DEBIAN_FRONTEND": "noninteractive",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}


class DebianRoot:
    """A Debian in a folder. Paths are absolute, as seen from inside."""

    def __init__(self, folder: Path):
        self.folder = folder

    @classmethod
    def make(cls, folder: Path, *command: str, mirrors: list[str] | None = None) -> "DebianRoot":
        """Makes a root: Debian 12, or what this command makes. One that was made on the same day is unpacked again."""
        command = command or (str(MAKER),)
        made_by = "\n".join([MAKER.read_text(), *command, datetime.date.today().isoformat()])
        archive = CACHE / f"{hashlib.sha256(made_by.encode()).hexdigest()[:12]}.tar"
        if not archive.exists():
            CACHE.mkdir(parents=True, exist_ok=True)
            for old in CACHE.glob("*.tar"):
                # Those of other days: their lists name packages that the mirror may no longer have.
                if time.time() - old.stat().st_mtime > DAY:
                    old.unlink(missing_ok=True)
            new = CACHE / f"{archive.stem}-{os.getpid()}.new.tar"
            execute([*AS_ROOT, *command, str(new), *(mirrors or [])])
            new.replace(archive)
        folder.mkdir()
        execute([*AS_ROOT, "tar", "--extract", "--numeric-owner", "--file", str(archive), "--directory", str(folder)])
        return cls(folder)

    def copy(self, name: str) -> "DebianRoot":
        """Copies this Debian, as it is now, into a folder beside this one."""
        copy = DebianRoot(self.folder.with_name(name))
        execute([*AS_ROOT, "cp", "--archive", "--reflink=auto", str(self.folder), str(copy.folder)])
        return copy

    def command(self, *words: str) -> list[str]:
        """The command that runs a command inside, with a /proc that is unmounted when it ends."""
        environment = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        inside = ["unshare", "--mount-proc", f"--root={self.folder}", "--wd=/"]
        return [*AS_ROOT, *inside, "env", "--ignore-environment", *environment, *words]

    def run(self, *words: str, given: str | None = None) -> str:
        """The output of a command inside, which has to succeed."""
        return execute(self.command(*words), given)

    def apt(self, *words: str) -> None:
        """Runs apt-get. It keeps edited configuration files, as when nobody answers its question."""
        self.run("apt-get", "--yes", "--option=Dpkg::Options::=--force-confdef", *words)

    def install(self, package: Path) -> None:
        place = f"/var/tmp/{package.name}"
        execute([*AS_ROOT, "cp", str(package), f"{self.folder}{place}"])
        self.apt("install", place)
        self.run("rm", place)

    def exists(self, path: str) -> bool:
        return os.path.lexists(f"{self.folder}{path}")

    def read(self, path: str) -> str:
        return self.run("cat", path)

    def write(self, path: str, text: str) -> None:
        self.run("sh", "-c", f"mkdir -p $(dirname {path}) && cat > {path}", given=text)


def execute(command: list[str], given: str | None = None) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True, input=given or "", cwd=ROOT)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
