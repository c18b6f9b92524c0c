"""Differences that end at zero, all along narrow integers: in vectors as narrow as these.

::

    do {                                at = p - n, p = at, m = *at;
        m = *--p;                       for (; n >= 32; n -= 32, at += 32)
        *p = m >= w ? m - w : 0;   ->       for (lane = 0; lane < 32; lane++)
    } while (--n);                              at[lane] = max(at[lane], most) - most;
                                        for (; n > 0; n--, at++) ...           /* what is left */

Compilers subtract in the type of ``m``, in vectors of half as many elements or fewer, and at
``-O2`` make no vectors where nobody knows the count. No element is larger than the largest number
of its type, so the difference to ``most``, the smaller one of that and ``w``, is zero where that to
``w`` is, and the same elsewhere; and it is a number of the elements' type. Each iteration has an
element of its own, and the variables are only named by the loop, so any order will do. A count of
zero, which wraps around, is left to the source's loop.

The saturating subtraction of narrow integers is an instruction of most machines; gcc makes it of a
maximum and a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from s2s.frontends.c.prepare.flat_rows import levelled
from s2s.frontends.c.prepare.own_variables import is_own
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.frontends.c.text import free_prefix, statement_end
from s2s.rewriters.flat_rows import in_block
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, Span
from s2s.source.flags import may_make_vectors
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look

_LARGEST = {"unsigned char": 255, "unsigned short": 65535}
# Elements of a strip: two of the longest vectors of bytes, four of the usual ones of 16 bits.
_STRIP = 32


@dataclass(frozen=True)
class _Walk:
    """A loop that subtracts ``amount`` from ``count`` elements at ``pointer``, through ``value``.

    It ends ``below`` them, or above; its value is that of the last one then.
    """

    pointer: Decl
    value: Decl
    amount: Decl
    count: Decl
    below: bool

    @property
    def element(self) -> str:
        """The type of elements."""
        return _element(self.pointer)


@dataclass(frozen=True)
class NarrowWalks(TextPass):
    """The pass: for ``do`` loops that have a pointer walk over all that they count."""

    name: ClassVar[str] = "narrow-walks"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.WALK})

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The loops of one function that no edit covers."""
        if not may_make_vectors(function.unit.flags):
            return
        for loop in (n for n in function.body.walk() if n.kind == "DO_STMT"):
            walk = _walk(function, loop)
            end = None if walk is None else statement_end(function.unit.buffer.data, loop.span.end)
            if walk is None or end is None:
                continue
            span = Span(loop.span.start, end)
            if any(e.start < end and span.start < e.end for e in done):
                continue
            reason = f"differences of '{walk.element}', {_STRIP} at a time"
            lines = _lines(function, walk, span)
            yield Rewrite(span, reason, (in_block(function.unit.buffer, span, reason, lines),))


def _walk(function: Function, loop: Node) -> _Walk | None:
    """What a loop walks over; None where it is no such loop."""
    if function.hidden or any(loop.span.overlaps(off) for off in function.off):
        return None
    directives = function.attached.within(loop.span) or function.attached.before(loop.span.start)
    text = function.unit.buffer.data[loop.span.start : loop.span.end]
    if directives or loop.in_macro or b"#" in text or len(loop.children) != 2:
        return None
    body, condition = loop.children
    if body.kind != "COMPOUND_STMT" or len(body.children) != 2:
        return None
    loads, stores = body.children
    count = _counted(condition)
    if count is None or loads.op != "=" or stores.op != "=":
        return None
    value = _variable(loads.children[0])
    read, written = _walked(loads.children[1]), _walked(stores.children[0])
    if value is None or read is None or written is None or read[0] is not written[0]:
        return None
    moves = read[1], written[1]
    amount = _subtracted(stores.children[1], value, _LARGEST.get(_element(read[0]), 0))
    if moves not in (("--", ""), ("", "post++")) or amount is None:
        return None
    walk = _Walk(read[0], value, amount, count, below=moves[0] == "--")
    return walk if _is_right(function, walk) else None


def _is_right(function: Function, walk: _Walk) -> bool:
    """Whether the variables have types that hold what they are to, and addresses nobody has."""
    variables = {walk.pointer, walk.value, walk.amount, walk.count}
    if len(variables) != 4 or not all(is_own(function, v) for v in variables):
        return False
    element = walk.pointer.type.element
    if walk.element not in _LARGEST or element is None or element.volatile or element.const:
        return False
    numbers = (walk.value.type, walk.amount.type, walk.count.type)
    return all(map(_is_number, numbers)) and not any(t.signed for t in numbers[:2])


