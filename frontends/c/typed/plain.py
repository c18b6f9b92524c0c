"""A function in plain words: counted loops and stores alone, subscripts affine in the loops.

What other programs say by ``while`` and ``do``, by functions that store, by pointers that move, by
arrays that are filled where they are declared, is said as ``lift`` reads it. Only for reading: the
nodes have the places of the source, and no text is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import prod

from s2s.frontends.c import clang
from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.frontends.c.typed.definitions import Definitions, written_names
from s2s.frontends.c.typed.desugar import (
    desugar_loops,
    with_single_assignments,
    with_single_declarations,
)
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.inlining import inlined
from s2s.frontends.c.typed.nodes import (
    assignment,
    block,
    counted_from_zero,
    element,
    local,
    number,
    reference,
)
from s2s.frontends.c.typed.scope import fixed_values, set_again
from s2s.frontends.c.typed.substitution import Substitution
from s2s.frontends.c.typed.walkers import walkers
from s2s.frontends.c.unit import Unit
from s2s.source.records import dataclass

_MEMORY = ("array", "pointer")


@dataclass(frozen=True)
class Plain:
    """A function in plain words.

    ``tables``: arrays of numbers that it has itself, with their elements; ``members``: what stands
    for arrays of structures that it gets; ``walked``: arrays to whose elements there are pointers,
    which may run on from row to row.
    """

    function: Node
    tables: Mapping[Decl, tuple[int, ...]]
    members: Sequence[Decl]
    walked: set[Decl]


def in_plain_words(function: Node, unit: Unit, numbers: Mapping[str, int]) -> Plain:
    """A function whose scalar parameters have the values ``numbers``. Raises NotATensorNest."""
    body = inlined(function.children[-1], Definitions(unit, as_written=True))
    known = _Known(numbers, set_again(body))
    body = known.body(body)
    body = body.with_children([*known.first(function), *body.children])
    body = desugar_loops(with_single_assignments(with_single_declarations(body)))
    changing = set_again(body) | {d for n in body.walk() if (d := _counts(n)) is not None}
    filled = _Filled(written_names(body))
    body = filled.body(body)
    fixed = fixed_values(body)
    tracked = walkers(body) | _followed(body, changing)
    found = Substitution(tracked, fixed, changing, numbers)
    for child in function.children:
        if child.kind == "PARM_DECL" and child.decl in tracked and child.decl is not None:
            found.begin(child.decl, child.span)
    body = body.with_children(found.sequence(body.children))
    whole = function.with_children([*function.children[:-1], body])
    return Plain(whole, filled.tables, tuple(known.members.values()), found.walked)


def _counts(node: Node) -> Decl | None:
    """The variable that a loop counts with."""
    try:
        return counted_loop(node).variable if node.kind == "FOR_STMT" else None
    except NotAffine:
        return None


def _followed(body: Node, changing: set[Decl]) -> set[Decl]:
    """Local pointers that are set once, and integers for bounds of loops that are."""
    bounds = {
        below.decl
        for loop in body.walk() if loop.kind == "FOR_STMT" and len(loop.children) == 4
        for part in loop.children[:2]
        for below in part.walk()
    }  # fmt: skip
    found: set[Decl] = set()
    for node in body.walk():
        decl = node.decl if node.kind == "VAR_DECL" else None
        if decl is None or decl in changing or decl.is_static or not node.children:
            continue
        value = node.children[-1]
        chosen = decl in bounds and "CONDITIONAL_OPERATOR" in value.kinds
        if decl.type.kind == "pointer" or (decl.type.kind == "int" and chosen):
            found.add(decl)
    return found


@dataclass
class _Known:
    """Puts numbers in the places of what the user gave, and memory in those of members."""

    numbers: Mapping[str, int]
    changing: set[Decl]
    members: dict[tuple[Decl, Decl], Decl] = field(default_factory=dict)

    def body(self, node: Node) -> Node:
        made = node.with_children([self.body(child) for child in node.children])
        match made.kind:
            case "COMPOUND_STMT":
                return made.with_children(list(_without_ends(made.children)))
            case "DECL_REF_EXPR":
                return self._name(made)
            case "MEMBER_REF_EXPR":
                return self._member(made)
            case "BINARY_OPERATOR" if made.op in ("<", "<="):
                return _signed(made)
            case "FOR_STMT" if len(made.children) == 4:
                return self._loop(made)
        return made

    def _name(self, node: Node) -> Node:
        decl = node.decl
        if decl is None or decl.type.kind != "int":
            return node
        given = decl.kind == "PARM_DECL" and decl.name in self.numbers
        if given and decl not in self.changing:
            return number(self.numbers[decl.name], node.span, node.type)
        if decl.is_global and decl.type.const:
            value = clang.evaluate(decl.cursor)
            return node if value is None else number(value, node.span, node.type)
        return node

    def first(self, function: Node) -> Iterator[Node]:
        """Assignments of numbers to parameters that the function sets again."""
        for child in function.children:
            decl = child.decl if child.kind == "PARM_DECL" else None
            if decl in self.changing and decl is not None and decl.name in self.numbers:
                value = number(self.numbers[decl.name], child.span, decl.type)
                yield assignment(reference(decl, child.span), value)

    def _member(self, node: Node) -> Node:
        base = node.children[0] if node.children else node
        while base.kind != "DECL_REF_EXPR" and len(base.children) == 1:
            base = base.children[0]
        decl, member = base.decl, node.decl
        if decl is None or member is None or decl.kind != "PARM_DECL":
            return node
        if member.type.kind in _MEMORY:
            if (decl, member) not in self.members:
                name = f"{decl.name}_{member.name}"
                self.members[decl, member] = replace(
                    member, name=name, kind="PARM_DECL", is_global=False
                )
            return reference(self.members[decl, member], node.span)
        names = (f"{decl.name}.{member.name}", member.name)
        value = next((self.numbers[name] for name in names if name in self.numbers), None)
        if value is None:
            text = f"the value of '{names[0]}' is not known; give it as a size"
            raise NotATensorNest(node.span, text)
        return number(value, node.span, node.type)

    def _loop(self, node: Node) -> Node:
        """A loop whose variable the user gave the end of, where that is not known otherwise."""
        decl = _counts(node)
        test = node.children[1]
        if decl is None or decl.name not in self.numbers or len(test.children) != 2:
            return node
        sides = [child.uncast.decl is decl for child in test.children]
        if sides.count(True) != 1:
            return node
        limit = test.children[sides.index(False)]
        if constant_value(limit) is not None:
            return node
        end = number(self.numbers[decl.name], limit.span, limit.type)
        parts = [end if child is limit else child for child in test.children]
        return node.with_children([node.children[0], test.with_children(parts), *node.children[2:]])


def _without_ends(nodes: Sequence[Node]) -> Iterator[Node]:
    """Statements without those that do nothing."""
    for place, node in enumerate(nodes):
        is_void = node.kind == "CSTYLE_CAST_EXPR" and node.type.kind == "void"
        last = node.kind == "RETURN_STMT" and place == len(nodes) - 1
        nothing = last and all(constant_value(child) is not None for child in node.children)
        if not is_void and not nothing:
            yield node


def _signed(test: Node) -> Node:
    """``(unsigned)x < 15`` as ``x >= 0 && x < 15``."""
    value, end = test.children
    most, inner = constant_value(end), value.children[-1] if value.children else value
    is_made = value.kind in CASTS and value.type.kind == "int" and not value.type.signed
    fits = is_made and inner.type.kind == "int" and inner.type.signed
    if not fits or most is None or inner.type.size > value.type.size:
        return test
    if not 0 < most < 1 << (8 * inner.type.size - 1):
        return test
    span = test.span
    low = Node("BINARY_OPERATOR", span, test.type, [inner, number(0, span, inner.type)], op=">=")
    limit = number(most, end.span, inner.type)
    high = Node("BINARY_OPERATOR", span, test.type, [inner, limit], op=test.op)
    return Node("BINARY_OPERATOR", span, test.type, [low, high], op="&&")


@dataclass
class _Filled:
    """Takes arrays apart that are filled where they are declared; ``written`` are stored to."""

    written: set[Decl]
    tables: dict[Decl, tuple[int, ...]] = field(default_factory=dict)

    def body(self, node: Node) -> Node:
        below = [self.body(child) for child in node.children]
        if node.kind == "COMPOUND_STMT":
            below = [one for child in below for one in self._statement(child)]
        return node.with_children(below)

    def _statement(self, node: Node) -> Iterator[Node]:
        if node.kind != "DECL_STMT" or len(node.children) != 1:
            yield node
            return
        (variable,) = node.children
        decl, first = variable.decl, variable.children[-1] if variable.children else None
        if decl is None or decl.type.kind != "array" or first is None:
            yield node
            return
        if first.kind != "INIT_LIST_EXPR":
            yield node
            return
        numbers = None if decl in self.written else _numbers(first, _counts_of(decl))
        if numbers is not None:
            self.tables[decl] = numbers
            return
        if decl.is_static:
            raise NotATensorNest(node.span, f"'{decl.name}' keeps its value between calls")
        if not _is_zero(first):
            raise NotATensorNest(node.span, "an array that is filled where it is declared")
        yield node.with_children([variable.with_children(variable.children[:-1])])
        yield _zeros(decl, first)


def _counts_of(decl: Decl) -> list[int]:
    counts, type_ = [], decl.type
    while type_.kind == "array" and type_.element is not None:
        counts.append(type_.count or 0)
        type_ = type_.element
    return counts


def _numbers(first: Node, counts: Sequence[int]) -> tuple[int, ...] | None:
    """The numbers of an initializer, the missing ones zero; None where one is no constant."""
    if not counts:
        value = None if first.kind == "INIT_LIST_EXPR" else constant_value(first)
        return None if value is None else (value,)
    if first.kind != "INIT_LIST_EXPR":
        return None
    found: list[int] = []
    nested = all(child.kind == "INIT_LIST_EXPR" for child in first.children)
    for child in first.children:
        values = _numbers(child, counts[1:] if nested else ())
        if values is None:
            return None
        found += values
    missing = prod(counts) - len(found)
    return None if missing < 0 else (*found, *(0,) * missing)


def _is_zero(first: Node) -> bool:
    """Whether an initializer gives zeros alone."""
    if first.kind == "INIT_LIST_EXPR":
        return all(_is_zero(child) for child in first.children)
    return constant_value(first) == 0


def _zeros(decl: Decl, first: Node) -> Node:
    """Loops that set all elements of an array to zero."""
    span = first.span
    target = reference(decl, span)
    names = [local(f"{decl.name}_{k}", number(0, span).type, span) for k in _counts_of(decl)]
    for name in names:
        target = element(target, reference(name, span))
    found = assignment(target, number(0, span))
    for name, count in zip(reversed(names), reversed(_counts_of(decl)), strict=True):
        found = counted_from_zero(name, count, block([found], span), span)
    return found
