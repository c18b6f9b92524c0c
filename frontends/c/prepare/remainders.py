"""Remainders that wrap around at an end, as the choice that they nearly always make.

::

    for (i = 0; i < n; i++)                    for (i = 0; i < n; i++)
        o[i] = a[(i + 1) % n]           ->         o[i] = a[(i + 1 < n ? i + 1 : (i + 1) % n)]
             + a[(i - 1 + n) % n];                      + a[(i - 1 >= 0 ? i - 1 : (i - 1 + n) % n)];

A remainder takes as long as twenty additions, and its value is no affine expression of ``i``; what
is left of it inside is one. Where the dividend less a multiple of the divisor lies between zero and
the divisor, that is the remainder: whatever the variables hold, both sides of the choice are equal.
One side of a condition is left out where the header of the loop that counts ``i`` says it.

The sum is written without the divisor that the source adds, so it must not leave its type where
the source's does not: it has counters of loops from small numbers on, one of which the divisor
bounds, and at most one other variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.fixed_places import spelled
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.prepare.own_variables import is_own
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Edit
from s2s.source.records import dataclass

_SMALL = 1 << 16


@dataclass(frozen=True)
class _Counter:
    """A variable that nothing but its loop moves, up from the number ``first``.

    ``below`` is the text of its only bound, empty where there are others; ``kept`` is whether that
    keeps its value in the loop.
    """

    first: int
    below: str
    kept: bool


@dataclass(frozen=True)
class _Dividend:
    """A sum without the multiple of the divisor in it, which is ``removed`` times the divisor.

    ``positive`` and ``negative`` are its variables, ``number`` what is added to them.
    """

    text: str
    removed: int
    positive: tuple[Decl, ...]
    negative: tuple[Decl, ...]
    number: int


def wraps_around(attempt: Attempt) -> bool:
    """Whether a loop divides a sum by what is no number: a cheap look."""
    return any(
        n.op == "%" and n.kind == "BINARY_OPERATOR" and n.children[1].value is None
        for s in attempt.statements if s.kind == "FOR_STMT" for n in s.walk()
    )  # fmt: skip


def chosen_remainders(attempt: Attempt) -> tuple[Edit, ...]:
    """The edits that put choices in the place of remainders; none without any."""
    if not wraps_around(attempt):
        return ()
    edits: list[Edit] = []
    for statement in attempt.statements:
        for node, counters in _remainders(attempt, statement, {}):
            text = _chosen(attempt, node, counters)
            nested = any(e.start < node.span.end and node.span.start < e.end for e in edits)
            if text is not None and not nested:
                edits.append(Edit(node.span.start, node.span.end, text))
    return tuple(sorted(edits))


def _remainders(
    attempt: Attempt, node: Node, counters: Mapping[Decl, _Counter]
) -> Iterator[tuple[Node, Mapping[Decl, _Counter]]]:
    """Remainders with the counters of the loops that they are in, but those of a choice already."""
    if node.kind == "FOR_STMT":
        *header, body = node.children
        for part in header:
            yield from _remainders(attempt, part, counters)
        yield from _remainders(attempt, body, {**counters, **_counter(attempt, node)})
        return
    if node.kind == "BINARY_OPERATOR" and node.op == "%" and counters:
        yield node, counters
    last = node.children[-1] if node.kind == "CONDITIONAL_OPERATOR" else None
    for child in node.children:
        if child is not last or child.uncast.op != "%":
            yield from _remainders(attempt, child, counters)


def _counter(attempt: Attempt, loop: Node) -> dict[Decl, _Counter]:
    """The counter of a loop, by name; nothing where it is no such variable."""
    try:
        counted = counted_loop(loop)
        step = counted.constant_step
        (bound, *others) = counted.bounds(step)
    except NotAffine:
        return {}
    variable, first = counted.variable, constant_value(counted.first)
    if step < 1 or first is None or abs(first) >= _SMALL:
        return {}
    if not is_own(attempt.function, variable) or variable in counted.body.assigned:
        return {}
    if others or bound.relation != "<" or not bound.is_exact:
        return {variable: _Counter(first, "", kept=False)}
    limit = bound.limit.uncast
    named = limit.decl if limit.kind == "DECL_REF_EXPR" else None
    kept = named is not None and is_own(attempt.function, named) and named not in loop.assigned
    return {variable: _Counter(first, spelled(limit), kept)}


def _chosen(attempt: Attempt, node: Node, counters: Mapping[Decl, _Counter]) -> bytes | None:
    """The choice that a remainder makes; None where it is not known to make one."""
    dividend, divisor = node.children
    below = spelled(divisor.uncast)
    parts = list(node.walk())
    if not below or divisor.uncast.value is not None or not all(map(_is_plain, parts[1:])):
        return None
    if node.in_macro or any(n.in_macro for n in parts if n.value is None):
        return None
    if node.type.size < 4 or len({(n.type.size, n.type.signed) for n in _values(parts)}) != 1:
        return None
    text = attempt.lifter.buffer.text
    found = _without(_sum(dividend, 1), below, text(dividend.span))
    if found is None or (found.removed and not node.type.signed):
        return None
    ends = [counters[d] for d in found.positive if d in counters and counters[d].below == below]
    if not ends or (found.removed and not _fits(found, counters, ends)):
        return None
    value, rest = found.text, text(node.span)
    wraps = not node.type.signed and (found.negative or found.number < 0)
    if wraps or not _ends_below(found, counters, below):
        value = f"{found.text} < {text(divisor.span)} ? {value} : {rest}"
    if node.type.signed and not _starts_at_zero(found, counters):
        value = f"({value})" if value is not found.text else value
        value = f"{found.text} >= 0 ? {value} : {rest}"
    return _bytes(f"({value})")


def _values(parts: Iterable[Node]) -> Iterator[Node]:
    """The integers that are computed with, as they are before they are converted."""
    return (
        n for n in parts
        if n.type.kind == "int" and n.value is None and n.kind != "IMPLICIT_CAST"
    )  # fmt: skip


def _is_plain(node: Node) -> bool:
    """Whether a part of a remainder has no effect and can be written again."""
    operation = node.kind in ("BINARY_OPERATOR", "UNARY_OPERATOR") and node.op in ("+", "-")
    named = node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "INTEGER_LITERAL", "IMPLICIT_CAST")
    return (operation or named) and not node.type.volatile


def _sum(node: Node, sign: int) -> list[tuple[int, Node]]:
    """The terms of a sum with their signs."""
    node = node.bare
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"):
        left, right = node.children
        return _sum(left, sign) + _sum(right, sign if node.op == "+" else -sign)
    return [(sign, node)]


def _without(
    terms: Sequence[tuple[int, Node]], divisor: str, whole: str
) -> _Dividend | None:  # fmt: skip
    """The sum of terms that are not the divisor; None where that is no sum of variables."""
    positive: list[Decl] = []
    negative: list[Decl] = []
    number = removed = 0
    for sign, term in terms:
        if term.value is not None:
            number += sign * term.value
        elif spelled(term) == divisor and sign > 0:
            removed += 1
        elif term.kind == "DECL_REF_EXPR" and term.decl is not None:
            (positive if sign > 0 else negative).append(term.decl)
        else:
            return None
    text = _spell(positive, negative, number) if removed else whole
    return _Dividend(text, removed, tuple(positive), tuple(negative), number)


def _spell(positive: Sequence[Decl], negative: Sequence[Decl], number: int) -> str:
    text = " + ".join(d.name for d in positive) + "".join(f" - {d.name}" for d in negative)
    return text + (f" {'+' if number > 0 else '-'} {abs(number)}" if number else "")


def _fits(
    found: _Dividend, counters: Mapping[Decl, _Counter], ends: Iterable[_Counter]
) -> bool:  # fmt: skip
    """Whether the sum leaves its type only where the source's, which is larger, does.

    It is larger where the divisor is above zero, as what bounds a counter from 0 on is.
    """
    variables = (*found.positive, *found.negative)
    others = [d for d in variables if d not in counters]
    if len(others) > 1 or abs(found.number) >= _SMALL:
        return False
    if len(variables) == 1 and found.number <= 0:
        return True
    above_zero = any(c.kept and c.first >= 0 for c in ends)
    return above_zero and len(variables) <= (2 if found.negative else 3)


def _starts_at_zero(found: _Dividend, counters: Mapping[Decl, _Counter]) -> bool:
    """Whether the sum is never negative, by the headers of the loops."""
    known = [counters[d] for d in found.positive if d in counters]
    if found.negative or len(known) < len(found.positive):
        return False
    return sum(c.first for c in known) + found.number >= 0


def _ends_below(found: _Dividend, counters: Mapping[Decl, _Counter], below: str) -> bool:
    """Whether the sum is always below the divisor, by the header of the loop that it bounds."""
    if len(found.positive) != 1 or found.number > 0:
        return False
    counter = counters.get(found.positive[0])
    less = [counters.get(d) for d in found.negative]
    known = all(c is not None and c.first >= 0 for c in less)
    return known and counter is not None and counter.kept and counter.below == below


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


__all__ = ["chosen_remainders", "wraps_around"]
