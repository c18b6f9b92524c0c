"""The statements of a SCoP: domains, accesses and the text that each leaf of a region becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import islpy as isl

from s2s.frontends.c.arrays import Memory
from s2s.frontends.c.assignments import assignment_of, names, places, value_type
from s2s.frontends.c.carried import Lifetime
from s2s.frontends.c.copies import rename
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.isl_texts import (
    ANY,
    named_domain,
    named_relation,
    read_map,
    read_relation,
    read_set,
)
from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.mathematical import is_slow
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.private import UNREPEATABLE
from s2s.frontends.c.raw import RawLeaf
from s2s.frontends.c.separate import assignments
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.touch import Touch
from s2s.scop.nodes import Access, Statement
from s2s.scop.polynomial import Polynomial
from s2s.scop.remembered import is_empty, remembered
from s2s.scop.texts import Choice
from s2s.source import Edit, Span
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.nest import Store

_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})
_CONTROL = _LOOPS | {"SWITCH_STMT", "IF_STMT", "CALL_EXPR"}


@dataclass
class RegionStatements:
    """Makes statements of the leaves of a region. Raises NotLiftable.

    ``leaves`` have their names and times, which are filled up to ``length``; ``private`` and
    ``constant`` scalars are no memory, and ``is_internal`` says which touches are none. ``store``
    reads a leaf over a domain as a typed store.
    """

    lifter: Lifter
    space: str
    leaves: Sequence[tuple[RawLeaf, str, list[str]]]
    length: int
    memories: Mapping[tuple[Decl | None, str], Memory]
    private: Set[Decl]
    constant: Set[Decl]
    hoisted: frozenset[Decl]
    lifetimes: Mapping[str, Lifetime]
    texts: bool
    is_internal: Callable[[Touch, RawLeaf], bool]
    store: Callable[[RawLeaf, isl.Set], Store | None]

    def _carrier(self, root: Decl | None, leaf: RawLeaf) -> str | None:
        """The array that a scalar of which a leaf sees one lifetime is."""
        for name, lifetime in self.lifetimes.items():
            if lifetime.decl is root and lifetime.holds(leaf):
                return name
        return None

    def statement(self, leaf: RawLeaf, name: str, time: list[str]) -> Statement:
        iterators = leaf.context.iterators
        vector = f"[{', '.join(v.name for v in iterators)}]"
        tuple_, any_ = f"{name}{vector}", f"{ANY}{vector}"
        domain = f"{self.space}{{ {any_} : {leaf.context.formula} }}"
        edits, locals_ = self._edits(leaf), self._locals(leaf)  # what is refused is refused first
        accesses = []
        constants: list[tuple[Span, str]] = []
        for touch in leaf.touches:
            constant = touch.is_scalar and touch.root in self.constant
            carrier = self._carrier(touch.root, leaf) if touch.is_scalar else None
            if carrier is not None:
                accesses.append(self._carried_access(touch, leaf, carrier, name, any_, domain))
            elif constant:
                type_ = value_type(touch.type, in_record="." in touch.key)
                constants += [(span, type_) for span in places(touch, leaf) if type_]
            elif not self.is_internal(touch, leaf):
                text, exact = self._relation(touch, leaf, any_)
                if not is_empty(read_relation(text, domain)):
                    relation = named_relation(text, domain, name)
                    accesses.append(self._access(touch, leaf, relation, exact=exact))
        return Statement(
            name, iterators, named_domain(domain, name), self._schedule(tuple_, time),
            tuple(_merge_equal(accesses)), leaf.span, locals_, bool(leaf.opaque),
            _names_in(leaf), edits, self._control(leaf),
            tuple(self._choices(leaf, tuple_)), assignment_of(leaf, self.lifter.buffer),
            _values_in(leaf), _declared_in(leaf) - {d.name for d in self.hoisted},
            tuple(constants), partial(self._typed, leaf, edits), around=self._around(leaf, tuple_),
            sets=frozenset(decl.name for decl in assigned_in(leaf.nodes)),
            calls=_slow_calls(leaf),
            loops=any(not _LOOPS.isdisjoint(root.kinds) for root in leaf.nodes),
        )  # fmt: skip

    def _around(self, leaf: RawLeaf, tuple_: str) -> isl.Set | None:
        """The instances of the loops around a leaf, where it is below conditions, too."""
        context = leaf.context
        if self.texts or context.ranges == context.formulas:
            return None
        return isl.Set(f"{self.space}{{ {tuple_} : {' and '.join(context.ranges) or 'true'} }}")

    def _typed(self, leaf: RawLeaf, edits: tuple[Edit, ...], statement: Statement) -> Store | None:
        """What a leaf stores, unless a transform has changed its text or its iterators."""
        if leaf.before or statement.edits != edits or statement.iterators != leaf.context.iterators:
            return None
        return self.store(leaf, statement.domain)

    def guards(self) -> dict[str, frozenset[str]]:
        """Leaves that evaluate a condition, with the statements that it guards."""
        return {
            name: frozenset(
                other for inner, other, _ in self.leaves
                if any(c is leaf.condition for c in inner.context.conditions)
                and inner.condition is None
            )
            for leaf, name, _ in self.leaves
            if leaf.condition is not None
        }  # fmt: skip

    def _edits(self, leaf: RawLeaf) -> tuple[Edit, ...]:
        """A leaf's text below the conditions that it is guarded by."""
        edits = self._renamed(leaf)
        if leaf.before:
            start, end = leaf.span.start, leaf.span.end
            opening = f"{{ {'; '.join(leaf.before)}; ".encode("utf-8", "surrogateescape")
            edits = (Edit(start, start, opening), *edits, Edit(end, end, b" }"))
        if not leaf.context.conditions or leaf.condition is not None:
            return edits
        named = {n.decl for c in leaf.context.conditions for n in c.walk()}
        if named & set(self.lifter.hoisted.names) or leaf.span.start == leaf.span.end:
            raise NotLiftable(leaf.span, "condition is not affine")
        texts = [self.lifter.buffer.text(c.span) for c in leaf.context.conditions]
        tests = texts if len(texts) == 1 else [f"({t})" for t in texts]
        opening = f"if ({' && '.join(tests)}) {{ ".encode("utf-8", "surrogateescape")
        closing = b" }"
        start, end = leaf.span.start, leaf.span.end
        return (Edit(start, start, opening), *edits, Edit(end, end, closing))

    def _renamed(self, leaf: RawLeaf) -> tuple[Edit, ...]:
        """Copies of pointers, and scalars, that are declared in front."""
        try:
            return (*assignments(leaf, self.hoisted), *self._copies(leaf))
        except ValueError as problem:
            raise NotLiftable(leaf.span, str(problem)) from None

    def _copies(self, leaf: RawLeaf) -> tuple[Edit, ...]:
        """Copies of pointers that are declared in front have other names there."""
        names = self.lifter.hoisted.names
        return tuple(e for n in leaf.nodes for e in rename(n, names, self.lifter.buffer))

    def _carried_access(
        self, touch: Touch, leaf: RawLeaf, array: str, name: str, tuple_: str, domain: str
    ) -> Access:
        """The scalar of one iteration of the loops around its lifetime."""
        subscripts = ", ".join(v.name for v in self.lifetimes[array].context.iterators)
        text = f"{self.space}{{ {tuple_} -> {array}[{subscripts}] }}"
        relation = named_relation(text, domain, name)
        exact = touch.context.certain and touch.context.formulas == leaf.context.formulas
        floating = touch.type.kind == "float"
        return Access(array, relation, touch.write, exact, touch.span, floating=floating)

    def _control(self, leaf: RawLeaf) -> tuple[Span, ...]:
        """Where a leaf's text branches, loops or calls."""
        found = {
            n.span for root in leaf.nodes if not _CONTROL.isdisjoint(root.kinds)
            for n in root.walk() if n.kind in _CONTROL
        }  # fmt: skip
        found |= {c.span for c in leaf.context.conditions}
        around = [c.span for c in self.lifter.choices if c.statement or c.reads]
        around += self.lifter.loop_spans
        found |= {span for span in around if span in leaf.span}
        return tuple(sorted(found))

    def _choices(self, leaf: RawLeaf, tuple_: str) -> Iterable[Choice]:
        """Conditions inside a leaf that depend on its own iterators alone."""
        if leaf.context.conditions:
            return  # its text is put below other conditions
        inside = {
            c.span: c for c in self.lifter.choices
            if c.span in leaf.span and c.context.iterators == leaf.context.iterators
        }  # fmt: skip
        for choice in sorted(inside.values(), key=lambda c: (c.span.start, -c.span.end)):
            try:
                condition = read_set(f"{self.space}{{ {tuple_} : {choice.formula} }}")
            except isl.Error:  # it names the number of a block, which is no iterator here
                continue
            else:
                yield Choice(
                    choice.span, condition, choice.then, choice.otherwise, choice.statement,
                    choice.blocks, choice.type, choice.left_out, choice.plain,
                )  # fmt: skip

    def _schedule(self, tuple_: str, time: list[str]) -> isl.Map:
        padded = [*time, *["0"] * (self.length - len(time))]
        return read_map(f"{self.space}{{ {tuple_} -> [{', '.join(padded)}] }}")

    def pseudo(self, name: str, context: Context, time: list[str], span: Span) -> Statement:
        """A waiting point or the beginning of a construct, in the form of a statement."""
        tuple_ = f"{name}[{', '.join(v.name for v in context.iterators)}]"
        domain = isl.Set(f"{self.space}{{ {tuple_} : {context.formula} }}")
        return Statement(name, context.iterators, domain, self._schedule(tuple_, time), (), span)

    def _locals(self, leaf: RawLeaf) -> tuple[tuple[str, str], ...]:
        around = set(leaf.context.decls)
        apart = {item.decl for item in self.lifetimes.values()}
        used = {
            t.root for t in leaf.touches
            if t.is_scalar and (t.root in self.private or t.root in apart)
            and self._carrier(t.root, leaf) is None
        }  # fmt: skip
        found = {d for d in used if d is not None and d not in leaf.declares and d not in around}
        for decl in sorted(found, key=lambda d: d.offset):
            if UNREPEATABLE.search(decl.type.spelling):
                raise NotLiftable(leaf.span, f"the type of '{decl.name}' cannot be repeated")
        return tuple(sorted((d.type.spelling, d.name) for d in found))

    def _relation(self, touch: Touch, leaf: RawLeaf, tuple_: str) -> tuple[str, bool]:
        """The isl text of what a touch touches, and whether it touches all of that."""
        memory = self.memories[touch.root, touch.key]
        values = memory.subscripts(touch)
        hull = ", ".join(map(_free, range(memory.rank)))
        extra = [v.name for v in touch.context.iterators[len(leaf.context.iterators) :]]
        same = touch.context.formulas == leaf.context.formulas
        formula = "true" if same else touch.context.formula
        target = hull if extra or values is None else ", ".join(map(_plain, values))
        if extra:
            equal = _equal(values) if values is not None else ""
            formula = f"exists ({', '.join(extra)} : {formula} {equal})"
        text = f"{self.space}{{ {tuple_} -> {memory.name}[{target}] : {formula} }}"
        return text, values is not None and touch.context.certain

    def _access(self, touch: Touch, leaf: RawLeaf, relation: isl.Map, *, exact: bool) -> Access:
        memory = self.memories[touch.root, touch.key]
        type_ = value_type(touch.type, in_record="." in touch.key)
        return Access(
            memory.name, relation, touch.write, exact, touch.span,
            touch.commutes, type_,
            places(touch, leaf), names=self._names(touch, leaf),
            floating=touch.type.kind == "float",
        )  # fmt: skip

    def _names(self, touch: Touch, leaf: RawLeaf) -> tuple[Span, ...]:
        """Where the text of a touch names its array by the name that the new code has for it."""
        through = touch.via or touch.root
        if through is None or through in self.lifter.hoisted.names or leaf.pragmas:
            return ()
        return names(touch, through.name, self.lifter.buffer)


