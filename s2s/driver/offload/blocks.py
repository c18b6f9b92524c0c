"""A block of the program as a graph: its statements in order, with what they need of each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from s2s.driver.offload.facts import Facts, Touched
from s2s.driver.offload.operations import operation
from s2s.driver.offload.pieces import Piece
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.syntax import Node as Syntax
from s2s.transforms.outline.graph import HOST, Graph, Node

_VALUES = frozenset({"VAR_DECL", "PARM_DECL"})


@dataclass(frozen=True, eq=False)
class Block:
    """``facts`` of the statements that are pieces, by their numbers; ``graph`` has all."""

    function: str
    whole: Syntax
    node: Syntax
    facts: Mapping[int, Facts]
    graph: Graph


def make_block(
    unit: Unit, function: tuple[str, Syntax], node: Syntax, facts: Mapping[int, Facts]
) -> Block:
    """The graph of a block whose pieces are known."""
    nodes = []
    for number, statement in enumerate(node.children):
        line = unit.buffer.location(statement.span).line
        if number in facts:
            nodes.append(operation(facts[number], number, number, line))
        else:
            nodes.append(Node(number, HOST, (), (), number, line))
    flow: dict[tuple[int, int], frozenset[str]] = {}
    order: set[tuple[int, int]] = set()
    effects = [_effect(statement, facts.get(k)) for k, statement in enumerate(node.children)]
    for later, second in enumerate(effects):
        left = dict(second.reads)
        for earlier in reversed(range(later)):
            first = effects[earlier]
            arrays = _flow(first, left)
            if arrays:
                flow[earlier, later] = frozenset(arrays)
            if arrays or _conflict(first, second):
                order.add((earlier, later))
    return Block(function[0], function[1], node, facts, Graph(tuple(nodes), flow, frozenset(order)))


@dataclass(frozen=True, eq=False)
class _Effect:
    """What a statement touches: arrays exactly (pieces), or ``names`` and perhaps ``all``.

    ``pointers``: names of what may be any memory.
    """

    reads: Mapping[str, Touched | None]
    writes: Mapping[str, Touched | None]
    names: frozenset[Decl]
    pointers: frozenset[str] = frozenset()
    all: bool = False


def _effect(statement: Syntax, facts: Facts | None) -> _Effect:
    names = frozenset(d for d in statement.decls if d is not None and d.kind in _VALUES)
    if facts is not None:
        piece: Piece = facts.piece
        reads = {n: t for n, t in facts.touched.items() if not t.read.is_empty()}
        writes = {n: t for n, t in facts.touched.items() if not t.written.is_empty()}
        pointers = frozenset(c.name for c in piece.captured if c.is_pointer)
        return _Effect(reads, writes, names, pointers)
    anything = "CALL_EXPR" in statement.kinds or any(
        d.type.kind not in ("int", "float", "array") or d.kind == "PARM_DECL" for d in names
    )
    known: dict[str, Touched | None] = {d.name: None for d in names}
    return _Effect(known, known, names, all=anything)


def _flow(first: _Effect, left: dict[str, Touched | None]) -> list[str]:
    """Arrays of which the first writes what is still ``left`` to be found; it is taken out."""
    found = []
    for name, wanted in list(left.items()):
        if first.all and name not in first.writes:
            found.append(name)
            continue
        if name not in first.writes:
            continue
        written = first.writes[name]
        if wanted is None or written is None:
            found.append(name)
            continue
        if wanted.read.is_disjoint(written.written):
            continue
        found.append(name)
        if written.exact:
            rest = wanted.read.subtract(written.written)
            if rest.is_empty():
                del left[name]
            else:
                left[name] = Touched(rest, wanted.written, wanted.exact)
    return found


def _conflict(first: _Effect, second: _Effect) -> bool:
    """Whether two statements have to stay in their order."""
    if first.all or second.all:
        return True
    for one, other in ((first, second), (second, first)):
        for name, written in one.writes.items():
            for mapping, part in ((other.reads, "read"), (other.writes, "written")):
                if name not in mapping:
                    continue
                touched = mapping[name]
                if written is None or touched is None:
                    return True
                if not written.written.is_disjoint(getattr(touched, part)):
                    return True
        if one.writes and (one.pointers or other.pointers):
            touched_names = {*other.reads, *other.writes}
            if any(n in one.pointers or m in other.pointers
                   for n in one.writes for m in touched_names if n != m):  # fmt: skip
                return True
    arrays = {*first.reads, *first.writes, *second.reads, *second.writes}
    shared = first.names & second.names
    return any(
        decl.type.kind not in ("int", "float") and decl.name not in arrays for decl in shared
    )


def is_mentioned_elsewhere(whole: Syntax, pieces: Sequence[Piece], decl: Decl) -> bool:
    """Whether something else in the function than these pieces names a variable."""
    spans = [piece.node.span for piece in pieces]
    return any(
        part.decl is decl
        and part.kind == "DECL_REF_EXPR"
        and not any(s.start <= part.span.start and part.span.end <= s.end for s in spans)
        for part in whole.walk()
    )
