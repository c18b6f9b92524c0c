"""Which loops of a function are flipped, and what is written for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from s2s.frontends.c.graphs import VertexLoop, vertex_loops
from s2s.frontends.c.regions import Function
from s2s.graphs.flip import Flip, flippable
from s2s.graphs.flipped import Flipped
from s2s.graphs.layout import indented, margin_of
from s2s.graphs.rewrite import Refused, Rewrite
from s2s.rewrite import free_prefix
from s2s.source import Edit, Span

_PRAGMA = re.compile(rb"#\s*pragma\s+s2s\b")


@dataclass(frozen=True)
class Flips:
    """Flips the loops of a function for a machine where that is expected to gain."""

    machine: str
    direction: str
    reassociate: bool

    def __call__(self, function: Function) -> Iterator[Rewrite]:
        for loop in vertex_loops(function):
            if any(loop.node.span.overlaps(s) for s in function.off) or function.hidden:
                continue
            try:
                yield self._flipped(loop)
            except Refused as problem:
                if not problem.silent:
                    yield Rewrite(problem.where, problem.reason)

    def _flipped(self, loop: VertexLoop) -> Rewrite:
        flip = flippable(loop, reassociate=self.reassociate)
        self._check_gain(flip)
        prefix = free_prefix(_PRAGMA.sub(b"", loop.function.unit.buffer.data))
        text = Flipped(flip, flip.mirror(prefix), prefix, self.machine == "cpu").text()
        return written(flip, text)

    def _check_gain(self, flip: Flip) -> None:
        wanted = "pull" if flip.pushes else "push"
        if self.direction not in ("any", wanted):
            raise Refused(flip.loop.node.span, f"not flipped: a {wanted} is not asked for")


def written(flip: Flip, text: str) -> Rewrite:
    """The loop's text in place of the source's."""
    loop = flip.loop
    attempt = loop.function.attempt([loop.node])
    span = Span(attempt.span.start, attempt.lifter.end(loop.node))
    margin = margin_of(loop.function, loop.node)
    if flip.apart:
        old = loop.function.unit.buffer.text(span)
        new = indented(text, 4)
        text = f"if ({' && '.join(flip.apart)}) {{\n{new}\n}} else {{\n{indented(old, 4)}\n}}"
    moved = indented(text, len(margin)).lstrip()
    way = "vertices pull" if flip.pushes else "vertices push"
    what = "along the edges' other ends, without atomics" if flip.pushes else "with atomic updates"
    return Rewrite(loop.node.span, f"edges flipped: {way} {what}",
                   (Edit(span.start, span.end, moved.encode()),))  # fmt: skip
