"""Loops with remainders that wrap around at their ends, whose middle has none.

::

    for (i = 0; i < n; i++)                    for (; i < n && i < 1; i++) ...     /* as it was */
        o[i] = a[(i + 1) % n]                  for (; i < (n > 1 ? n - 1 : 0); i++)
             - a[(i - 1 + n) % n];     ->          o[i] = a[i + 1] - a[i - 1];
                                               for (; i < n; i++) ...              /* as it was */

(Loop peeling; Allen and Kennedy, "Optimizing Compilers for Modern Architectures", section 5.5.) In
the middle each sum lies from 0 to below the divisor, and is what the remainder is. All iterations
run in their order, whatever the variables hold.
"""

from __future__ import annotations

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.prepare.flat_rows import (
    computes_only,
    has_static,
    levelled,
    plain,
)
from s2s.frontends.c.prepare.own_variables import is_kept, is_own
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import free_prefix, statement_end
from s2s.source import Edit, Span
from s2s.source.records import dataclass

# Ends that are longer than this are no ends.
_MOST = 16


@dataclass(frozen=True)
class WrappedEnds:
    """The lines of a loop in three parts, each with the tabs of its depth."""

    divisor: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Remainder:
    """``(counter + number + removed * divisor) % divisor``."""

    node: Node
    number: int
    removed: int


def takes_remainders(loop: Node) -> bool:
    """Whether an innermost loop takes remainders of sums by a variable: a cheap look."""
    return loop.kind == "FOR_STMT" and computes_only(loop.children[-1]) and any(
        n.kind == "BINARY_OPERATOR" and n.op == "%" and n.children[1].bare.kind == "DECL_REF_EXPR"
        and n.children[0].bare.op in ("+", "-") for n in loop.children[-1].walk()
    )  # fmt: skip


def wrapped_ends(function: Function, loop: Node) -> WrappedEnds | None:
    """The loop's parts; None where it is no such loop."""
    if not takes_remainders(loop) or function.attached.within(loop.span):
        return None
    header = [n for part in loop.children[:3] for n in part.walk()]
    if function.attached.before(loop.span.start) or any(n.in_macro for n in (loop, *header)):
        return None
    try:
        counted = counted_loop(loop)
        step = counted.constant_step
        (bound, *others) = counted.bounds(step)
    except NotAffine:
        return None
    counter, first, limit = counted.variable, constant_value(counted.first), bound.limit.bare
    if step != 1 or others or bound.relation != "<" or not bound.is_exact or first is None:
        return None
    divisor = limit.decl if limit.kind == "DECL_REF_EXPR" else None
    if first < 0 or not is_own(function, counter) or counter in counted.body.assigned:
        return None
    if divisor is None or not is_kept(function, divisor, loop, counter):
        return None
    found = [r for n in counted.body.walk() if (r := _remainder(n, counter, divisor)) is not None]
    if not found or counted.body.in_macro or has_static(counted.body):
        return None
    return _written(function, loop, counter, divisor, found, declared=counted.declared)


def _remainder(node: Node, counter: Decl, divisor: Decl) -> _Remainder | None:
    if (
        node.kind != "BINARY_OPERATOR"
        or node.op != "%"
        or node.children[1].bare.decl is not divisor
    ):
        return None
    parts = [n for n in node.walk() if n.value is None]
    alike = all(
        n.type.kind == "int" and n.type.size == counter.type.size
        and n.type.signed == counter.type.signed and not n.in_macro for n in parts
    )  # fmt: skip
    terms = _terms(node.children[0], 1) if alike else None
    if terms is None:
        return None
    number = sum(sign * (t.value or 0) for sign, t in terms if t.value is not None)
    named = [(sign, t.decl) for sign, t in terms if t.value is None]
    counters = [sign for sign, decl in named if decl is counter]
    removed = [sign for sign, decl in named if decl is divisor]
    plain_sum = counters == [1] and set(removed) <= {1} and len(named) == 1 + len(removed)
    if not plain_sum or abs(number) > _MOST or len(removed) > 1:
        return None
    return _Remainder(node, number, len(removed))


def _terms(node: Node, sign: int) -> list[tuple[int, Node]] | None:
    node = node.bare
    if node.value is not None or node.kind == "DECL_REF_EXPR":
        return [(sign, node)]
    if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "-"):
        return None
    left = _terms(node.children[0], sign)
    right = _terms(node.children[1], sign if node.op == "+" else -sign)
    return None if left is None or right is None else left + right


def _written(
    function: Function, loop: Node, counter: Decl, divisor: Decl, found: list[_Remainder],
    *, declared: bool,
) -> WrappedEnds | None:  # fmt: skip
    buffer, body = function.unit.buffer, loop.children[-1]
    end = body.span.end
    if body.kind != "COMPOUND_STMT":
        after = statement_end(buffer.data, end)
        if after is None:
            return None
        end = after
    span = Span(body.span.start, end)
    name, size, type_ = counter.name, divisor.name, plain(counter.type.spelling)
    low = max(0, *(-r.number for r in found))
    high = max(0, *(r.number for r in found))
    last = f"{free_prefix(buffer.data)}last"
    enough = f"{size} > {high}"
    if not counter.type.signed and any(r.removed for r in found):
        # So that no sum wraps.
        enough += f" && {size} <= ({type_})-1 / 2"
    edits = [Edit(r.node.span.start, r.node.span.end, _sum(name, r.number)) for r in found]
    whole, middle = buffer.text(span), buffer.edited(span, edits)
    first = buffer.text(loop.children[0].span).rstrip(";")
    lines = [
        f"const {type_} {last} = {enough} ? {size} - {high} : 0;",
        f"{first};",
        *_loop(f"{name} < {size} && {name} < {low}", name, whole, block=span == body.span),
        *_loop(f"{name} < {last}", name, middle, block=span == body.span),
        *_loop(f"{name} < {size}", name, whole, block=span == body.span),
    ]
    if low == 0:
        del lines[2 : 2 + len(_loop("", name, whole, block=span == body.span))]
    return WrappedEnds(size, tuple(lines))


def _loop(condition: str, name: str, text: str, *, block: bool) -> list[str]:
    head = f"for (; {condition}; {name}++)"
    if block:
        return list(levelled(f"{head} {text}"))
    return [head, *(f"\t{line}" for line in levelled(text))]


def _sum(name: str, number: int) -> bytes:
    """A counter with a number added, as an operand."""
    sign = "+" if number > 0 else "-"
    return (f"({name} {sign} {abs(number)})" if number else name).encode()


__all__ = ["WrappedEnds", "takes_remainders", "wrapped_ends"]
