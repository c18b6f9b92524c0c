"""Schedules and layouts with which a contraction becomes a kernel (section III.F of the paper)."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from dataclasses import field

from s2s.scop.contraction import Contraction
from s2s.scop.layouts import Layout
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Mapping:
    """How a contraction is mapped.

    ``vector``: the loop whose iterations are lanes. ``jam``: (loop, factor) of unroll-and-jam;
    the vector loop counts in vectors. ``order``: the output loops, outermost first; the last one
    with iterations left is software-pipelined. ``keep``: (reduction, iterations) of reductions
    that stay loops, with how many iterations one pass of their body does; the others are unrolled.
    ``pad``: (reduction, extent) of reductions made longer by zero weights.
    ``image``, ``weight``, ``output``: layouts, None for the source's (padded where it must be).

    What goes past the paper: ``streamed`` puts the factors that are broadcast into the order of
    their use, odd rows padded only where no other row has a tap to fill the column; ``window``
    outputs are in flight at once (0: as many of 1, 2 or 4 as need the fewest loads); ``pointers``
    walk through the vector operand, so that loads pair; ``wrap`` keeps what the iteration before
    has loaded, in registers that are gone around in. With ``copies`` 2 the vector operand may lie
    twice in memory, for pointers that do not meet in a bank (``banks.py``). ``paper`` keeps to the
    paper's own steps.
    """

    vector: str
    jam: tuple[tuple[str, int], ...] = ()
    order: tuple[str, ...] = ()
    keep: tuple[tuple[str, int], ...] = ()
    pad: tuple[tuple[str, int], ...] = ()
    image: Layout | None = None
    weight: Layout | None = None
    output: Layout | None = None
    streamed: bool = True
    window: int = 0
    pointers: int = 2
    paper: bool = False
    wrap: bool = False
    copies: int = 1

    def factor(self, loop: str) -> int:
        """How often a loop is unrolled and jammed."""
        return dict(self.jam).get(loop, 1)

    def __str__(self) -> str:
        jam = " ".join(f"{name}{factor}" for name, factor in self.jam if factor > 1)
        words = [f"vector {self.vector}", f"order {''.join(self.order)}"]
        words += [f"jam {jam}"] if jam else []
        words += [f"keep {' '.join(f'{n}{f}' for n, f in self.keep)}"] if self.keep else []
        words += ["paper"] if self.paper else [f"pointers {self.pointers}"]
        words += [f"window {self.window}"] if self.window and not self.paper else []
        words += ["wrap"] if self.wrap else []
        words += [f"copies {self.copies}"] if self.copies > 1 else []
        return ", ".join(words)


@dataclass(frozen=True)
class Piece:
    """Part of the iteration space with one body: ``loops`` (name, origin, trips, step) of outputs.

    ``jam`` has the iterations that the body does at once, per output loop (vectors for the vector
    loop); ``kept`` (name, trips, step) are reduction loops around the body.
    """

    loops: tuple[tuple[str, int, int, int], ...]
    jam: Dictionary[str, int] = field(hash=False)
    kept: tuple[tuple[str, int, int], ...] = ()


def pieces(contraction: Contraction, mapping: Mapping, lanes: int) -> tuple[Piece, ...]:
    """The iteration space in boxes: what jam factors do not divide is done by nests of its own."""
    found: list[tuple[tuple[tuple[str, int, int, int], ...], dict[str, int]]] = [((), {})]
    for name in mapping.order:
        width = lanes if name == mapping.vector else 1
        count = -(-contraction.extents[name] // width)
        factor = min(mapping.factor(name), count)
        parts = [(0, count // factor, factor)]
        if count % factor:
            parts.append((count - count % factor, 1, count % factor))
        found = [
            ((*loops, (name, origin * width, trips, jam * width)), {**jams, name: jam})
            for loops, jams in found
            for origin, trips, jam in parts
        ]
    kept = tuple((n, contraction.extents[n] // f, f) for n, f in mapping.keep)
    return tuple(Piece(loops, jams, kept) for loops, jams in found)


def check(contraction: Contraction, mapping: Mapping) -> str | None:
    """Why a mapping does not belong to a contraction; None if it does."""
    outputs = {loop.name for loop in contraction.output_loops}
    if mapping.vector not in outputs:
        return f"{mapping.vector} is no loop of the output, so it cannot be vectorized"
    if set(mapping.order) != outputs or len(mapping.order) != len(outputs):
        return f"the order {''.join(mapping.order)} does not name each output loop once"
    reductions = {loop.name for loop in contraction.reductions}
    for name, factor in mapping.jam:
        if name not in outputs or factor < 1:
            return f"no jam of {name} by {factor}"
    for name, factor in mapping.keep:
        if name not in reductions or factor < 1 or contraction.extents[name] % factor:
            return f"{name} cannot be kept as a loop of {factor} iterations each"
    return None


def loops_of(piece: Piece) -> list[tuple[str, int, int]]:
    """(name, trips, step) of the loops around a body, outermost first."""
    loops = [(name, trips, step) for name, _, trips, step in piece.loops if trips > 1]
    return loops + [loop for loop in piece.kept if loop[1] > 1]
