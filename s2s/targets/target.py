"""What a target is: a name, its options, and what it takes through each of the two doors.

A file comes in as C or as Halide-like C++. The driver reads it into the form that the target takes
there, runs its passes, lets it print, and has what was printed checked before it leaves::

    TARGET = Target(
        name="mine",
        help="one line for 's2s targets'",
        c=Nests(emit),
        halide=Nests(emit),
    )

``s2s.targets.registry`` finds targets by their names, those of other packages by the entry points
of the group ``s2s.targets``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.unit import Unit
    from s2s.source.spatial.layers import Network
    from s2s.targets.forms import (
        AcceleratorProgram,
        ContractionProgram,
        NestProgram,
        ProgramText,
        TracedProgram,
    )
    from s2s.targets.request import Edited, Output, Request


@dataclass(frozen=True)
class Regions:
    """Takes regions of C: passes change their Scops, and they are printed where they stood."""


@dataclass(frozen=True)
class Edits:
    """Takes a parsed C file and edits it; ``sizes``: those of the request are of use for that."""

    edit: Callable[[Unit, Request], Edited]
    sizes: bool = False


@dataclass(frozen=True)
class Nests:
    """Takes a loop nest over tensors. ``emit`` raises UserError for what it cannot print."""

    emit: Callable[[NestProgram, Request], Output]


@dataclass(frozen=True)
class Traces:
    """Takes what a function of C leaves in memory when it runs on symbols.

    ``emit`` raises UserError for what it cannot print.
    """

    emit: Callable[[TracedProgram, Request], Output]


@dataclass(frozen=True)
class Contractions:
    """Takes a convolution or a product of matrices. ``emit`` raises UserError, as above.

    ``layers``: several of them, too, each with the one before as its image. ``maxima``: of what is
    none, maxima over windows; None for what is no such either.
    """

    emit: Callable[[ContractionProgram, Request], Output]
    layers: bool = False
    maxima: Callable[[TracedProgram, Request], Output | None] | None = None


@dataclass(frozen=True)
class Accelerators:
    """Takes operations over buffers, in loops of constant bounds."""

    emit: Callable[[AcceleratorProgram, Request], Output]


def _no_passes(options: Any) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Programs:
    """Takes a whole program's text.

    ``passes`` says with the target's options which passes change it first, as text, compiled with
    ``flags`` besides the user's.
    """

    emit: Callable[[ProgramText, Request], Output]
    passes: Callable[[Any], tuple[str, ...]] = _no_passes
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """Takes nothing through this door; ``reason`` ends the sentence "no ... for it: "."""

    reason: str


Way = Regions | Edits | Nests | Traces | Contractions | Accelerators | Programs | Refused


@dataclass(frozen=True)
class Target:
    """What s2s writes for.

    ``help`` is a line for the user. ``options`` is None, or a frozen dataclass with a default and
    the metadata of ``flag`` for each field: the command line has ``--NAME-FIELD`` for each.
    ``machines`` are names of ``s2s simulate`` that run what is printed. With ``searches`` it has a
    use for ``--tune``; the other targets but those of regions have none. One that ``names_files``
    writes several, into a directory. ``layers`` is what it makes of a file of layers (``.m``), None
    where it has no use for such; it raises UserError as well.
    """

    name: str
    help: str
    c: Way
    halide: Way
    options: type | None = None
    machines: tuple[str, ...] = ()
    searches: bool = False
    names_files: bool = False
    layers: Callable[[Network, Request], Output] | None = None

    @property
    def has_passes(self) -> bool:
        """Whether the user may choose passes, and all that is said to them."""
        return isinstance(self.c, Regions)

    @property
    def has_sizes(self) -> bool:
        """Whether sizes and parameters mean something for C, too."""
        ways = (Nests, Traces, Contractions, Accelerators)
        if isinstance(self.c, Edits):
            return self.c.sizes
        return isinstance(self.c, ways) or isinstance(self.halide, Accelerators)
