"""What a pass says of itself, and the kind of pass that works on SCoPs.

A pass is a frozen dataclass; its fields are its options. What it looks for, the form in which it
takes a program and where it may act are members of its class, which ``transform``, ``explain`` and
``--tune`` ask alike. isl is not needed here, so that what decides whether a file is worth a look is
there at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.nodes import Scop
    from s2s.transforms.transformed import Transformed


class Look(Enum):
    """What loops show in their text and then in their syntax, before anything is lifted."""

    NEST = "a nest of counted loops, or a loop that threads share"
    INNERMOST = "an innermost loop that compilers leave scalar, or make slow vectors of"
    PLACES = "an innermost loop with more places in memory than compilers compare"
    DIVISION = "an innermost loop that divides what it counts by a variable"
    REMAINDER = "an innermost loop that takes remainders of sums by a variable"
    WALK = "a loop that chooses what it stores to where a pointer walks"
    COPY = "a loop that does nothing but copy elements"
    ROWS = "a nest that reads narrow integers of several rows"
    MEMBERS = "a nest that stores to narrow integers or beside members of records behind pointers"
    ROOTS = "a loop with square roots, or with calls of what has some"
    LOOP = "any counted loop"
    OUTER = "a counted loop with loops or calls inside"


class Form(Enum):
    """What a pass is asked about. Passes on files come first, those on sequences last."""

    FILE = "a whole file"
    REGION = "a region: an outermost loop or parallel construct, or what is inside"
    SEPARATE = "a region with each statement of the source for itself and all scalars as memory"
    LOOPS = "a region as it stands, also an innermost loop by itself"
    FUNCTION = "a function, where no pass on regions has edited it"
    REST = "a region that no other pass has changed, where parallel loops may be added"
    SEQUENCE = "several statements of a block, where nothing has edited them"


class Pass(ABC):
    """What all passes have: a name, and what they look for.

    ``version`` is raised when a pass changes so that what ``--tune`` has measured no longer holds.
    """

    name: ClassVar[str]
    form: ClassVar[Form]
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST})
    version: ClassVar[int] = 1


class ScopPass(Pass):
    """A pass that is pure: from a SCoP and its dependences to a SCoP with a target schedule.

    One that ``keeps_calls`` moves the calls in tasks as they are, and has no use for the bodies of
    what is called.
    """

    form: ClassVar[Form] = Form.REGION
    keeps_calls: ClassVar[bool] = False
    one_loop: ClassVar[bool] = False
    """Whether it takes nothing but regions that are one loop without others inside."""
    own_loops: ClassVar[bool] = False
    """Whether a loop of a function gains as much where it stands as with its body in a caller's."""

    @abstractmethod
    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Raises NotApplicable with the place and the reason."""
