"""The arguments that the shims around system calls pass to an arm64 kernel. The shims assert sizes at compile time."""

import pytest
from conftest import HERE, ROOT

SOURCES = [HERE / "kernel_abi.c", ROOT / "Sources/CV4L2/CV4L2.c", ROOT / "Sources/CLinux/CLinux.c"]


# gcc does not know the annotations that tell Swift which pointers may be null.
FLAGS = {"clang": (), "gcc": ("-D_Nonnull=",)}


@pytest.mark.parametrize("compiler", FLAGS)
@pytest.mark.parametrize("sign", ["-fsigned-char", "-funsigned-char"])
def test_ioctl_requests_have_the_same_numbers_as_on_this_machine(build, compiler, sign):
    """The kernel lab tests this machine's numbers on a real driver."""
    arm64 = build("arm64", compiler, SOURCES, (sign, *FLAGS[compiler])).run()
    assert arm64 == build("this", compiler, SOURCES, (sign, *FLAGS[compiler])).run()
    assert arm64.count("0x") == 27


def test_an_epoll_event_identifies_its_file(build):
    """The structure is packed on x86-64 only."""
    assert build("arm64", "clang", SOURCES).run().splitlines()[-1] == "epoll 0: 1 event, of its file"
