"""What a compiler says that it vectorizes: its remarks, read.

gcc says so under ``-fopt-info-vec``, clang under ``-Rpass=``. That a loop is vectorized does not
mean that it is faster: it rests on a compiler's estimate, not on a measurement.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from s2s.source.compiler import family
from s2s.source.records import dataclass

LIMIT_SECONDS = 300.0

_ASK = {
    "gcc": ("-fopt-info-vec-optimized",),
    "clang": ("-Rpass=loop-vectorize|slp-vectorizer|loop-idiom",),
}
_PLACE = r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): "
_GCC = re.compile(_PLACE + r"optimized: +(?P<what>loop|basic block part) vectorized", re.M)
_CLANG = re.compile(_PLACE + r"remark: (?!interleaved ).*\[-Rpass=(?P<what>[\w-]+)\]$", re.M)


class Kind(Enum):
    """What became of a piece of code; the value is the letter that tables have for it."""

    LOOP = "V"
    BLOCK = "s"
    LIBRARY = "m"

    @property
    def words(self) -> str:
        """In a sentence: gcc vectorizes ..."""
        return {
            Kind.LOOP: "the loop",
            Kind.BLOCK: "straight-line code",
            Kind.LIBRARY: "it as a call of memcpy or memset",
        }[self]


NOT_VECTORIZED = "-"
_KINDS = {
    "loop": Kind.LOOP,
    "basic block part": Kind.BLOCK,
    "loop-vectorize": Kind.LOOP,
    "slp-vectorizer": Kind.BLOCK,
    "loop-idiom": Kind.LIBRARY,
}


@dataclass(frozen=True, order=True)
class Report:
    """A compiler says that it vectorizes what is at this place; ``line`` counts from 1."""

    path: str
    line: int
    kind: Kind


class CannotCompileError(Exception):
    """The compiler is not there, or does not take the file; the text is its first error."""


def questions(compiler: str) -> tuple[str, ...]:
    """The flags that make a compiler say what it vectorizes."""
    return _ASK[family(shlex.split(compiler)[-1])]


def reports(messages: str) -> tuple[Report, ...]:
    """What the messages of a compiler, asked that way, say of its vectorizer; sorted by place."""
    found = {*_read(_GCC, messages), *_read(_CLANG, messages)}
    return tuple(sorted(found, key=lambda r: (r.path, r.line, r.kind.value)))


def _read(pattern: re.Pattern[str], messages: str) -> Iterator[Report]:
    for match in pattern.finditer(messages):
        yield Report(match["path"], int(match["line"]), _KINDS[match["what"]])


def letters(found: Iterable[Report]) -> str:
    """One letter for some reports: a vectorized loop outweighs a block, and that a library call."""
    kinds = {report.kind for report in found}
    return next((kind.value for kind in Kind if kind in kinds), NOT_VECTORIZED)


def compile_asking(
    compiler: str, flags: Sequence[str], source: str, output: str
) -> tuple[Report, ...]:
    """Compile one file to an object, and what the compiler says that it vectorizes.

    Raises CannotCompileError.
    """
    command = [*shlex.split(compiler), *flags, *questions(compiler), "-c", source, "-o", output]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
            timeout=LIMIT_SECONDS,
        )
    except OSError as error:
        raise CannotCompileError(f"{command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise CannotCompileError(f"{command[0]} takes more than {error.timeout:.0f} s") from error
    messages = done.stderr.decode("utf-8", "replace")
    if done.returncode:
        errors = [line for line in messages.splitlines() if "error" in line]
        raise CannotCompileError((errors or ["no message"])[0])
    return reports(messages)
