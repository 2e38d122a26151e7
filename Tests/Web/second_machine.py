"""A second machine on a network with this one: a network namespace of the kernel."""

import contextlib
import os
import subprocess

import pytest

# Other test runs, and what is left of one that was killed, have other names. That of a link has at most 15 bytes.
NAME = f"swatchcam-test-{os.getpid()}"
LINK = f"swatch{os.getpid()}a"
ITS_LINK = f"swatch{os.getpid()}b"


@contextlib.contextmanager
def second_machine(ours: str, theirs: list[str]):
    """The prefix that runs a command on that machine. Addresses include their prefix length, such as ::1/64."""
    its_ip = ["ip", "-n", NAME]
    commands = [
        ["ip", "netns", "add", NAME],
        ["ip", "link", "add", LINK, "type", "veth", "peer", "name", ITS_LINK, "netns", NAME],
        _address(["ip"], LINK, ours),
        *[_address(its_ip, ITS_LINK, address) for address in theirs],
        ["ip", "link", "set", LINK, "up"],
        [*its_ip, "link", "set", ITS_LINK, "up"],
    ]
    try:
        for command in commands:
            made = subprocess.run(command, check=False, capture_output=True, text=True)
            if "not permitted" in made.stderr or "Permission denied" in made.stderr:
                pytest.skip(f"this user may not make a network namespace: {made.stderr.strip()}")
            assert made.returncode == 0, f"{' '.join(command)}: {made.stderr}"
        yield ["ip", "netns", "exec", NAME]
    finally:
        subprocess.run(["ip", "netns", "del", NAME], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", LINK], check=False, capture_output=True)


def _address(ip: list[str], link: str, address: str) -> list[str]:
    """The command that adds an address to a link.

    Without `nodad`, an IPv6 address cannot be used until the kernel has looked for a duplicate.
    """
    return [*ip, "addr", "add", address, "dev", link, *(["nodad"] if ":" in address else [])]
