"""What measuring tells the driver, and what the driver shows it: it knows nobody who measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass
from s2s.targets.request import Searches

if TYPE_CHECKING:
    from s2s.driver.options import Options
    from s2s.frontends.c.regions import Attempt, Function
    from s2s.frontends.c.unit import Unit
    from s2s.scop.nodes import Scop
    from s2s.source import Edit

# The edit that a pass with its options makes of the region, with or without the conditions that
# are about the gain only; None where the pass declines.
EditOf = Callable[[str, bool], "Edit | None"]


@dataclass(frozen=True)
class Advice:
    """The passes to try for a region, what to add to the remark, and what else to say."""

    specs: tuple[str, ...]
    remark: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Region:
    """A region that a choice is to be made for."""

    function: Function
    attempt: Attempt
    scop: Scop
    edit_of: EditOf


class Adviser(Protocol):
    """Chooses for the regions of one file; ``named`` are the parameters that regions had."""

    named: set[str]

    def advise(self, region: Region) -> Advice:
        """Which passes to try for a region."""
        ...

    def unknown_sizes(self) -> Iterator[Diagnostic]:
        """Warnings about sizes of what none of the regions so far has as a parameter."""
        ...

    def for_the_rest(self) -> Measuring:
        """The same measuring with the time that is left."""
        ...


class Measuring(Searches, Protocol):
    """What ``--tune`` asks for; ``budget`` is seconds of it for one file."""

    @property
    def budget(self) -> float: ...

    def adviser(self, unit: Unit, options: Options) -> Adviser:
        """What chooses for the regions of a file."""
        ...
