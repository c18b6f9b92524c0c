"""Remainders of what a parameter divides: affine in pieces where they wrap around once.

``(i + 1) % n`` is ``i + 1``, or ``i + 1 - n`` where that reaches ``n``; ``(i - 1 + n) % n`` is
``i - 1``, or ``i - 1 + n`` where that is negative. That no other multiple of ``n`` comes in is
a requirement. It is only asked for where an iterator of the dividend is always from 0 to below
``n``, or a parameter says where it begins: others, as in ``key[i % k]``, go round as often as they
like.
"""

from __future__ import annotations

from collections.abc import Iterable

from s2s.frontends.c.chosen import Chosen, Comparison, Condition
from s2s.frontends.c.evaluated import Context, Requirement
from s2s.frontends.c.isl_texts import read_set
from s2s.frontends.c.syntax import Node
from s2s.scop.polynomial import Polynomial


def remainder(
    node: Node, dividend: Polynomial, divisor: Polynomial, context: Context, chosen: Chosen,
    parameters: Iterable[str],
) -> tuple[Polynomial, Requirement] | None:  # fmt: skip
    """The value of ``dividend % divisor`` at ``node``; None where it is not known to wrap once."""
    names = tuple(parameters)
    if divisor.atom is None or not divisor.names <= set(names) or not dividend.is_affine:
        return None
    times = dividend.terms.get(divisor.atom, 0)
    rest = dividend - divisor.scaled(times)
    if times < 0 or not _begins_near(rest, divisor, context, names):
        return None
    number, end = rest.isl(), divisor.isl()
    least = f"-{end}" if times else "0"
    required = Requirement(context, f"({number} < {least} or {number} >= 2 * {end})", node)
    value = chosen.choose(
        Condition(f"{number} < {end}", Comparison(rest, "<", divisor)), rest, rest - divisor
    )
    if times and value is not None:
        below = Condition(f"{number} < 0", Comparison(rest, "<", Polynomial.integer(0)))
        value = chosen.choose(below, rest + divisor, value)
    return None if value is None else (value, required)


def _begins_near(
    rest: Polynomial, divisor: Polynomial, context: Context, parameters: tuple[str, ...]
) -> bool:
    if not rest.names.isdisjoint(parameters):
        return True
    below = (_is_below(v.name, divisor.isl(), context, parameters) for v in context.iterators
             if v.name in rest.names)  # fmt: skip
    return any(below)


def _is_below(name: str, end: str, context: Context, parameters: tuple[str, ...]) -> bool:
    """Whether an iterator is always from 0 to below a parameter."""
    iterators = ", ".join(v.name for v in context.iterators)
    outside = f"{context.formula} and ({name} < 0 or {name} >= {end})"
    space = f"[{', '.join(parameters)}] -> {{ [{iterators}]"
    text = f"{space} : {outside} }}"
    return bool(read_set(text).is_empty())
