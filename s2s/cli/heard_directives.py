"""Whether a build's compiler listens to the ``omp simd`` of new text, and what lets it listen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from s2s.source.compiler import CommandLine, Input, has_directives, hears_simd

if TYPE_CHECKING:
    from s2s.driver.options import Outcome


class Transformed(Protocol):
    """A source and what became of it."""

    @property
    def outcome(self) -> Outcome | None: ...


def will_hear_simd(line: CommandLine, sources: Sequence[Input]) -> bool:
    """Whether ``omp simd`` counts in what a command compiles, by its own flags or by ours."""
    if _says_itself(line):
        return hears_simd(word.name for word in line.words)
    texts: list[bytes] = []
    for source in sources:
        with suppress(OSError):
            texts.append(Path(source.path).read_bytes())
    return not any(has_directives(text) for text in texts)


def simd_flags(line: CommandLine, changed: Sequence[Transformed]) -> tuple[str, ...]:
    """Ask for the ``omp simd`` of new text in a build without OpenMP, which would warn of it.

    Where the source has directives of its own they stay as unheard as they are without s2s.
    """
    if _says_itself(line):
        return ()
    outcomes = [result.outcome for result in changed if result.outcome]
    if any(has_directives(outcome.original) for outcome in outcomes):
        return ()
    return ("-fopenmp-simd",) if any(has_directives(o.text) for o in outcomes) else ()


def _says_itself(line: CommandLine) -> bool:
    return any("openmp" in word.name for word in line.words)
