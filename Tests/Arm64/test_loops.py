"""The loops over every byte of a picture, in the instructions of arm64."""

import re
import subprocess

import pytest
from conftest import HERE, INCLUDES, LANGUAGE, PAGE_SIZES, ROOT, TRAPS, compilers

SOURCES = [
    HERE / "loops.c",
    *(ROOT / "Sources/CPixels" / name for name in ("CPixels.c", "Samples.c", "Light.c", "Statistics.c")),
]
COUNT = 1500
SEEDS = [1, pytest.param(2, marks=pytest.mark.release)]
SIGNS = ("-fsigned-char", "-funsigned-char")
# char is unsigned on arm64 and signed on x86. Unaligned loads work on both, and are undefined in C.
VARIANTS = [
    ("arm64", "clang", ["-mstrict-align"]),
    ("arm64", "clang", TRAPS),
    *(
        pytest.param(processor, compiler, [sign], marks=pytest.mark.release)
        for processor in ("arm64", "this")
        for compiler in ("clang", "gcc")
        for sign in SIGNS
    ),
    pytest.param("this", "clang", TRAPS, marks=pytest.mark.release),
]


@pytest.fixture(scope="module")
def loops(build):
    return lambda processor, compiler="clang", flags=(): build(processor, compiler, SOURCES, flags)


@pytest.fixture(scope="module")
def results_here(loops):
    """The results for random pictures with the vector instructions of this machine."""
    here = loops("this", "gcc")
    return {seed: results(here, seed) for seed in (1, 2)}


def results(program, seed, **how):
    """The first line, which holds the page size, and a line for each call."""
    first, *lines = program.run(seed, COUNT, **how).splitlines()
    assert len(lines) == 6 * COUNT
    return first, lines


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("page_size", PAGE_SIZES)
def test_the_sums_of_random_pictures_are_the_same_as_on_this_machine(loops, results_here, page_size, seed):
    first, lines = results(loops("arm64"), seed, page_size=page_size)
    assert first == f"page size {page_size}"
    assert lines == results_here[seed][1]


@pytest.mark.parametrize(
    "processor, compiler, flags", VARIANTS, ids=lambda value: value[0] if isinstance(value, list) else value
)
def test_the_sums_do_not_depend_on_compiler_or_flags(loops, results_here, processor, compiler, flags):
    assert results(loops(processor, compiler, tuple(flags)), 1)[1] == results_here[1][1]


@pytest.fixture(scope="module")
def listing(tmp_path_factory):
    """The instructions of all loops."""
    folder, listing = tmp_path_factory.mktemp("listing"), ""
    for source in SOURCES[1:]:
        output = folder / source.with_suffix(".o").name
        command = [*compilers()["arm64", "clang"][:2], *LANGUAGE, *INCLUDES, "-c", str(source), "-o", str(output)]
        subprocess.run(command, check=True)
        listing += subprocess.check_output(["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", output], text=True)
    return listing


@pytest.mark.parametrize(
    "function, instruction",
    [
        ("cpixels_add_bytes", r"uaddw2?\s+v"),
        ("cpixels_add_bytes", r"umin\s+v"),
        ("cpixels_add_ycbcr", r"uaddw2?\s+v"),
        ("cpixels_add_ycbcr", r"umax\s+v"),
        ("cpixels_add_ycbcr", r"mla\s+v"),
        ("cpixels_add_packed", r"umin\s+v"),
        ("cpixels_add_packed", r"umax\s+v"),
        ("cpixels_add_packed", r"mla\s+v"),
        ("cpixels_copy_samples", r"mla\s+v|smlal2?\s+v"),
        ("cpixels_light", r"mla\s+v"),
        ("cpixels_add_statistics", r"uqsub\s+v"),
    ],
)
def test_the_loops_are_vectorised(listing, function, instruction):
    """In a release build, Swift's clang compiles them to NEON instructions, which every arm64 processor has."""
    body = re.search(rf"<{function}>:\n(.*?)\n\n", listing + "\n\n", re.DOTALL)[1]
    assert re.search(rf"\t{instruction}", body)
