"""The tree of a SCoP, and when what stands in it runs.

A time is a list of isl texts: the places in sequences, and the variables of loops, negated where
they count down.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import Raw, RawBranch, RawConstruct, RawLeaf, RawLoop, RawSequence
from s2s.scop import nodes as scop
from s2s.scop.nodes import Kind
from s2s.source import Span
from s2s.source.records import dataclass

_BARRIER_AT_END = frozenset({Kind.PARALLEL, Kind.LOOP, Kind.SECTIONS, Kind.SINGLE})
_POINTS = frozenset({Kind.TASKWAIT, Kind.BARRIER, Kind.TASKGROUP, Kind.ORDERED})

Moment: TypeAlias = tuple[Context, list[str], Span]
"""For which iterations something happens, at what time, and where in the text."""


@dataclass
class Timeline:
    """Numbers leaves and constructs as ``tree`` meets them, and notes their times.

    ``statements`` are the leaves with their names and times, ``points`` where threads wait, by
    name, and ``starts`` where constructs begin, by number.
    """

    statements: list[tuple[RawLeaf, str, list[str]]] = field(default_factory=list)
    points: dict[str, Moment] = field(default_factory=dict)
    starts: dict[int, Moment] = field(default_factory=dict)
    _constructs: int = 0

    @property
    def length(self) -> int:
        """Entries of the longest time."""
        moments = (*self.points.values(), *self.starts.values())
        times = [time for _, _, time in self.statements] + [time for _, time, _ in moments]
        return max(len(time) for time in times)

    def tree(self, raw: Raw, time: list[str]) -> scop.Tree:
        """The SCoP's tree of a raw one that begins at a time. Raises NotLiftable."""
        if isinstance(raw, RawLeaf):
            name = f"S{len(self.statements) + 1}"
            self.statements.append((raw, name, time))
            return scop.Leaf(name, raw.span)
        if isinstance(raw, RawSequence):
            children = tuple(self.tree(c, [*time, str(i)]) for i, c in enumerate(raw.children))
            return scop.Sequence(children, raw.span)
        if isinstance(raw, RawLoop) and raw.blocks:
            return self.tree(raw.body, time)
        if isinstance(raw, RawLoop):
            name = raw.variable.name
            inner = [*time, name if raw.step > 0 else f"-{name}"]
            return scop.Loop(
                raw.variable, raw.step, self.tree(raw.body, inner), raw.span, raw.header
            )
        if isinstance(raw, RawBranch):
            then = self.tree(raw.then, [*time, "0"])
            otherwise = None if raw.otherwise is None else self.tree(raw.otherwise, [*time, "1"])
            return scop.Branch(then, otherwise, raw.span)
        return self._construct(raw, time)

    def _construct(self, raw: RawConstruct, time: list[str]) -> scop.Construct:
        self._constructs += 1
        number = self._constructs
        nowait = raw.directive.clause("nowait") is not None
        body = self.tree(raw.body, [*time, "0"])
        point = None
        self.starts[number] = self._start(raw, [*time, "0"])
        if raw.kind in _POINTS or (raw.kind in _BARRIER_AT_END and not nowait):
            point = f"W{len(self.points) + 1}"
            self.points[point] = (raw.context, [*time, "1"], raw.span)
        return scop.Construct(
            number, raw.kind, body, raw.span, _distributed(raw), nowait,
            name=raw.directive.clauses[0].argument
            if raw.kind is Kind.CRITICAL and raw.directive.clauses else "",
            depends=raw.depends, point=point,
            clauses=tuple((c.name, c.argument) for c in raw.directive.clauses),
            eager=raw.eager, sinks=raw.sinks,
        )  # fmt: skip

    def _start(self, raw: RawConstruct, time: list[str]) -> Moment:
        """Where and when a construct begins; of a distributed loop each of its iterations."""
        context, body = raw.context, raw.body
        remaining = _distributed(raw) if raw.kind in (Kind.LOOP, Kind.TASKLOOP) else 0
        while remaining:
            if isinstance(body, RawSequence) and len(body.children) == 1:
                body, time = body.children[0], [*time, "0"]
                continue
            if not isinstance(body, RawLoop):
                raise NotLiftable(raw.span, "the loops that run in parallel share a scalar")
            name = body.variable.name
            time = [*time, name if body.step > 0 else f"-{name}"]
            context, body, remaining = body.context, body.body, remaining - 1
        return context, time, raw.span


def _distributed(construct: RawConstruct) -> int:
    """How many loops of the SCoP a worksharing loop distributes; 0 where they are over blocks.

    Then nothing is said about its iterations' order: they keep the one of the serial program.
    """
    body: Raw = construct.body
    for _ in range(construct.collapse):
        while isinstance(body, RawSequence | RawConstruct):
            if isinstance(body, RawSequence) and len(body.children) != 1:
                return construct.collapse
            body = body.children[0] if isinstance(body, RawSequence) else body.body
        if isinstance(body, RawLoop):
            if body.blocks:
                return 0
            body = body.body
    return construct.collapse
