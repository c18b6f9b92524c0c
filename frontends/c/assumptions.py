"""For which parameters a region means what its polyhedral form says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import islpy as isl

from s2s.frontends.c.arrays import Memory
from s2s.frontends.c.evaluated import Context, Requirement
from s2s.frontends.c.isl_texts import read_parameters, read_set
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import Node
from s2s.scop.nodes import Parameter
from s2s.scop.polynomial import Monomial, Polynomial
from s2s.scop.remembered import intersection, is_empty, remembered
from s2s.source import Span
from s2s.source.records import dataclass

# Versions for arrays with fewer rows than this are not worth their text.
_MANY = 4
_PLAIN_RANGE = re.compile(
    r"\((?P<name>\w+) >= (?P<first>\(\d+\)|\d+) and (?P=name) < (?P<end>\(\d+\)|\d+)\)"
)


def parameter_context(parameters: Iterable[Parameter], space: str) -> isl.Set:
    """The values that the parameters' types have, and what those are that name sums."""
    parts = []
    for parameter in parameters:
        if parameter.equals:
            parts.append(f"{parameter.name} = {parameter.equals}")
        bits = 8 * parameter.size
        if bits < 64:
            low = 0 if parameter.unsigned else -(1 << (bits - 1))
            high = (1 << (bits if parameter.unsigned else bits - 1)) - 1
            parts.append(f"{low} <= {parameter.name} <= {high}")
        elif parameter.unsigned:
            parts.append(f"{parameter.name} >= 0")
    return read_set(f"{space}{{ : {' and '.join(parts) or 'true'} }}")


@remembered
def _without(held: isl.Set, violation: isl.Set) -> isl.Set:
    return held.subtract(violation)


@remembered
def _rest(held: isl.Set, violation: isl.Set) -> isl.Set:
    return held if held.is_disjoint(violation) else held.subtract(violation).coalesce()


@dataclass(frozen=True)
class Assumptions:
    """What the region's guard has to check. Raises NotLiftable where that never holds.

    ``space`` is the isl text of the parameters and ``context`` what is known of them; ``products``
    are those parameters that stand for polynomials of others.
    """

    requirements: Sequence[Requirement]
    span: Span
    function: Node
    space: str
    context: isl.Set
    products: Mapping[str, Polynomial]

    def run(self, memories: Iterable[Memory], runs: isl.Set) -> isl.Set:
        """Where no requirement is violated; arrays whose bounds cannot hold lose their shape.

        ``runs`` are the parameters for which the region executes a statement.
        """
        held = self.context
        for requirement in self.requirements:
            held = _without(held, self._violation(requirement))
        if held.is_empty():
            raise NotLiftable(self.span, "unsigned arithmetic wraps in every execution")
        for memory in memories:
            within = held
            for requirement in self._bounds(memory):
                violation = self._violation(requirement)
                if not is_empty(violation):
                    within = _rest(within, violation)
            hopeless = within.is_disjoint(runs) or self._is_for_few(within, held, runs)
            if hopeless or within.n_basic_set() > 8:
                memory.exact = False
            else:
                held = within
        return held.coalesce().gist(self.context)

    def _is_for_few(self, within: isl.Set, held: isl.Set, runs: isl.Set) -> bool:
        """Whether bounds only hold where a factor of some product is tiny.

        ``a[i * n + j]`` lies in rows of ``n`` beside ``a[k]`` with ``k < n * n`` for one row alone.
        Nothing is wrong with code for that, but nobody would run it.
        """
        if within.is_equal(held):
            return False
        for factor in sorted({name for p in self.products.values() for name in p.names}):
            larger = runs.intersect(self._with_many(factor))
            if within.is_disjoint(larger) and not held.is_disjoint(larger):
                return True
        return False

    def _with_many(self, factor: str) -> isl.Set:
        """Parameters where a factor is at least ``_MANY`` and all others are positive."""
        parts = [f"{factor} >= {_MANY}"]
        for product, value in self.products.items():
            least = value.part(lambda monomial: len(monomial) < 2, value.constant)
            parts += [f"{name} >= 1" for name in sorted(value.names)]
            for monomial, coefficient in value.terms.items():
                if len(monomial) > 1 and coefficient > 0:
                    least = least.plus(_least_product(monomial, factor), coefficient)
            bounded = all(c > 0 for m, c in value.terms.items() if len(m) > 1)
            if bounded and least.is_affine:
                parts.append(f"{product} >= {least.isl()}")
        return isl.Set(f"{self.space}{{ : {' and '.join(parts)} }}")

    def _violation(self, requirement: Requirement) -> isl.Set:
        names = ", ".join(v.name for v in requirement.context.iterators)
        formula = f"{requirement.context.formula} and ({requirement.violation})"
        violated = read_parameters(f"{self.space}{{ [{names}] : {formula} }}")
        return intersection(violated, self.context)

    def _bounds(self, memory: Memory) -> Iterable[Requirement]:
        """Inner subscripts stay within their sizes, else they name other rows' elements."""
        seen = set()
        for touch in memory.touches:
            values = memory.subscripts(touch)
            if values is None:
                continue
            sizes = memory.inner_sizes()
            for position, (value, size) in enumerate(zip(values, sizes, strict=True)):
                inner = position > 0 and not _starts_object(memory, position)
                key = (touch.context.formulas, value, size)
                if not inner or key in seen:
                    continue
                seen.add(key)
                if size is not None and _surely_below(value, size, touch.context):
                    continue
                violation = f"{value.isl()} < 0 or {value.isl()} >= {size}" if size else "true"
                yield Requirement(touch.context, violation, self.function)


def _surely_below(value: Polynomial, size: str, context: Context) -> bool:
    """Whether a subscript is plainly in a row of a known size: a number, or what a loop counts."""
    if not size.strip("()").isdigit():
        return False
    low = high = value.constant
    for monomial, coefficient in value.terms.items():
        found = _range_of(monomial[0], context) if len(monomial) == 1 else None
        if found is None or coefficient != 1:
            return False
        low, high = low + found[0], high + found[1]
    return low >= 0 and high < int(size.strip("()"))


def _range_of(name: str, context: Context) -> tuple[int, int] | None:
    """The least and the largest value of an iterator, where a loop's bounds are numbers."""
    for found in map(_PLAIN_RANGE.fullmatch, context.ranges):
        if found is not None and found["name"] == name:
            return int(found["first"].strip("()")), int(found["end"].strip("()")) - 1
    return None


def _least_product(monomial: Monomial, factor: str) -> Polynomial:
    """What a product of positive integers is at least: their sum, less one for all but the first.

    A ``factor`` of ``_MANY`` or more multiplies that of the others.
    """
    others = list(monomial)
    if factor in others:
        others.remove(factor)
    total = Polynomial.integer(1 - len(others))
    for name in others:
        total = total + Polynomial.name(name)
    return total.scaled(_MANY if len(others) < len(monomial) else 1)


def _starts_object(memory: Memory, position: int) -> bool:
    """Whether a subscript is the first one of memory that a pointer leads to."""
    if position < len(memory.pointers):
        return memory.pointers[position]
    return False
