"""The ways in which editors and tools write a file."""

import os
import pathlib
import shutil
import subprocess

from Harness.waiting import stretched


def truncate(path: pathlib.Path, text: str) -> None:
    """As nano does, and every program that opens a file to write it."""
    path.write_text(text)


def rename_over(path: pathlib.Path, text: str) -> None:
    """As gedit, Kate, VS Code with atomic saves, and every careful program do."""
    temporary = path.with_name(".config.toml.swp-new")
    temporary.write_text(text)
    temporary.rename(path)


def with_backup(path: pathlib.Path, text: str) -> None:
    """As Emacs does, and vim by default: the original becomes the backup."""
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def removed_first(path: pathlib.Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


def copied_over(path: pathlib.Path, text: str) -> None:
    other = path.with_name("other.toml")
    other.write_text(text)
    subprocess.run(["cp", other, path], check=True)


def moved_over(path: pathlib.Path, text: str) -> None:
    other = path.with_name("other.toml")
    other.write_text(text)
    subprocess.run(["mv", other, path], check=True)


def in_two_writes(path: pathlib.Path, text: str) -> None:
    half = len(text) // 2
    path.write_text(text[:half])
    with path.open("a") as file:
        file.write(text[half:])


def byte_by_byte(path: pathlib.Path, text: str) -> None:
    with path.open("wb", buffering=0) as file:
        for byte in text.encode():
            file.write(bytes([byte]))


def swapped_link(path: pathlib.Path, text: str) -> None:
    """Nix, stow and Kubernetes replace the link with one to a new file."""
    folder = path.with_name("versions")
    folder.mkdir(exist_ok=True)
    version = folder / f"{len(list(folder.iterdir()))}.toml"
    version.write_text(text)
    link = path.with_name("link.new")
    link.symlink_to(version)
    link.rename(path)


def link_target(path: pathlib.Path, text: str) -> None:
    """The target of a link is edited in its own folder."""
    real = pathlib.Path(os.path.realpath(path))
    if real == path.absolute():
        real = path.parent / "elsewhere" / "real.toml"
        real.parent.mkdir(exist_ok=True)
        path.rename(real)
        path.symlink_to(real)
    rename_over(real, text)


def sed_in_place(path: pathlib.Path, text: str) -> None:
    """`sed -i` replaces the file; this script replaces the first line with the text and deletes the others."""
    if path.is_symlink() or path.stat().st_size == 0:
        # With the same settings, because the program may read the file before sed has started.
        rename_over(path, path.read_text() + "#\n")
    script = "1c\\\n" + text.rstrip("\n").replace("\\", "\\\\").replace("\n", "\\\n") + "\n2,$d"
    subprocess.run(["sed", "-i", script, path], check=True)


def vim(path: pathlib.Path, text: str, *, backupcopy: str = "auto") -> None:
    program = next(name for name in ("vim", "vim.tiny", "vi") if shutil.which(name))
    source = path.with_name("typed.txt")
    source.write_text(text)
    # In Ex mode the empty line of an empty buffer vanishes when a file is read into it.
    commands = [f"set backupcopy={backupcopy}", "%d", f"0r {source}", "wq!"]
    arguments = [argument for command in commands for argument in ("-c", command)]
    subprocess.run(
        [program, "-u", "NONE", "-es", *arguments, path], check=True, stdin=subprocess.DEVNULL, timeout=stretched(30)
    )


def vim_in_place(path: pathlib.Path, text: str) -> None:
    vim(path, text, backupcopy="yes")


def vim_by_rename(path: pathlib.Path, text: str) -> None:
    vim(path, text, backupcopy="no")


WAYS = (
    truncate,
    rename_over,
    with_backup,
    removed_first,
    copied_over,
    moved_over,
    in_two_writes,
    byte_by_byte,
    swapped_link,
    link_target,
    sed_in_place,
    vim_in_place,
    vim_by_rename,
)
