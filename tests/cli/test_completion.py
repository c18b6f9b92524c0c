"""The scripts and the page that are made of the parser: completion in a shell, the manual."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from s2s.cli.main import _COMMANDS, whole_parser

Run = Callable[..., CompletedProcess[bytes]]

_ASK = """\
source ./s2s.bash
function=$(complete -p s2s | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=({words}); COMP_CWORD={last}; COMPREPLY=()
$function s2s {word} {before}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def complete(run: Run) -> Callable[[str], set[str]]:
    """What bash proposes for the last word of a line."""
    pytest.importorskip("shtab", reason="shtab is not installed")
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    Path("s2s.bash").write_bytes(run("completion", "bash").stdout)

    def complete(line: str) -> set[str]:
        words = line.split(" ")
        quoted = [shlex.quote(word) for word in words]
        script = _ASK.format(
            words=" ".join(quoted), last=len(words) - 1, word=quoted[-1], before=quoted[-2]
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        assert not done.stderr
        return set(done.stdout.split())

    return complete


def test_bash_completes(complete: Callable[[str], set[str]]) -> None:
    Path("kernel.c").touch()
    assert complete("s2s t") >= {"transform", "tune", "targets"}
    assert complete("s2s transform --targ") == {"--target"}
    assert complete("s2s transform --target cl") == {"clockwork"}
    assert complete("s2s simulate --machine am") == {"amber"}
    assert complete("s2s explain ker") == {"kernel.c"}
    assert "--davinci-" not in complete("s2s transform --davinci-")
    assert complete("s2s completion ") == {"bash", "zsh", "fish"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_the_commands(run: Run, shell: str) -> None:
    pytest.importorskip("shtab", reason="shtab is not installed")
    script = run("completion", shell).stdout.decode()
    assert all(name in script for name in _COMMANDS)
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script.encode(), check=True)


def test_the_manual_has_every_option(run: Run) -> None:
    page = run("man").stdout.decode()
    text = page.replace("\\-", "-")
    for name, command in _COMMANDS.items():
        assert f'.SS "s2s {name}"' in text
        assert command.usage.split(" ")[0] in text
    parser = whole_parser()
    commands = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    help_ = "".join(sub.format_help() for a in commands for sub in a.choices.values())
    options = set(re.findall(r"^  (--[\w-]+)", help_, re.MULTILINE))
    assert len(options) > 60
    assert {option for option in options if option not in text} == set()
    if shutil.which("groff"):
        done = subprocess.run(
            ["groff", "-man", "-Tascii", "-ww"],
            input=page.encode(),
            capture_output=True,
            check=True,
        )
        assert done.stderr == b""  # no line that cannot be broken, either
        assert b"transform" in done.stdout
