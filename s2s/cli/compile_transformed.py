"""Compile a command's sources in their transformed form, as if the text were their own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from s2s.cli.heard_directives import simd_flags
from s2s.driver.child import SignalledError, held_back
from s2s.source.compiler import CommandLine, Input
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.cli.stand_in import Staged
    from s2s.driver.options import Outcome


class Transformed(Protocol):
    """A source and what became of it."""

    @property
    def source(self) -> Input: ...

    @property
    def outcome(self) -> Outcome | None: ...


KEPT = "it cannot be compiled from another place"
"""Why a source's own text is compiled although there is another one."""


@dataclass(frozen=True)
class Compiled:
    """The compiler's status; where that is not zero, or nothing ran, None and the ``reason``.

    ``kept`` are sources whose own text was compiled although there is another one.
    """

    status: int | None
    reason: str = ""
    kept: tuple[Input, ...] = ()


def compile_transformed(line: CommandLine, changed: Sequence[Transformed]) -> Compiled:
    """Compile with the changed texts in the place of their originals."""
    import shutil
    import tempfile

    try:
        directory = tempfile.mkdtemp(prefix="s2s-")
    except OSError as error:
        return Compiled(None, f"no temporary directory: {error.strerror}")
    try:
        return _compile_in(directory, line, changed)
    except Exception as error:
        return Compiled(None, repr(error))
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _compile_in(directory: str, line: CommandLine, changed: Sequence[Transformed]) -> Compiled:
    from s2s.cli import stand_in

    staged: list[Staged] = []
    for number, result in enumerate(changed):
        one = result.outcome and stand_in.stage(
            line, result.source, result.outcome, os.path.join(directory, str(number))
        )
        if one:
            staged.append(one)
    if not staged:
        return Compiled(None, KEPT)
    flags = stand_in.front_flags(staged)
    if any(one.searches_own_directory for one in staged) and not stand_in.finds_same_headers(
        directory, line, staged, flags
    ):
        return Compiled(None, "the transformed text would include other headers")
    asked = (*_colour_flags(line), *simd_flags(line, changed))
    command = stand_in.command(directory, line, staged, (*asked, *flags))
    status, output = _compile(command, line, staged)
    if status:
        return Compiled(None, f"the transformed text does not compile{_first_error(output[1])}")
    for text, stream in zip(output, (sys.stdout, sys.stderr), strict=True):
        stream.flush()
        stream.buffer.write(text)
        stream.flush()
    used = {one.source for one in staged}
    return Compiled(0, kept=tuple(r.source for r in changed if r.source not in used))


def _first_error(output: bytes) -> str:
    """What the compiler says of the first error, without places: these are in text nobody sees."""
    found = re.search(
        r"error: (?:\x1b\[[\d;]*[mK])*([^\n\x1b]+)", output.decode("utf-8", "replace")
    )
    return f" ({found[1]})" if found else ""


def _colour_flags(line: CommandLine) -> tuple[str, ...]:
    """Ask for the colours that the compiler would use if it wrote to the terminal itself."""
    decided = any(
        "diagnostics-color" in w.name or "color-diagnostics" in w.name for w in line.words
    )
    if decided or not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return ()
    return ("-fdiagnostics-color=always",)


def _compile(
    command: list[str], line: CommandLine, staged: list[Staged]
) -> tuple[int, tuple[bytes, bytes]]:
    """Run a compiler; its status and what it wrote. Its dependency files name the originals."""
    import subprocess

    from s2s.cli import stand_in

    try:
        with held_back():
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False
            )
        output = process.communicate()
    except SignalledError as signalled:
        process.send_signal(signalled.number)
        process.communicate()
        raise
    finally:
        complete = stand_in.mend_dependency_files(line, staged)
    return process.returncode or (0 if complete else 1), output
