"""Leaves of a region's tree: statements kept whole, with what they touch and choose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from enum import IntEnum
from functools import cached_property

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.blocks import Block
from s2s.frontends.c.copies import Hoisted, origin
from s2s.frontends.c.effects import CallEffects
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.facts import Facts, assigned_in
from s2s.frontends.c.fixed_places import spelled
from s2s.frontends.c.indirect import describe
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import RawChoice, RawConstruct, RawLeaf
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.frontends.c.touch import Escape
from s2s.frontends.c.touches import Collector
from s2s.frontends.openmp.constructs import Attached
from s2s.frontends.openmp.directives import Directive
from s2s.scop.nodes import LoopVariable
from s2s.scop.polynomial import Polynomial
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass

_PLAIN = ("ARRAY_SUBSCRIPT_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR")


class Checks(IntEnum):
    """Of which parameters the guard of new code may check that nothing written is their place."""

    NOTHING = 0
    MEMBERS = 1
    """Variables, and members behind pointers."""
    ELEMENTS = 2
    """Elements of arrays, too."""


@dataclass
class LeafLifter:
    """Lifts statements of one function, each as a whole. Raises NotLiftable."""

    buffer: SourceBuffer
    facts: Facts
    calls: CallEffects
    attached: Attached
    region: Sequence[Node]
    notes: list[tuple[Span, str]] = field(default_factory=list)
    choices: list[RawChoice] = field(default_factory=list)
    """All conditions of the region that are affine, wherever they stand."""
    loop_spans: list[Span] = field(default_factory=list)
    """All loops of the region that are affine."""
    guarding: bool = False
    """Whether loops below a condition on data are modelled, their statements guarded by it."""
    separate: bool = False
    """With ``guarding``, whether several statements below a condition are so as well."""
    guardable: bool = False
    """Whether there is such a condition."""
    in_team: bool = False
    """Whether the region is a loop that is shared by a team which is formed elsewhere."""
    texts: bool = True
    """Whether statements may become new text, and stand in the source in their order."""
    changing: frozenset[tuple[Decl, str]] = frozenset()
    """Places (root and path) that other names of them may change: no parameters."""
    checks: Checks = Checks.NOTHING

    def __post_init__(self) -> None:
        self.affine = Affine(self._invariant, self._text, self._number)
        self._inside: list[RawConstruct] = []
        self._depth = 0
        self._blocks: tuple[Block, ...] = ()
        self.hoisted = Hoisted(self.buffer, self.facts)
        self.divisible: dict[tuple[Polynomial, Polynomial], Node] = {}
        """Lengths of ranges that are whole numbers of blocks, and the blocks' sizes."""

    @cached_property
    def assigned(self) -> dict[Decl, int]:
        """Variables that the region assigns or declares, with the number of places."""
        return assigned_in(self.region)

    # -- names ------------------------------------------------------------------------------

    def _text(self, node: Node) -> str:
        """How to name a parameter in the source, where its span may be a macro's."""
        return spelled(node) or self.buffer.text(node.span)

    def _number(self, decl: Decl) -> int | None:
        """What a local is that keeps a number; sizes of blocks stay names, also small ones."""
        return None if decl in self._added else self.facts.number(decl)

    @cached_property
    def _added(self) -> set[Decl]:
        """The variables whose values the region adds to others: steps of loops over blocks."""
        added = (
            n.children[1] for r in self.region for n in r.walk()
            if n.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and n.op in ("+=", "-=")
        )  # fmt: skip
        return {n.decl for value in added for n in value.walk() if n.decl is not None}

    def _invariant(self, node: Node) -> bool:
        """Whether no statement of the region assigns a variable; aliases are checked later."""
        path = resolve(node)
        decl = path.root if path is not None else None
        if path is None or decl is None or decl in self.assigned:
            return False
        if node.kind == "DECL_REF_EXPR":
            return not (decl.is_local and decl in self.facts.escaped)
        if not spelled(node) or (decl, path.key) in self.changing:
            return False
        stored = self._stored.get(decl, ())
        return not any(k.startswith(path.key) or path.key.startswith(k) for k in stored)

    @cached_property
    def _stored(self) -> dict[Decl, set[str]]:
        """The members and elements that the region assigns by their names."""
        found: dict[Decl, set[str]] = {}
        targets = (n.children[0] for r in self.region for n in r.walk() if n.assigns)
        for target in targets:
            path = None if target.kind == "DECL_REF_EXPR" else resolve(target)
            if path is not None and path.root is not None:
                found.setdefault(path.root, set()).add(path.key)
        return found

    def _variable(self, decl: Decl, declared: bool) -> LoopVariable:
        name = self.affine.fresh_name(decl.name)
        return LoopVariable(name, decl.name, decl.type.spelling, declared, not decl.type.signed)

    # -- places in the text -----------------------------------------------------------------

    def start(self, node: Node) -> int:
        """Where a statement begins, the directives that govern it included."""
        return self.attached.start(node.span.start)

    def end(self, node: Node) -> int:
        """Where a statement ends in the text, its semicolon included."""
        if node.kind in ("COMPOUND_STMT",):
            return node.span.end
        if node.kind in ("FOR_STMT", "WHILE_STMT", "IF_STMT", "SWITCH_STMT", "CXX_FOR_RANGE_STMT"):
            last = node.children[-1] if node.children else node
            return max(self.end(last), node.span.end) if last is not node else node.span.end
        if node.kind == "DECL_STMT":
            return node.span.end
        end = statement_end(self.buffer.data, node.span.end)
        if end is not None:
            return end
        if not self.texts or node.in_macro or node.kind == "NULL_STMT":
            return node.span.end
        raise NotLiftable(node.span, "the end of a statement is not where it is expected")

    # -- leaves -----------------------------------------------------------------------------

    def whole(self, node: Node) -> RawLeaf:
        """A statement kept whole, with what it touches. Raises NotLiftable."""
        return self._leaf(node, Context())

    def _has_effects(self, node: Node) -> bool:
        return bool(assigned_in([node])) or "CALL_EXPR" in node.kinds

    def _forget(self, node: Node) -> None:
        for decl in assigned_in([node]):
            self.affine.values.pop(decl, None)

    def _collector(self) -> Collector:
        return Collector(
            self.affine, self.calls, self.assigned, self._variable, self.facts.is_settled,
            self.facts.escaped, lambda decl: origin(decl, self.facts), self._note_choice,
        )  # fmt: skip

    def _leaf(
        self, node: Node, context: Context, *, reason: str = "", where: Node | None = None,
        pragmas: tuple[Directive, ...] = (), evaluates: Node | None = None,
    ) -> RawLeaf:  # fmt: skip
        if context.conditions and pragmas:
            raise NotLiftable(node.span, "an update under a condition that is not affine")
        inner = [d for d in self.attached.within(node.span) if d not in pragmas]
        if any(d.name != "simd" for d in inner):
            raise NotLiftable(inner[0].span, "an OpenMP construct inside code kept whole")
        collector = self._collector()
        if pragmas:
            collector.commutes = pragmas[0].name + (
                pragmas[0].clauses[0].argument if pragmas[0].clauses else ""
            )
        reduced = {
            name
            for construct in self._inside
            for name in construct.directive.listed("reduction", "in_reduction")
        }
        if reduced:
            collector.reductions = frozenset(d for d in self.facts.references if d.name in reduced)
        try:
            collector.statement(node, context)
        except Escape as escape:
            raise NotLiftable(escape.node.span, escape.reason) from None
        for place, text in collector.reasons:
            self.notes.append((place.span, text))
        self.notes += describe(collector.indirect, self.facts)
        if reason and where is not None:
            self.notes.append((where.span, reason))
        named = [n for n in node.walk() if n.decl is not None]
        declares = {n.decl for n in named if n.kind == "VAR_DECL" and n.decl is not None}
        references = {n.decl for n in named if n.kind == "DECL_REF_EXPR" and n.decl is not None}
        start = min([node.span.start, *(d.span.start for d in pragmas)])
        span = node.span if evaluates is not None else Span(start, self.end(node))
        return RawLeaf(
            [node], span, context, collector.touches, collector.exposed,
            collector.written, declares, references, reason, pragmas, collector.defined, evaluates,
        )  # fmt: skip

    def _note_choice(self, node: Node, formula: str, context: Context) -> None:
        """Keep where the parts are, if they stand in the text as they are (no macros)."""
        _, *parts = node.children
        if node.in_macro or any(p.in_macro for p in parts):
            return
        statement = node.kind == "IF_STMT"
        converted = not statement and any(_own_type(p) != _unqualified(node.type) for p in parts)
        if converted and node.type.kind not in ("int", "float"):
            return
        spans = [Span(p.span.start, self.end(p) if statement else p.span.end) for p in parts]
        whole = Span(node.span.start, spans[-1].end) if statement else node.span
        otherwise = spans[1] if len(spans) > 1 else None
        blocks = frozenset(
            s for s, p in zip(spans, parts, strict=True) if p.kind == "COMPOUND_STMT"
        )
        memory = ("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "MEMBER_REF_EXPR", "CALL_EXPR")
        reads = any(n.kind in memory for p in parts for n in p.walk())
        self.choices.append(
            RawChoice(
                whole, context, formula, spans[0], otherwise, statement, blocks, reads,
                _unqualified(node.type) if converted else "",
                _left_out(self.buffer.data, whole) if statement else None,
                frozenset() if statement else frozenset(self._plain_parts(whole, parts)),
            )
        )  # fmt: skip

    def _plain_parts(self, whole: Span, parts: Iterable[Node]) -> Iterator[Span]:
        """Names and elements of arrays, where they do not become one word with what is before."""
        before = self.buffer.data[whole.start - 1 : whole.start]
        if before.isalnum() or before == b"_":
            return
        yield from (part.span for part in parts if part.bare.kind in _PLAIN)


def _left_out(data: bytes, statement: Span) -> Span | None:
    """What goes with a statement of a block that is left out: its line, if it has one alone.

    None where it may be all that there is of another statement.
    """
    before = statement.start
    while before and data[before - 1 : before].isspace():
        before -= 1
    if data[before - 1 : before] not in (b"{", b"}", b";"):
        return None
    start = data.rfind(b"\n", before, statement.start)
    ends_line = re.match(rb"[ \t]*\r?\n", data[statement.end : statement.end + 200])
    return Span(start, statement.end) if start >= 0 and ends_line is not None else statement


def _own_type(node: Node) -> str:
    """The type of an expression before what is around it converts it."""
    return _unqualified(node.bare.type)


def _unqualified(type_: CType) -> str:
    return " ".join(w for w in type_.canonical.split() if w not in ("const", "volatile"))
