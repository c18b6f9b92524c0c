"""Loops: iteration numbers are symbols, the variables polynomials of them."""

from __future__ import annotations

from collections.abc import Callable

from s2s.frontends.c.counted_loops import CountedLoop, counted_loop, step_of
from s2s.frontends.c.executed.calls import Calls
from s2s.frontends.c.executed.conditions import Test, local_targets
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.syntax import Node
from s2s.scop.executions import Atom, Condition, Role, Scope, Wait
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_MUTE = 3


def leaves_loops(node: Node) -> bool:
    """Whether a loop's body may end the loop."""
    if node.is_loop or node.kind == "SWITCH_STMT":
        return any(inner.kind == "RETURN_STMT" for inner in node.walk())
    ends = node.kind in ("BREAK_STMT", "RETURN_STMT")
    return ends or any(leaves_loops(child) for child in node.children)


def read_header(node: Node) -> CountedLoop | None:
    """A counted loop's header; None for another loop."""
    try:
        loop = counted_loop(node)
    except NotAffine:
        return None
    counts = loop.variable.type.kind == "int" and loop.variable not in assigned_in([loop.body])
    return loop if counts else None


@dataclass
class Loops(Calls):
    """Reads loops of threads of their own, and those that are shared out."""

    def has_directives(self, node: Node) -> bool:
        raise NotImplementedError

    def loop(self, node: Node) -> None:
        """A loop that whoever meets it executes as a whole."""
        header = read_header(node)
        if header is None:
            self._open_loop(node)
            return
        symbol = self.symbol("i", local=True)
        self.owners.pop(header.variable, None) if header.declared and self.region is None else None
        with self.scope(Role.LOOP, (symbol,)) as scope:
            if header.declared and self.region is not None:
                self.owners[header.variable] = scope
            self._iterate(header, symbol, lambda: self._body(header.body))
        self.forget([header.variable, *local_targets([header.body])])

    def _body(self, node: Node) -> None:
        self.looping += 1
        with self.scope(Role.BLOCK):
            self.statement(node)
        self.looping -= 1

    def _iterate(self, header: CountedLoop, symbol: str, body: Callable[[], None]) -> None:
        """One iteration with a number, for all of them."""
        decl = header.variable
        first = self.evaluate(header.first)
        place = self.variable(decl)
        self.record(place, header.increment.span, write=True)
        step = self._step_of(header)
        self.forget([d for d in local_targets([header.body]) if d is not decl])
        number = Polynomial.name(symbol)
        self.conditions.append(Atom(number, ">="))
        known = isinstance(first, Polynomial) and step is not None
        self.known[decl] = first + number * step if known else None  # type: ignore[operator]
        self._bound(header, step, symbol)
        body()
        self.updating = True
        self.record(place, header.increment.span, write=False)
        self.record(place, header.increment.span, write=True)
        self.updating = False

    def _step_of(self, header: CountedLoop) -> Polynomial | None:
        step = step_of(header.increment, header.variable)
        if step is None or step.amount is None:
            return None if step is None else Polynomial.integer(step.sign)
        value = self.evaluate(step.amount)
        if not isinstance(value, Polynomial):
            return None
        return value if step.sign > 0 else -value

    def _bound(self, header: CountedLoop, step: Polynomial | None, symbol: str) -> None:
        """The loop's condition holds; ``!=`` bounds on the side that the step leads to.

        Where the condition is not understood, two iterations are taken to be executed; one where
        the body may leave the loop.
        """
        found = self._bounded(header, step)
        if leaves_loops(header.body):
            self.conditions.append(Atom(-Polynomial.name(symbol), ">="))
        if found is None:
            found = Atom(Polynomial.integer(1) - Polynomial.name(symbol), ">=")
        self.conditions.append(found)

    def _bounded(self, header: CountedLoop, step: Polynomial | None) -> Condition | None:
        condition = header.condition
        if condition.op == "!=" and step is not None:
            values = [self.evaluate(c) for c in condition.children]
            left, right = values
            if isinstance(left, Polynomial) and isinstance(right, Polynomial):
                if condition.children[0].decl is not header.variable:
                    left, right = right, left
                away = (right - left) if (step.number or 1) > 0 else (left - right)
                return Atom(away - Polynomial.integer(1), ">=")
            return None
        found = self.test(condition)
        return None if found.doubt else found.holds

    def _open_loop(self, node: Node) -> None:
        """A loop of which nobody knows how often it runs: at least once."""
        targets = local_targets([node])
        conditional = node.kind == "WHILE_STMT"
        *header, body = node.children if conditional else (*node.children[::-1],)
        if node.kind == "FOR_STMT":
            header, body = node.children[:1], node.children[-1]
            for part in header:
                self._part(part)
        self.forget(targets)
        locks = dict(self.locks)
        with self.scope(Role.LOOP):
            spinning = self._guard(node)
            self._body(body)
            if node.kind == "DO_STMT":
                spinning = self._guard(node) or spinning
        if self.locks != locks:
            self.distrust()
        self.forget(targets)
        if spinning or self.has_directives(node) or body.kind == "NULL_STMT" or not body.children:
            self.mark(Wait.BARRIER)
            self.spun = self.region is not None

    def _part(self, part: Node) -> None:
        if part.kind.endswith("_STMT"):
            self.statement(part)
        else:
            self.evaluate(part)

    def _guard(self, node: Node) -> bool:
        """Evaluate a loop's condition; whether it asks for what others may change."""
        if node.kind == "WHILE_STMT":
            condition: Node | None = node.children[0]
        elif node.kind == "DO_STMT":
            condition = node.children[-1]
        else:
            condition = node.children[1] if len(node.children) == 4 else None
        if condition is None:
            return False
        found: Test = self.test(condition)
        asked = (n.decl for n in condition.walk() if n.kind == "DECL_REF_EXPR")
        shared = any(d is not None and self.is_shared(d) and d in self.changing for d in asked)
        return shared or found.doubt > 1

    def shared_loop(
        self, node: Node, role: Role, count: int, body: Callable[[Node], None] | None = None,
        *, static: bool = False,
    ) -> Scope | None:  # fmt: skip
        """A loop nest of which a construct distributes the iterations."""
        headers = _nest(node, count)
        if headers is None:
            with self.under(None, 2):
                self._open_loop(node)
            return None
        symbols = tuple(self.symbol("i", local=True) for _ in headers)
        before = set(self.owners)
        own = self.owned([h.variable for h in headers])
        with own, self.scope(role, symbols, static=static) as it:
            inner = headers[-1].body
            self._distribute(headers, symbols, lambda: (body or self._body)(inner))
        for decl in set(self.owners) - before:
            self.owners.pop(decl, None)
        self.forget(local_targets([headers[-1].body]))
        return it

    def _distribute(
        self, headers: list[CountedLoop], symbols: tuple[str, ...], body: Callable[[], None]
    ) -> None:
        """One iteration of a nest; what its headers access is read once, before it."""
        doubt = self.doubt

        def go_on() -> None:
            muted, self.doubt = self.doubt, doubt
            if len(headers) > 1:
                self._distribute(headers[1:], symbols[1:], body)
            else:
                body()
            self.doubt = muted

        self.doubt = _MUTE
        try:
            self._iterate(headers[0], symbols[0], go_on)
        finally:
            self.doubt = doubt


def _nest(node: Node, count: int) -> list[CountedLoop] | None:
    headers: list[CountedLoop] = []
    for _ in range(count):
        while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            node = node.children[0]
        header = read_header(node)
        if header is None:
            return None
        headers.append(header)
        node = header.body
    return headers
