"""``s2s transform --target emu``: a program with parallel loops as C for Emu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.source import SourceBuffer

if TYPE_CHECKING:
    from s2s.driver import Options, Outcome


def transform(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Outcome:
    """The program in one file, its own headers included.

    Raises UserError for what cannot be parsed or has no counterpart on Emu.
    """
    from s2s.compiler import builtin_include_flags
    from s2s.driver import Outcome
    from s2s.emu.lowering.lower import Choices, lower

    steps = options.emu.steps
    choices = Choices(remote="remote" in steps, home="home" in steps, headers=options.emu.headers)
    done = lower(buffer, flags, builtin_include_flags("gcc", "c"), choices)
    return Outcome(buffer.path, buffer.data, done.text, done.diagnostics)
