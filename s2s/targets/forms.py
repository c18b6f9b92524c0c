"""The forms in which targets take a program: a nest, a contraction, a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from s2s.source.diagnostics import Location
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.net.source import Caller
    from s2s.scop.accelerator import Accelerator, StreamOrigin
    from s2s.scop.contraction import Contraction, Wishes
    from s2s.scop.nest import For, Nest
    from s2s.scop.pipeline import Pipeline
    from s2s.scop.trace import Trace
    from s2s.source import SourceBuffer, Span


class Source(Protocol):
    """The program as the user wrote it, to be run beside what is made of it."""

    def caller(self, arrays: Sequence[str]) -> Caller:
        """A file that calls it with arrays. Raises NotCallable."""
        ...


@dataclass(frozen=True)
class NestProgram:
    """A function of C or a pipeline, as loops over tensors.

    ``described`` are words for remarks: "pipeline blur: 3 Funcs", "function blur". A ``pipeline``
    keeps its definitions; its nest is in the order of its schedule, of which ``unproved`` says why
    no proof was made, empty if there is one. That of a C function has the function's order.
    """

    nest: Nest
    described: str
    at: Location
    source: Source = field(repr=False, compare=False)
    pipeline: Pipeline | None = None
    unproved: str = ""


@dataclass(frozen=True)
class TracedProgram:
    """A function of C by what it leaves in memory when it runs on symbols."""

    trace: Trace
    described: str
    at: Location
    source: Source = field(repr=False, compare=False)


@dataclass(frozen=True)
class ContractionProgram:
    """A contraction, and what its schedule asks for.

    ``asked_at`` is the last directive of the schedule, if there is one. ``layers`` are several,
    each of which is the image of the next; the contraction is then the last one.
    """

    contraction: Contraction
    wishes: Wishes
    at: Location
    source: Source = field(repr=False, compare=False)
    asked_at: Location | None = None
    layers: tuple[Contraction, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """The pipeline of an accelerator, and where its tile lies in it.

    The host runs the accelerator in the loops ``around``, outermost first. ``streams`` says of
    which Func each stream has elements.
    """

    pipeline: Pipeline
    around: tuple[For, ...]
    streams: Mapping[str, StreamOrigin]
    remarks: tuple[tuple[str, Span | None], ...] = ()


@dataclass(frozen=True)
class ProgramFiles:
    """A memory file, its compute file, and the program's name in it."""

    memory: str
    compute: str
    name: str


@dataclass(frozen=True)
class AcceleratorProgram:
    """What an array of processing elements runs, and what its host does around it.

    ``host`` is the whole program's nest in which a call of the accelerator stands where its loops
    were; None where the source is the accelerator alone (Clockwork's ``files``). ``updated`` are
    arrays that the host's function reads and writes.
    """

    accelerator: Accelerator
    described: str
    at: Location
    source: Source | None = field(repr=False, compare=False)
    host: Nest | None = None
    surroundings: Surroundings | None = None
    files: ProgramFiles | None = None
    updated: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ProgramText:
    """A program as the user wrote it, and after the passes that come first."""

    source: SourceBuffer
    text: SourceBuffer
