"""Completion in shells."""

import subprocess

import pytest

COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
[[ $(complete -p swatchcam) =~ -F\\ ([^ ]+) ]]
"${BASH_REMATCH[1]}" swatchcam "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(unpacked, *words):
    """What bash offers when Tab is pressed after these words."""
    script = unpacked / "usr/share/bash-completion/completions/swatchcam"
    command = ["bash", "--norc", "-c", COMPLETE, "bash", str(script), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["swatchcam", "cam"], "cameras"),
        (["swatchcam", "st"], "status"),
        (["swatchcam", "ex"], "exposure"),
        (["swatchcam", "read", "--co"], "--count"),
        (["swatchcam", "serve", "--po"], "--port"),
    ],
)
def test_bash_completes_commands_and_options(unpacked, words, expected):
    assert expected in completed(unpacked, *words)


def test_the_completions_for_zsh_are_for_swatchcam(unpacked):
    text = (unpacked / "usr/share/zsh/vendor-completions/_swatchcam").read_text()
    assert text.startswith("#compdef swatchcam\n")


def test_the_completions_for_fish_are_for_swatchcam(unpacked):
    text = (unpacked / "usr/share/fish/vendor_completions.d/swatchcam.fish").read_text()
    assert "complete -c 'swatchcam'" in text
