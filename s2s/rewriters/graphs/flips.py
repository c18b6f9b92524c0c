"""Which loops of a function are flipped, and what is written for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import ClassVar

from s2s.frontends.c.graph_loops import VertexLoop
from s2s.frontends.c.graphs import vertex_loops
from s2s.frontends.c.regions import Function
from s2s.frontends.c.text import free_prefix
from s2s.rewriters.graphs.active import Rounds, is_alone, rounds
from s2s.rewriters.graphs.cost import asks, cost, passing
from s2s.rewriters.graphs.edge_lists import Program
from s2s.rewriters.graphs.flip import Flip, flippable
from s2s.rewriters.graphs.flipped import Flipped
from s2s.rewriters.graphs.layout import indented, margin_of
from s2s.rewriters.graphs.refused import Refused
from s2s.rewriters.graphs.rounds import Changed
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, Span
from s2s.source.records import dataclass

_PRAGMA = re.compile(rb"#\s*pragma\s+s2s\b")


@dataclass(frozen=True)
class Flips(TextPass):
    """Flips the loops of a function for a machine where that is expected to gain.

    ``direction`` is "push" or "pull" for all loops that can be flipped so, "any" where it gains.
    """

    machine: str
    direction: str
    reassociate: bool
    remote: bool = True
    changed: bool = True
    small: int = 0
    name: ClassVar[str] = "graph"
    exchanges_lists: ClassVar[bool] = True
    _programs: dict[int, Program] = field(default_factory=dict, compare=False)

    @property
    def gains_above(self) -> int:
        return self.small

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The loops of a function whose edges are flipped, and why others stay."""
        program = self._programs.setdefault(id(function.unit), Program(function.unit))
        taken: list[Span] = []
        for loop in vertex_loops(function):
            if any(loop.node.span.overlaps(s) for s in function.off) or function.hidden:
                continue
            try:
                for change in self._flipped(loop, program, len(taken)):
                    if any(_meet(s, Span(e.start, e.end)) for s in taken for e in change.edits):
                        continue
                    taken += [Span(e.start, e.end) for e in change.edits]
                    yield change
            except Refused as problem:
                if not problem.silent:
                    yield Rewrite(problem.where, problem.reason)

    def _flipped(self, loop: VertexLoop, program: Program, number: int) -> Iterator[Rewrite]:
        flip = flippable(loop, program, reassociate=self.reassociate)
        data = _PRAGMA.sub(b"", loop.function.unit.buffer.data)
        prefix = free_prefix(data) + (f"{number}_" if number else "")
        around = None
        if self.changed and not flip.pushes:
            try:
                around = rounds(flip)
            except Refused as problem:
                if not problem.silent:
                    yield Rewrite(problem.where, problem.reason)
        self._check_gain(flip, prefix, around)
        hybrid = self._is_hybrid(flip, prefix, around)
        text = Flipped(flip, flip.mirror(prefix), prefix, self.machine == "cpu")
        small = self.small if self.machine == "cpu" else 0
        changed = Changed(flip, around, text, prefix, self.machine, hybrid, small)
        edits = (_edit(flip, _place(flip), changed.text()), *changed.edits())
        words = _words(flip, changed=around is not None, hybrid=hybrid)
        yield Rewrite(loop.node.span, words, edits)

    def _is_hybrid(self, flip: Flip, prefix: str, around: Rounds | None) -> bool:
        """Whether the program shall choose as it runs: where only some vertices push.

        On Emu that is where conditions on both ends let only some of each through, as in searches
        level by level, and a push has to ask its neighbour.
        """
        if self.direction != "any" or not is_alone(flip.loop):
            return False
        if self.machine == "emu":
            mirror = flip.mirror(prefix)
            own, other = passing(flip, mirror)
            update = flip.update.first is None and flip.update.last is None
            return around is None and update and own < 1 and other < 1 and asks(flip, mirror)
        if flip.pushes:
            return False
        here, _ = Flipped(flip, flip.mirror(prefix), prefix).conditions()
        return around is not None or bool(here)

    def _check_gain(self, flip: Flip, prefix: str, around: Rounds | None) -> None:
        where, wanted = flip.loop.node.span, "pull" if flip.pushes else "push"
        if self.direction == wanted:
            return
        if self.direction != "any":
            raise Refused(where, f"not flipped: to {wanted} is not asked for")
        mirror = flip.mirror(prefix)
        found = cost(flip, mirror, self.machine, remote=self.remote, active=around is not None)
        if self._is_hybrid(flip, prefix, around):
            return
        if not found.gains:
            unit = "migrations" if self.machine == "emu" else "accesses"
            raise Refused(
                where, f"not flipped: to {wanted} is expected to take {found.flipped:.2f} {unit} "
                f"for each edge, not {found.now:.2f}",
            )  # fmt: skip


def _meet(one: Span, other: Span) -> bool:
    """Whether two edits concern the same text, or put something in at the same place."""
    return one.overlaps(other) or one.start == other.start or one.end == other.end


def _place(flip: Flip) -> Span:
    attempt = flip.loop.function.attempt([flip.loop.node])
    return Span(attempt.span.start, attempt.lifter.end(flip.loop.node))


def _edit(flip: Flip, span: Span, text: str) -> Edit:
    """The loop's text in place of the source's, which stays for arrays that are not apart."""
    loop = flip.loop
    if flip.apart:
        old = indented(loop.function.unit.buffer.text(span), 4)
        new = indented(text, 4)
        text = f"if ({' && '.join(flip.apart)}) {{\n{new}\n}} else {{\n{old}\n}}"
    moved = indented(text, len(margin_of(loop.function, loop.node)))
    moved = moved if loop.directives else moved.lstrip()  # a directive begins its line
    return Edit(span.start, span.end, moved.encode("utf-8", "surrogateescape"))


def _words(flip: Flip, *, changed: bool, hybrid: bool) -> str:
    if flip.pushes:
        when = " where those that push have many edges" if hybrid else ""
        return f"edges flipped: vertices pull along the edges' other ends, without atomics{when}"
    who = "vertices that have changed" if changed else "vertices"
    when = ", where they have few edges" if hybrid else ""
    return f"edges flipped: {who} push with atomic updates{when}"
