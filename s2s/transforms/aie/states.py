"""The state after each step as text, as Tables I to IV of the paper show it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from s2s.scop.vector_kernel import Datapath
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.broadcasts import Broadcast, broadcasts_of
from s2s.transforms.aie.compile import Compiled
from s2s.transforms.aie.fusion import Fused
from s2s.transforms.aie.reuse import Block, components
from s2s.transforms.aie.triplets import Triplet, Vector


def states(compiled: Compiled, rows: int = 12) -> str:
    """All states of the first loop nest, the first ``rows`` lines of each."""
    body, lowered = compiled.bodies[0], compiled.lowered[0]
    terms = [term for group in body.groups for term in group.terms]
    registers = _Registers(body, lowered.ordered)
    parts = [
        ("Triplets (Table I)", _triplets(terms)),
        ("After lazy stores (Table II)", _grouped(body)),
        ("Reuse graph: components and their aligned loads (Figure 5)", _components(body)),
        (
            "After register reuse, unaligned loads and broadcasts (Table III)",
            _selected(body, registers),
        ),
        (
            "After fusion onto the columns of the datapath (Table IV)",
            _fused(lowered.ordered, body, registers),
        ),
    ]
    return "\n".join(f"{title}\n{_shortened(lines, rows)}\n" for title, lines in parts)


def _shortened(lines: Sequence[str], rows: int) -> str:
    shown = [f"  {line}" for line in lines[: rows + 1]]
    more = len(lines) - len(shown)
    return "\n".join([*shown, f"  .. {more} more"] if more > 0 else shown)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


_HEAD = ("update", "operand 1", "operand 2")


def _triplets(terms: Sequence[Triplet]) -> list[str]:
    """Table I: one row for each statement of the unrolled body."""
    return _table([_HEAD, *((str(t.output), str(t.scalar), str(t.vector)) for t in terms)])


def _grouped(body: Body) -> list[str]:
    """Table II: the output of a group stands once."""
    rows: list[Sequence[str]] = [_HEAD]
    for group in body.groups:
        for number, term in enumerate(group.terms):
            output = "" if number else str(group.output)
            rows.append((output, str(term.scalar), str(term.vector)))
    return _table(rows)


def _components(body: Body) -> list[str]:
    """Figure 5: what overlaps is loaded together."""
    rows: list[Sequence[str]] = [("vectors", "load", "parts")]
    for component in components(body.homes):
        for block in dict.fromkeys(body.homes[vector] for vector in component):
            members = [v for v in component if body.homes[v] == block]
            names = str(members[0]) + (f" .. {members[-1]}" if len(members) > 1 else "")
            rows.append((names, str(block), str(block.parts)))
    return _table(rows)


class _Registers:
    """V1, V2 .. in the order of their use: blocks of the vectors, windows of the scalars."""

    def __init__(self, body: Body, ordered: Sequence[Fused]) -> None:
        self.broadcasts, _ = broadcasts_of(body, ordered)
        self.names: dict[Block, str] = {}
        self.windows: dict[Triplet, Block] = {}
        for one, broadcast in zip(ordered, self.broadcasts, strict=True):
            for term in one.products:
                self._name(body.homes[term.vector])
                self.windows[term] = broadcast.window
            self._name(broadcast.window)

    def _name(self, block: Block) -> None:
        self.names.setdefault(block, f"V{len(self.names) + 1}")


def _selected(body: Body, registers: _Registers) -> list[str]:
    """Table III: operands are selected from registers, how is open."""
    names = registers.names
    rows: list[Sequence[str]] = [_HEAD]
    for group in body.groups:
        for number, term in enumerate(group.terms):
            output = "" if number else str(group.output)
            scalar = f"SELECT({names[registers.windows[term]]}, {{}})"
            rows.append((output, scalar, f"SELECT({names[body.homes[term.vector]]}, {{}})"))
    return _table(rows)


def _fused(ordered: Sequence[Fused], body: Body, registers: _Registers) -> list[str]:
    """Table IV: what lane i and column j take, one row for each instruction, in their order."""
    rows: list[Sequence[str]] = [(*_HEAD, "of")]
    before = ""
    for one, broadcast in zip(ordered, registers.broadcasts, strict=True):
        output = str(one.output)
        factors = ", ".join("0" if t is None else str(t.scalar) for t in one.terms)
        scalars = f"SELECT({registers.names[broadcast.window]}, {{{_columns(broadcast)}}})"
        vectors = _selection(one, body, registers.names)
        rows.append(("" if output == before else output, scalars, vectors, factors))
        before = output
    return _table(rows)


def _columns(broadcast: Broadcast) -> str:
    """``j+2`` where columns take neighbours, the same for all lanes; else what they take."""
    first = broadcast.wanted[0]
    if any(row != first for row in broadcast.wanted):
        return "lanes differ"
    known = [place for place in first if place is not None]
    if len(known) == len(first) > 1 and known == list(range(known[0], known[0] + len(known))):
        return f"j+{known[0]}" if known[0] else "j"
    return ", ".join(map(str, known))


def _selection(one: Fused, body: Body, names: dict[Block, str]) -> str:
    """``SELECT(V1, {i+j})`` where the columns are neighbours, else each column's own lanes."""
    home = {body.homes[t.vector] for t in one.products}
    starts = [_affine(t.vector, body.homes[t.vector], body.datapath) for t in one.products]
    if len(home) == 1 and None not in starts and len(starts) == body.datapath.columns > 1:
        found = [s for s in starts if s is not None]
        steps = {b[0] - a[0] for a, b in pairwise(found)}
        if len(steps) == 1 and len({f[1] for f in found}) == 1:
            (step,) = steps
            lane = "i" if found[0][1] == 1 else f"{found[0][1]}i"
            column = "j" if step == 1 else f"{step}j"
            start = f"+{found[0][0]}" if found[0][0] else ""
            return f"SELECT({names[home.pop()]}, {{{lane}+{column}{start}}})"
    texts = []
    for term, start_ in zip(one.products, starts, strict=True):
        name = names[body.homes[term.vector]]
        lanes = "?" if start_ is None else f"{'' if start_[1] == 1 else start_[1]}i+{start_[0]}"
        texts.append(f"{name}[{lanes}]")
    return f"SELECT({', '.join(texts)})"


def _affine(vector: Vector, block: Block, datapath: Datapath) -> tuple[int, int] | None:
    """Where the lanes start in their block and how far apart they are."""
    places = vector.places
    step = places[1] - places[0] if len(places) > 1 else 0
    if places != tuple(places[0] + step * lane for lane in range(len(places))):
        return None
    return block.index(places[0]), step
