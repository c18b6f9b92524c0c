"""What the command line chooses for a transformation, and what comes of one file."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from s2s.driver.passes import DEFAULT
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass
from s2s.targets.source_options import SourceOptions

if TYPE_CHECKING:
    from s2s.driver.advice import Measuring
    from s2s.driver.given_schedule import GivenSchedule
    from s2s.driver.offload.settings import OffloadOptions
    from s2s.driver.results import Region
    from s2s.source import Edit, SourceBuffer, Span
    from s2s.targets.request import Checked, Output


@dataclass(frozen=True)
class Options:
    """What the command line chooses for a transformation.

    ``passes`` are names with options, as ``s2s.driver.passes.make`` takes them. ``reassociate`` is
    also implied by flags such as -ffast-math, with which the compiler ``regroups``, too.
    ``compiler`` is the command that the new text is for: what gains depends on what it vectorizes
    by itself; ``interchanges``: it also changes the order of loops, as gcc does at -O3;
    ``vector``: how many bytes its vectors have, 0: unknown.
    ``hears_simd``: ``omp simd`` counts in the build, None: as its flags and the source say.
    ``target`` is a name that ``s2s.targets.registry.find`` knows; passes and what is said to them
    are for targets that take regions, as "cpu" does. ``spacelimit`` bounds the storage that
    renaming may add to a loop, in vectors; 0 does not. ``explain`` also lifts what no pass would
    change and describes every region, with ``line`` those around that line. ``force`` drops
    the conditions under which new code is expected to be faster, not those under which it is right.
    ``only``: no functions are looked at but those around one of these lines, none: all.
    With ``tune`` measurements choose among the passes.
    Without ``happens_before`` a program with OpenMP is ordered as its serial elision is, which
    shows what the explicit parallelism is worth. With ``probe`` the compiler is asked what it
    vectorizes, and remarks say so. ``others`` are the other files of the program, each with its
    flags. ``budget`` is processor time after which no other region is looked at, in seconds, 0 for
    no such limit; regions in deep nests come first then. Without ``check`` the result is not
    executed against the source before it leaves; what is proved, is proved all the same.
    ``given`` are sizes and parameters, ``header`` is the name by which printed C includes its
    header, empty if there is no file for it; ``of_target`` is an instance of the target's own
    dataclass of options, None for its defaults. With ``record`` the outcome has data about
    regions. With ``offload`` the program's regions go to devices. ``schedule``
    is what the user asks for in place of passes.
    """

    passes: tuple[str, ...] = tuple(DEFAULT)
    strict: bool = False
    reassociate: bool = False
    regroups: bool = False
    parallel: bool = False
    compiler: str = "gcc"
    interchanges: bool = False
    vector: int = 0
    hears_simd: bool | None = None
    target: str = "cpu"
    spacelimit: int = 0
    explain: bool = False
    line: int | None = None
    only: tuple[int, ...] = ()
    force: bool = False
    happens_before: bool = True
    tune: Measuring | None = None
    probe: bool = False
    budget: float = 0
    check: bool = True
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    given: SourceOptions = field(default_factory=SourceOptions)
    header: str = ""
    of_target: object = None
    record: bool = False
    offload: OffloadOptions | None = None
    schedule: GivenSchedule | None = None

    def asks_about(self, buffer: SourceBuffer, span: Span) -> bool:
        """Whether a function there is to be looked at."""
        lines = self.only if self.line is None else (self.line,)
        return not lines or any(buffer.has_line(span, line) for line in lines)

    def explains(self, buffer: SourceBuffer, span: Span) -> bool:
        """Whether a region there is one of those that are asked about."""
        return self.line is None or buffer.has_line(span, self.line)


@dataclass(frozen=True)
class Outcome:
    """One file after its way through: the text before and after, and what there is to say.

    ``companions`` are files to write beside the text, by name; ``suffix`` is the ending of the
    text's own name where that differs from the source's, ``name`` all of it where the target names
    its files. ``read`` are the files that the result depends on besides, None where that is not
    known. ``edits`` lead from the one text to the other, None where the text is made anew;
    ``regions`` are data about what was tried, where that is asked for.
    """

    path: str
    original: bytes = field(repr=False)
    text: bytes = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()
    explanation: str = ""
    companions: tuple[tuple[str, bytes], ...] = ()
    suffix: str = ""
    name: str = ""
    read: tuple[str, ...] | None = None
    edits: tuple[Edit, ...] | None = None
    regions: tuple[Region, ...] = ()

    @classmethod
    def of(cls, buffer: SourceBuffer, output: Output, checked: Checked) -> Outcome:
        """What a target printed, and what came of checking it."""
        return cls(
            buffer.path,
            buffer.data,
            output.text,
            (*output.diagnostics, *checked.said),
            output.explanation,
            output.companions,
            output.suffix,
            output.name,
        )

    @property
    def changed(self) -> bool:
        return self.text != self.original


DEFAULTS = Options()