@remembered
def _is_equal(one: isl.Map, other: isl.Map) -> bool:
    return one.is_equal(other)


def _names_in(leaf: RawLeaf) -> frozenset[str]:
    """Variables that a leaf's text and its conditions refer to."""
    found = {n.decl for c in leaf.context.conditions for n in c.walk() if n.decl is not None}
    return frozenset(d.name for d in leaf.references | found)


def _slow_calls(leaf: RawLeaf) -> tuple[str, ...]:
    """Functions of <math.h> that a leaf calls and that are no instructions."""
    return tuple(
        n.name for root in leaf.nodes if "CALL_EXPR" in root.kinds
        for n in root.walk() if n.kind == "CALL_EXPR" and is_slow(n.name)
    )  # fmt: skip


def _declared_in(leaf: RawLeaf) -> frozenset[str]:
    """Names declared by a leaf's text outside of blocks of its own."""
    found = (child for n in leaf.nodes if n.kind == "DECL_STMT" for child in n.children)
    return frozenset(child.name for child in found if child.name)


def _values_in(leaf: RawLeaf) -> frozenset[str]:
    """Iterators that a leaf's text refers to outside of subscripts."""
    found: set[str] = set()
    left = list(leaf.nodes)
    while left:
        node = left.pop()
        if node.decl is not None and node.decl in leaf.context.decls:
            found.add(node.decl.name)
        subscript = node.kind == "ARRAY_SUBSCRIPT_EXPR"
        left += node.children[:1] if subscript else node.children
    return frozenset(found)


