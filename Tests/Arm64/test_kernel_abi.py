"""What the shims around system calls hand to an arm64 kernel. That they compile is half of it: sizes are asserted."""

import pytest
from conftest import HERE, ROOT

SOURCES = [HERE / "kernel_abi.c", ROOT / "Sources/CV4L2/CV4L2.c", ROOT / "Sources/CLinux/CLinux.c"]


# Whether a pointer may be null is for Swift to know; gcc does not.
FLAGS = {"clang": (), "gcc": ("-D_Nonnull=",)}


@pytest.mark.parametrize("compiler", FLAGS)
@pytest.mark.parametrize("sign", ["-fsigned-char", "-funsigned-char"])
def test_requests_have_the_numbers_that_they_have_on_this_machine(build, compiler, sign):
    """The kernel lab tries these, on a real driver."""
    arm64 = build("arm64", compiler, SOURCES, (sign, *FLAGS[compiler])).run()
    assert arm64 == build("this", compiler, SOURCES, (sign, *FLAGS[compiler])).run()
    assert arm64.count("0x") == 28


def test_epoll_says_which_file(build):
    """Its structure is packed on x86-64, and on nothing else."""
    assert build("arm64", "clang", SOURCES).run().splitlines()[-1] == "epoll 0: 1 event, of its file"