def _is_number(type_: CType) -> bool:
    return type_.kind == "int" and type_.size in (4, 8) and not type_.volatile


def _element(pointer: Decl) -> str:
    element = pointer.type.element if pointer.type.kind == "pointer" else None
    return "" if element is None else element.canonical


def _variable(node: Node) -> Decl | None:
    return node.decl if node.kind == "DECL_REF_EXPR" else None


def _counted(condition: Node) -> Decl | None:
    """What ``--n``, ``--n != 0`` or ``--n > 0`` counts down to zero."""
    node = condition.bare
    if node.op in ("!=", ">") and node.children[1].bare.value == 0:
        node = node.children[0].bare
    return _variable(node.children[0]) if node.op == "--" else None


def _walked(place: Node) -> tuple[Decl, str] | None:
    """The pointer of ``*p``, ``*--p`` or ``*p++``, and how it moves."""
    place = place.bare
    if place.kind != "UNARY_OPERATOR" or place.op != "*":
        return None
    inside = place.children[0]
    move = inside.op if inside.kind == "UNARY_OPERATOR" else ""
    pointer = _variable(inside.children[0] if move else inside)
    return None if pointer is None else (pointer, move)


def _subtracted(node: Node, value: Decl, largest: int) -> Decl | None:
    """The variable ``w`` of ``m >= w ? m - w : 0``, however that is written.

    Both are numbers without a sign when they meet: the compiler converts neither to another one.
    """
    node = _uncast(node, largest)
    if node.kind != "CONDITIONAL_OPERATOR":
        return None
    condition = node.children[0].bare
    first, second = (_uncast(child, largest) for child in node.children[1:])
    if condition.op not in ("<", "<=", ">", ">="):
        return None
    left, right = (_variable(side.bare) for side in condition.children)
    is_least = condition.op[0] == "<"
    if right is value:
        left, right, is_least = right, left, not is_least
    if is_least:
        first, second = second, first
    if left is not value or right is None or second.value != 0 or first.op != "-":
        return None
    operands = [_variable(side.bare) for side in first.children]
    return right if operands == [value, right] else None


def _uncast(node: Node, largest: int) -> Node:
    """A number without conversions that keep all numbers of elements."""
    while (
        node.kind in CASTS
        and node.type.kind == "int"
        and node.type.canonical != "_Bool"
        and 2 ** (8 * node.type.size - node.type.signed) > largest
    ):
        node = node.children[-1]
    return node


def _lines(function: Function, walk: _Walk, span: Span) -> list[str]:
    buffer = function.unit.buffer
    prefix = free_prefix(buffer.data)
    at, lane, most = (prefix + name for name in ("at", "lane", "most"))
    pointer, value, count = walk.pointer.name, walk.value.name, walk.count.name
    amount, largest = walk.amount.name, _LARGEST[walk.element]
    first = f"{pointer} - {count}" if walk.below else pointer
    ends = (f"{value} = *{at};", f"{pointer} = {at};") if walk.below else (
        f"{value} = {at}[{count} - 1];",
    )  # fmt: skip
    return [
        f"if ({count} > 0) {{",
        f"\tconst {walk.element} {most} = {amount} < {largest} ? {amount} : {largest};",
        f"\t{walk.element} *{at} = {first};",
        f"\tint {lane};",
        *(f"\t{line}" for line in ends),
        f"\tfor (; {count} >= {_STRIP}; {count} -= {_STRIP}, {at} += {_STRIP})",
        f"\t\tfor ({lane} = 0; {lane} < {_STRIP}; {lane}++)",
        f"\t\t\t{at}[{lane}] = {_less(f'{at}[{lane}]', most)};",
        f"\tfor (; {count} > 0; {count}--, {at}++)",
        f"\t\t*{at} = {_less(f'*{at}', most)};",
        *(() if walk.below else (f"\t{pointer} = {at};",)),
        "} else",
        *(f"\t{line}" for line in levelled(buffer.text(span))),
    ]


def _less(element: str, most: str) -> str:
    return f"({element} > {most} ? {element} : {most}) - {most}"


__all__ = ["NarrowWalks"]
