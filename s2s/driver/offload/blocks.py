"""A block of the program as a graph: its statements in order, with what they need of each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.driver.offload.facts import Facts, Touched
from s2s.driver.offload.operations import operations
from s2s.driver.offload.pieces import Piece
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.syntax import Node as Syntax
from s2s.frontends.c.unit import Unit
from s2s.source.records import dataclass
from s2s.transforms.outline.graph import HOST, Graph, Node

_VALUES = frozenset({"VAR_DECL", "PARM_DECL"})
_NOT_PASSED = frozenset({
    "CALL_EXPR", "RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT",
    "LABEL_STMT", "CASE_STMT", "DEFAULT_STMT", "ASM_STMT", "MS_ASM_STMT", "StmtExpr",
})  # fmt: skip
"""Kinds of syntax that nothing may be moved over: what is there may touch anything, or leave."""


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
    nodes: list[Node] = []
    for piece, statement in enumerate(node.children):
        line = unit.buffer.location(statement.span).line
        if piece in facts:
            nodes += operations(facts[piece], len(nodes), piece, line)
        else:
            nodes.append(Node(len(nodes), HOST, (), (), piece, line))
    work = _Edges(nodes)
    effects = [_effect(statement, facts.get(k)) for k, statement in enumerate(node.children)]
    for later, second in enumerate(effects):
        left = dict(second.reads)
        for earlier in reversed(range(later)):
            arrays = _flow(effects[earlier], left)
            if arrays or _conflict(effects[earlier], second):
                work.connect(earlier, later, arrays)
        work.connect_within(later)
    graph = Graph(tuple(nodes), work.flow, frozenset(work.order))
    return Block(function[0], function[1], node, facts, graph)


class _Edges:
    """Edges between nodes, of those between pieces."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._of: dict[int, list[Node]] = {}
        for node in nodes:
            self._of.setdefault(node.piece, []).append(node)
        self.flow: dict[tuple[int, int], frozenset[str]] = {}
        self.order: set[tuple[int, int]] = set()

    def connect(self, earlier: int, later: int, arrays: Sequence[str]) -> None:
        """Two pieces that stay in order; what the later one reads of the earlier one is given."""
        first, second = self._of[earlier], self._of[later]
        self.order |= {(a.number, b.number) for a in first for b in second}
        for array in arrays:
            writer = [n for n in first if _writes(n, array)] or first
            wrote = False
            for reader in second:
                if not wrote and (_reads(reader, array) or reader.op == HOST):
                    self._add(writer[-1], reader, array)
                wrote = wrote or _writes(reader, array)

    def connect_within(self, piece: int) -> None:
        """The operations of one piece, which run one after the other."""
        of = self._of[piece]
        for place, second in enumerate(of):
            self.order |= {(first.number, second.number) for first in of[:place]}
            for tensor in second.inputs:
                writers = [n for n in of[:place] if _writes(n, tensor.name)]
                if writers:
                    self._add(writers[-1], second, tensor.name)

    def _add(self, first: Node, second: Node, array: str) -> None:
        pair = first.number, second.number
        self.flow[pair] = self.flow.get(pair, frozenset()) | {array}


def _writes(node: Node, array: str) -> bool:
    return any(t.name == array for t in node.outputs)


def _reads(node: Node, array: str) -> bool:
    return any(t.name == array for t in node.inputs)


@dataclass(frozen=True, eq=False)
class _Effect:
    """What a statement touches: arrays exactly (pieces), or ``names`` and perhaps ``all``.

    ``pointers``: names of what may be any memory. ``host``: it is no piece.
    """

    reads: Mapping[str, Touched | None]
    writes: Mapping[str, Touched | None]
    names: frozenset[Decl]
    pointers: frozenset[str] = frozenset()
    all: bool = False
    host: bool = False


def _effect(statement: Syntax, facts: Facts | None) -> _Effect:
    names = frozenset(d for d in statement.decls if d is not None and d.kind in _VALUES)
    if facts is not None:
        piece: Piece = facts.piece
        reads = {n: t for n, t in facts.touched.items() if not t.read.is_empty()}
        writes = {n: t for n, t in facts.touched.items() if not t.written.is_empty()}
        pointers = frozenset(c.name for c in piece.captured if c.is_pointer)
        return _Effect(reads, writes, names, pointers)
    anything = bool(statement.kinds & _NOT_PASSED) or any(
        d.type.kind not in ("int", "float", "array") or d.type.innermost().volatile for d in names
    )
    known: dict[str, Touched | None] = {d.name: None for d in names}
    return _Effect(known, known, names, all=anything, host=True)


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
    if (first.host or second.host) and first.names & second.names & _scalars(first, second):
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


def _scalars(*effects: _Effect) -> frozenset[Decl]:
    """Scalars that pieces read or set, and the host sets or reads."""
    every = frozenset[Decl]().union(*(effect.names for effect in effects))
    return frozenset(d for d in every if d.type.kind in ("int", "float"))


def is_mentioned_elsewhere(whole: Syntax, pieces: Sequence[Piece], decl: Decl) -> bool:
    """Whether something else in the function than these pieces names a variable."""
    spans = [piece.node.span for piece in pieces]
    return any(
        part.decl is decl
        and part.kind == "DECL_REF_EXPR"
        and not any(s.start <= part.span.start and part.span.end <= s.end for s in spans)
        for part in whole.walk()
    )
