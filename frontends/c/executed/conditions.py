"""Conditions: what they tell of iterations and threads, and what data decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from s2s.frontends.c.executed.expressions import Expressions
from s2s.frontends.c.executed.values import Data, Pointer, Value
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.executions import Atom, Both, Condition, Either, Role, names_in
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_ONE = Polynomial.integer(1)
_RELATIONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Test:
    """When a condition holds and when it does not; ``doubt`` where that is not all."""

    holds: Condition | None
    fails: Condition | None
    doubt: int = 0

    def negated(self) -> Test:
        return Test(self.fails, self.holds, self.doubt)


_EXISTS = Test(Both(()), Either(()))
"""Of a pointer: what failed to allocate is not looked at."""


@dataclass
class Conditions(Expressions):
    """Branches of expressions."""

    def test(self, node: Node) -> Test:
        """Evaluate a condition."""
        if node.kind == "BINARY_OPERATOR" and node.op in ("&&", "||"):
            return self._both(node)
        if node.kind == "UNARY_OPERATOR" and node.op == "!":
            return self.test(node.children[0]).negated()
        if node.kind == "BINARY_OPERATOR" and node.op in _RELATIONS:
            left, right = (self.evaluate(c) for c in node.children)
            if isinstance(left, Pointer) and right == Polynomial() and node.op in ("==", "!="):
                return _EXISTS.negated() if node.op == "==" else _EXISTS
            if isinstance(left, Polynomial) and isinstance(right, Polynomial):
                return Test(_atom(left, node.op, right), _atom(left, _OPPOSITE[node.op], right))
            return Test(None, None, _doubt(left, right))
        value = self.evaluate(node)
        if isinstance(value, Pointer):
            return _EXISTS
        if isinstance(value, Polynomial):
            return Test(Atom(value, "!="), Atom(value, "="))
        return Test(None, None, _doubt(value))

    def _both(self, node: Node) -> Test:
        """The second operand is evaluated where the first one does not decide."""
        first = self.test(node.children[0])
        if node.op == "||":
            first = first.negated()
        with self.under(first.holds, max(first.doubt, self._perhaps(first))):
            second = self.test(node.children[1])
        if node.op == "||":
            second = second.negated()
        doubt = max(first.doubt, second.doubt)
        found = Test(_join(Both, first.holds, second.holds),
                     _join(Either, first.fails, second.fails), doubt)  # fmt: skip
        return found.negated() if node.op == "||" else found

    def _perhaps(self, test: Test) -> int:
        """The doubt about an operand that only some values of parameters have evaluated."""
        names = () if test.holds is None else names_in(test.holds)
        return 0 if any(name in self.local for name in names) else 1

    def chain(self, node: Node) -> Value:
        found = self.test(node)
        return Data.LOADED if found.doubt < 2 else None

    def choose(self, node: Node) -> Value:
        condition, *parts = node.children
        found = self.test(condition)
        values = []
        for part, chosen in zip(parts, (found, found.negated()), strict=True):
            with self.branch(chosen, [part]), self.under(None, self._perhaps(chosen)):
                values.append(self.evaluate(part))
        if values[0] == values[1]:
            return values[0]
        picked = self._picked(found, values)
        if picked is not None:
            return picked
        known = found.doubt < 2 and None not in values
        return Data.LOADED if known else None

    def _picked(self, test: Test, values: list[Value]) -> Polynomial | None:
        """One of two numbers, as a condition has it."""
        first, second = values
        if test.doubt or test.holds is None or test.fails is None:
            return None
        if not isinstance(first, Polynomial) or not isinstance(second, Polynomial):
            return None
        symbol = self.symbol("v", local=True)
        value = Polynomial.name(symbol)
        cases = ((test.holds, first), (test.fails, second))
        return self.define(symbol, Either(tuple(Both((c, Atom(value - v, "="))) for c, v in cases)))

    @contextmanager
    def branch(self, test: Test, nodes: Iterable[Node]) -> Iterator[None]:
        """One way to go: what it sets is not known after it."""
        before, locks = dict(self.known), dict(self.locks)
        changed = local_targets(nodes)
        with self.scope(Role.BRANCH), self.under(test.holds, test.doubt):
            yield
        if self.locks != locks:
            self.distrust()
            self.locks = locks
        self.settle(changed, before)

    def settle(self, changed: Iterable[Decl], before: dict[Decl, Value]) -> None:
        """Forget what code that may not have run has set; data remains data."""
        for decl in changed:
            values = self.known.get(decl), before.get(decl)
            if decl in before and values[0] == values[1] is not None:
                continue
            self.forget([decl])
            plain = all(isinstance(v, Polynomial | Data) for v in values)
            if self.is_concurrent and plain:
                self.known[decl] = Data.LOADED


def local_targets(nodes: Iterable[Node]) -> list[Decl]:
    """Variables that code assigns or declares."""
    return list(assigned_in(nodes))


def _doubt(*values: Value) -> int:
    return 1 if all(isinstance(v, Polynomial | Data) for v in values) else 2


def _join(
    kind: type[Both] | type[Either], left: Condition | None, right: Condition | None
) -> Condition | None:
    """Of what is not known, a conjunction keeps the rest; a disjunction says nothing."""
    parts = tuple(part for part in (left, right) if part is not None)
    if len(parts) == 2:
        return kind(parts)
    return parts[0] if parts and kind is Both else None


def _atom(left: Polynomial, op: str, right: Polynomial) -> Condition:
    if op in ("==", "!="):
        return Atom(left - right, "=" if op == "==" else "!=")
    if op in ("<", "<="):
        left, right = right, left
    return Atom(left - right - (_ONE if op in ("<", ">") else Polynomial()), ">=")
