"""The resources that a process uses, as the kernel counts them under /proc."""

import os
from pathlib import Path


def resident(pid: int) -> float:
    """Resident memory, in MiB."""
    return _status(pid, "VmRSS") / 1024


def peak(pid: int) -> float:
    """The most memory that was ever resident, in MiB."""
    return _status(pid, "VmHWM") / 1024


def proportional(pid: int) -> float:
    """Memory, in MiB, of which each page counts in equal parts for the processes that share it (PSS)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def threads(pid: int) -> int:
    return _status(pid, "Threads")


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def mappings(pid: int) -> int:
    return len(Path(f"/proc/{pid}/maps").read_text().splitlines())


def processor_time(pid: int) -> float:
    """Processor time used so far in user and kernel mode, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(pid: int) -> list[str]:
    """The target of each open descriptor, such as /dev/null or socket:[4711]."""
    targets = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            targets.append(os.readlink(entry))
        except FileNotFoundError:
            continue  # closed in the meantime
    return targets


def sockets(pid: int) -> int:
    return sum(target.startswith("socket:") for target in descriptors(pid))
