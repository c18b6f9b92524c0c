"""Loops of which only digits are used, ``q % k`` and ``q / k % k``, as one loop for each digit."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.nodes import local, reference
from s2s.frontends.c.typed.sizes import Counted, Sizes
from s2s.scop.polynomial import Polynomial

_ONE = Polynomial.integer(1)


def with_digits_apart(
    loop: Counted, loops: tuple[Counted, ...], place: Polynomial, value: Node, sizes: Sizes
) -> tuple[tuple[Counted, ...], Polynomial, Node]:
    """Loops, a place and a value in which digits of a loop's variable have loops of their own.

    The same ones where the value has other uses of the variable, or the digits are not all of it.
    """
    same = loops, place, value
    found = _Digits(loop.variable, sizes)
    if not found.read(value):
        return same
    radices = found.radices()
    if not radices:
        return same
    made, reach, rest = [], _ONE, loop.count
    for number, (radix, limit) in enumerate(radices):
        quotient = _divided(rest, radix)
        if quotient is None:
            return same
        made.append(_counted(loop, number, radix, limit))
        reach, rest = reach * radix, quotient
    last = sizes.node(rest, loop.limit)
    if last is None:
        return same
    made.append(_counted(loop, len(radices), rest, last))
    variables = [one.variable for one in made]
    step, begin = place.divide(sizes.name(loop.variable))
    reach = _ONE
    for one in made:
        begin = begin + step * reach * Polynomial.name(sizes.name(one.variable))
        reach = reach * one.count
    kept = [n for one in loops for n in (reversed(made) if one is loop else [one])]
    return tuple(kept), begin, found.written_out(value, variables)


def _counted(loop: Counted, number: int, count: Polynomial, limit: Node) -> Counted:
    variable = local(f"{loop.variable.name}_{number}", loop.variable.type, loop.limit.span)
    return Counted(variable, count, limit)


class _Digits:
    """What a value has of a variable."""

    def __init__(self, variable: Decl, sizes: Sizes) -> None:
        self.variable, self.sizes = variable, sizes
        self.remainders: dict[Polynomial, tuple[Polynomial, Node]] = {}
        """By what the variable is divided first: what of, and the divisor in C."""
        self.quotients: list[Polynomial] = []
        self.bases: list[Polynomial] = []
        """By what the variable is divided before each digit, the lowest first."""

    def read(self, value: Node) -> bool:
        """Whether all uses of the variable are digits."""
        return all(self._take(use) for use in self._uses(value))

    def _uses(self, node: Node) -> Iterator[Node]:
        """The largest quotients and remainders of the variable, and other uses of it."""
        if self.variable not in node.decls:
            return
        if node.decl is self.variable or self._digit(node) is not None:
            yield node
            return
        for child in node.children:
            yield from self._uses(child)

    def _digit(self, node: Node) -> tuple[Polynomial, Polynomial | None, Node] | None:
        """By what the variable is divided, and of what that is the remainder."""
        node = node.bare
        if node.kind != "BINARY_OPERATOR" or node.op not in ("/", "%"):
            return None
        inner, by = node.children
        divided, radix = self._quotient(inner), self.sizes.polynomial(by, {})
        if divided is None or radix is None:
            return None
        return (divided * radix, None, by) if node.op == "/" else (divided, radix, by)

    def _quotient(self, node: Node) -> Polynomial | None:
        node = node.bare
        if node.decl is self.variable:
            return _ONE
        if node.kind != "BINARY_OPERATOR" or node.op != "/":
            return None
        inner, by = self._quotient(node.children[0]), self.sizes.polynomial(node.children[1], {})
        return None if inner is None or by is None else inner * by

    def _take(self, use: Node) -> bool:
        found = self._digit(use)
        if found is None:
            return False
        divided, radix, by = found
        if radix is None:
            self.quotients.append(divided)
            return True
        known = self.remainders.setdefault(divided, (radix, by))
        return known[0] == radix

    def radices(self) -> list[tuple[Polynomial, Node]]:
        """The counts of all digits but the last one; none where they are not all of it."""
        found, reach, left = [], _ONE, dict(self.remainders)
        while left:
            if reach not in left:
                return []
            radix, by = left.pop(reach)
            found.append((radix, by))
            self.bases.append(reach)
            reach = reach * radix
        return found if all(q == reach for q in self.quotients) else []

    def written_out(self, node: Node, variables: list[Decl]) -> Node:
        """A value with the digits as variables, the lowest first."""
        if self.variable not in node.decls:
            return node
        digit = self._digit(node)
        if digit is None:
            return node.with_children([self.written_out(c, variables) for c in node.children])
        divided, radix, _ = digit
        place = len(self.bases) if radix is None else self.bases.index(divided)
        return reference(variables[place], node.span)


def _divided(value: Polynomial, by: Polynomial) -> Polynomial | None:
    """A polynomial divided by a product; None where something would be left."""
    if not by.terms:
        return value.divided(by.constant)
    if by.constant or len(by.terms) != 1:
        return None
    ((names, factor),) = by.terms.items()
    for name in names:
        value, rest = value.divide(name)
        if rest.terms or rest.constant:
            return None
    return value.divided(factor)
