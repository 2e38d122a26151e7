#!/usr/bin/env python3
"""Lists the files of a guest that has all of its files in memory: guest_files.py [PATH...]

They are this Python with everything that the tests import, the programs that the tests and the lab's scripts run, udev,
the named files and directories, and the libraries of all executables. Prints absolute paths, directories before their
contents, each followed by a NUL, for `cpio --null`.
"""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

PROGRAMS = (
    *("bash", "cat", "cut", "dmesg", "env", "kill", "ln", "mkdir", "mkfifo", "mount", "mv", "rm", "sleep", "setsid"),
    *("insmod", "rmmod", "setpriv", "udevadm", "v4l2-ctl"),
)
OTHERS = (
    *("/etc/group", "/etc/ld.so.cache", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/udev"),
    *("/usr/lib/systemd/systemd-udevd", "/usr/lib/udev"),
)
PACKAGES = ("pytest", "websockets", "pillow")

# Modules that no test imports, and the hardware database.
LEFT_OUT = re.compile(
    r"(site-packages|dist-packages|test|tests|idlelib|tkinter|lib2to3|ensurepip|config-.*|hwdb.*|_tkinter.*|_test.*)"
    r"|.*\.opt-[12]\.pyc"
)


def contents(path):
    if not path.is_dir():
        yield path
        return
    for directory, names, files in os.walk(path):
        names[:] = [name for name in names if not LEFT_OUT.fullmatch(name)]
        yield pathlib.Path(directory)
        yield from (pathlib.Path(directory, name) for name in files if not LEFT_OUT.fullmatch(name))


def python():
    yield pathlib.Path(sys.executable)
    yield pathlib.Path(sys.prefix, "pyvenv.cfg")
    yield from contents(pathlib.Path(sysconfig.get_path("stdlib")))
    yield from packages(*PACKAGES)


def packages(*names):
    """The files of these installed packages and of those that they need."""
    waiting, seen = list(names), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # another version of Python needs it
        # The package's commands are outside the folder of packages: ../../../bin.
        yield from (pathlib.Path(package.locate_file(file)) for file in package.files if ".." not in file.parts)
        waiting += [re.match(r"[\w.-]+", line)[0] for line in package.requires or () if "extra ==" not in line]


def libraries(paths):
    programs = [path for path in paths if path.is_file() and path.open("rb").read(4) == b"\x7fELF"]
    # ldd complains about programs that are linked statically.
    listing = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False).stdout
    return {pathlib.Path(path) for path in re.findall(r"(/\S+) \(0x", listing)}


def with_links(path):
    """The path, and every symbolic link on the way to the file."""
    for parent in reversed(path.parents):
        if parent.is_symlink():
            return [*with_links(parent), *with_links(parent.resolve() / path.relative_to(parent))]
    return [path, *(with_links(path.parent / path.readlink()) if path.is_symlink() else [])]


def all_with_links(paths):
    return {link for path in paths for link in with_links(pathlib.Path(os.path.abspath(path)))}


def main(arguments):
    paths = {pathlib.Path(shutil.which(name)) for name in PROGRAMS} | set(python())
    for path in (*OTHERS, *arguments):
        paths |= set(contents(pathlib.Path(path)))
    paths = all_with_links(paths)
    paths |= all_with_links(libraries(paths))
    paths = {path for path in paths if os.path.lexists(path)}
    directories = {directory for path in paths for directory in path.parents}
    for path in sorted(paths | directories - {pathlib.Path("/")}):
        print(path, end="\0")


if __name__ == "__main__":
    main(sys.argv[1:])