def _free(place: int) -> str:
    """Isl's name of a subscript that may be any: none that a variable of C can have."""
    return f"o{place}'"


def _plain(value: Polynomial) -> str:
    """The isl text of a subscript, as short as it goes: most are numbers or one name."""
    if value.is_affine and len(value.terms) < 2:
        ((name, *_), coefficient), *_ = *value.terms.items(), (("",), 0)
        if coefficient == 0:
            return str(value.constant)
        if coefficient == 1 and value.constant == 0:
            return name
    return value.isl()


def _equal(values: Sequence[Polynomial]) -> str:
    return "".join(f" and {_free(i)} = {v.isl()}" for i, v in enumerate(values))


def _merge_equal(accesses: list[Access]) -> list[Access]:
    """Accesses without those that say the same as an earlier one, which notes their places."""
    groups: list[list[Access]] = []
    by_key: dict[tuple[str, bool, str | None], list[list[Access]]] = {}
    for access in accesses:
        alike = by_key.setdefault((access.array, access.write, access.commutes), [])
        relation = access.relation
        for group in alike:
            other = group[0].relation
            if relation is other or _is_equal(relation, other):
                group.append(access)
                break
        else:
            alike.append([access])
            groups.append(alike[-1])
    return [group[0] if len(group) == 1 else _as_one(group) for group in groups]


def _as_one(equal: Sequence[Access]) -> Access:
    """Accesses that say the same as the first of them."""
    places = [access.places for access in equal]
    names = [access.names for access in equal]
    return replace(
        equal[0], exact=any(access.exact for access in equal),
        also=(*equal[0].also, *(access.span for access in equal[1:])),
        places=tuple(place for found in places for place in found) if all(places) else (),
        names=tuple(name for found in names for name in found) if all(names) else (),
    )  # fmt: skip
