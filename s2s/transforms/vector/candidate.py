"""What the pass ``polysimd`` asks for: ways to write a loop so that it vectorizes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from s2s.analyses.value_flow import ValueFlow
from s2s.scop.nodes import Construct, Loop, Scop, walk
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, OtherKind
from s2s.transforms.vector.dead import drop_dead_writes

if TYPE_CHECKING:
    import islpy as isl

    from s2s.analyses.vector_cost import Compiler
    from s2s.transforms.transformed import Proof


@dataclass(frozen=True)
class VectorLoop:
    """A region with the loops that may become vector loops, and what is known about it.

    ``dependences`` are those that any schedule of ``scop`` has to respect. ``reassociate`` allows
    another order of floating-point operations; ``paper`` asks for the renamings of the PolySIMD
    chapter and nothing else; ``spacelimit`` bounds their storage, in vectors (0: no bound), which
    have ``vector`` bytes on the machine that the flags choose.
    """

    scop: Scop
    dependences: isl.UnionMap
    compiler: Compiler = "gcc"
    reassociate: bool = False
    paper: bool = False
    spacelimit: int = 0
    vector: int = 16

    @cached_property
    def flow(self) -> ValueFlow:
        """Where the values come from that the region reads."""
        return ValueFlow(self.scop)

    @cached_property
    def lean(self) -> ValueFlow:
        """The same in the region without what nothing needs."""
        return drop_dead_writes(self.flow)

    @cached_property
    def innermost(self) -> tuple[Loop, ...]:
        """The loops without a loop inside, in the order of the source."""
        found = [n for n in walk(self.scop.tree) if isinstance(n, Loop)]
        return tuple(
            n for n in found if not any(isinstance(m, Loop) for m in walk(n) if m is not n)
        )

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """All loops, outside in where they are a nest."""
        return tuple(n for n in walk(self.scop.tree) if isinstance(n, Loop))

    def single(self) -> Loop:
        """The one loop that the region is. Raises NotApplicable where it is anything else."""
        if len(self.loops) != 1:
            raise OtherKind(self.scop.span, "the region is not one innermost loop")
        (loop,) = self.loops
        for statement in self.scop.statements:
            if statement.depth != 1:
                raise NotApplicable(statement.span, "a statement stands outside of the loop")
        for node in walk(self.scop.tree):
            if isinstance(node, Construct):
                raise OtherKind(node.span, f"'{node.kind.value}' keeps its place")
        return loop


@dataclass(frozen=True)
class Candidate:
    """A way to write the loop: ``scop`` has a target schedule, and in its ``history`` the words of
    the remark.

    ``profitable``, ``instances`` and ``proof`` are those of ``Transformed``. ``cycles`` is an
    estimate for each iteration of the source's loop where the general model
    (``analyses/vector_cost.py``) cannot see what is gained. ``shortest`` are the iterations of the
    loop below which it is not.
    """

    scop: Scop
    profitable: isl.Set | None = None
    instances: isl.UnionMap | None = None
    proof: Proof | None = None
    cycles: float | None = None
    shortest: int = 0


class Proposer(Protocol):
    """Yields candidates for a loop; nothing or NotApplicable where it has none to offer.

    Whether they are legal is proved elsewhere; the cheapest legal one is taken.
    """

    def __call__(self, loop: VectorLoop) -> Iterator[Candidate]: ...
