"""Functions as loops around straight code: what runs for each point of a grid, in its order.

A region is a function that computes on arrays of the file, and what it calls without arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.mathematical import is_mathematical
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.line_groups.values import Value, value_of
from s2s.source.records import dataclass

_INT = 4
# Clauses that say nothing of values, by the constructs that share a loop. What is private has no
# value before the loop.
_NEUTRAL = {
    "for": frozenset({"schedule"}),
    "parallel for": frozenset({"schedule", "private", "shared", "default", "proc_bind"}),
}


@dataclass(eq=False)
class Counter:
    """What a loop counts from ``first`` to ``last``, or down to it where it does not rise."""

    decl: Decl
    isl: str
    first: Value
    last: Value
    rising: bool
    header: str
    declared: bool

    @property
    def range(self) -> str:
        """The values that it takes, for isl."""
        least, most = (self.first, self.last) if self.rising else (self.last, self.first)
        return f"{least.isl} <= {self.isl} <= {most.isl}"

    @property
    def text(self) -> str:
        """The loop's header with nothing but values of the file in it."""
        name = self.decl.name
        if self.rising:
            return f"for (int {name} = {self.first.c}; {name} <= {self.last.c}; {name}++)"
        return f"for (int {name} = {self.first.c}; {name} >= {self.last.c}; {name}--)"

    @property
    def after(self) -> Value:
        """What it is after the loop."""
        one = Value.of_number(1)
        if self.rising:
            return self.first.larger(self.last.joined("+", one))
        below = self.last.joined("-", one)
        minus = Value.of_number(0)
        high = minus.joined("-", self.first).larger(minus.joined("-", below))
        return minus.joined("-", high)


@dataclass(eq=False)
class Loop:
    """A counted loop; ``shared`` is the construct by which threads share it, or empty."""

    counter: Counter
    body: list[Item]
    shared: str
    node: Node


@dataclass(eq=False)
class Run:
    """Statements without jumps in the same loops; ``known`` are the integers there."""

    statements: list[Node]
    known: dict[Decl, Value]
    loops: tuple[Loop, ...]
    function: Function


@dataclass(eq=False)
class Uniform:
    """A local integer that gets an affine value, outside of all loops."""

    value: Node
    decl: Decl


@dataclass(eq=False)
class Scope:
    """The body of a function with the variables that it declares."""

    function: Function
    body: list[Item] = field(default_factory=list)
    variables: list[Decl] = field(default_factory=list)


Item = Loop | Run | Uniform | Scope


def runs(items: Sequence[Item]) -> Iterator[Run]:
    """All straight code, in the order of the text."""
    for item in items:
        if isinstance(item, Run):
            yield item
        elif isinstance(item, (Loop, Scope)):
            yield from runs(item.body)


def scopes(scope: Scope) -> Iterator[Scope]:
    """A function and those that it calls."""
    yield scope
    for item in scope.body:
        if isinstance(item, Scope):
            yield from scopes(item)


def is_place(node: Node) -> bool:
    """Whether an expression is a variable, or an element of an array."""
    return node.kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")


@dataclass
class Reader:
    """Reads functions; ``find`` has the definitions of the file by their names.

    ``kernel``: what works on blocks that it is given, in one iteration of the loops around.
    """

    find: Callable[[str], Function | None]
    kernel: bool = False
    _numbers: int = 0
    _active: list[str] = field(default_factory=list)

    def read(self, function: Function) -> Scope:
        """Raises NotLiftable with what is no loop and no straight code."""
        name, span = function.node.name, function.node.span
        if name in self._active or function.hidden or function.node.type.spelling.endswith("...)"):
            raise NotLiftable(span, "the function is not plain")
        if any(span.overlaps(off) for off in function.off):
            raise NotLiftable(span, "switched off")
        self._active.append(name)
        scope = Scope(function)
        known: dict[Decl, Value] = {}
        scope.body = self._block(function.body.children, (), scope, known)
        self._active.pop()
        shared = [i for i in function.node.walk() if function.attached.before(i.span.start)]
        loops = sum(1 for n in shared if n.kind == "FOR_STMT")
        if len(function.attached.within(span)) != loops or (loops and self.kernel):
            raise NotLiftable(span, "other directives than loops that threads share")
        return scope

    def _block(
        self, nodes: Sequence[Node], loops: tuple[Loop, ...], scope: Scope, known: dict[Decl, Value]
    ) -> list[Item]:
        items: list[Item] = []
        for node in nodes:
            if node.kind == "COMPOUND_STMT":
                items += self._block(node.children, loops, scope, known)
            elif node.kind == "DECL_STMT":
                items += self._declare(node, scope, loops, known)
            elif node.kind == "FOR_STMT":
                items.append(self._loop(node, loops, scope, known))
            elif node.kind == "CALL_EXPR" and not loops and self._inlined(node) is not None:
                items.append(self._called(node))
            elif not loops and not self.kernel and _sets_local_integer(node):
                decl = node.children[0].decl
                assert decl is not None
                known[decl] = value_of(node.children[1], known)
                items.append(Uniform(node.children[1], decl))
            elif node.kind != "NULL_STMT":
                self._check_leaf(node)
                last = items[-1] if items else None
                if isinstance(last, Run):
                    last.statements.append(node)
                else:
                    items.append(Run([node], dict(known), loops, scope.function))
        return items

    def _declare(
        self, node: Node, scope: Scope, loops: tuple[Loop, ...], known: dict[Decl, Value]
    ) -> list[Item]:
        items: list[Item] = []
        for child in node.children:
            decl = child.decl
            inner = child.type.innermost()
            plain = child.kind == "VAR_DECL" and decl is not None and not decl.is_static
            plain = plain and decl is not None and decl.is_local
            wanted = inner.kind in ("int", "float") and not inner.volatile
            array = child.type.kind == "array"
            values = child.children[child.dimensions :]
            sets = len(values) == 1 and is_int(child.type) and not self.kernel
            if (values and not sets) or (inner.const and not values) or loops:
                raise NotLiftable(child.span, "a declaration is not plain")
            if not plain or not wanted or (array and not self.kernel):
                raise NotLiftable(child.span, "a declaration is not plain")
            assert decl is not None
            scope.variables.append(decl)
            if values:
                known[decl] = value_of(values[0], known)
                items.append(Uniform(values[0], decl))
        return items

    def _loop(
        self, node: Node, loops: tuple[Loop, ...], scope: Scope, known: dict[Decl, Value]
    ) -> Loop:
        function = scope.function
        counter = self._counter(node, function, known)
        before = function.attached.before(node.span.start)
        for directive in before:
            clauses = {c.name for c in directive.clauses}
            allowed = _NEUTRAL.get(directive.name)
            if allowed is None or len(before) > 1 or clauses - allowed:
                raise NotLiftable(directive.span, "a directive is not a plain 'for'")
        loop = Loop(counter, [], before[0].name if before else "", node)
        if loop.shared and any(other.shared for other in loops):
            raise NotLiftable(node.span, "threads share a loop in a shared loop")
        inside = {**known, counter.decl: Value.of_counter(counter.decl.name, counter.isl)}
        body = node.children[3]
        if counter.decl in body.assigned:
            raise NotLiftable(node.span, f"'{counter.decl.name}' is set in its loop")
        loop.body = self._block(body.statements, (*loops, loop), scope, inside)
        for decl in node.assigned:
            known.pop(decl, None)
        if not loops and not loop.shared:
            known[counter.decl] = counter.after
        return loop

    def _counter(self, node: Node, function: Function, known: dict[Decl, Value]) -> Counter:
        try:
            loop = counted_loop(node)
            step, bound = loop.constant_step, loop.bound
        except NotAffine as problem:
            raise NotLiftable(node.span, str(problem)) from None
        type_ = loop.variable.type
        if (
            bound is None or not bound.is_exact or abs(step) != 1 or bound.relation == "!="
            or not bound.is_reached_by(step, loop.variable) or loop.variable.is_global
            or loop.variable.is_static or type_.kind != "int" or not type_.signed
            or type_.size != _INT or loop.variable.kind != "VAR_DECL"
        ):  # fmt: skip
            raise NotLiftable(node.span, "a loop is not counted by one")
        first, last = value_of(loop.first, known), value_of(bound.limit, known)
        if bound.relation in ("<", ">"):
            last = last.joined("-" if step > 0 else "+", Value.of_number(1))
        self._numbers += 1
        data = function.unit.buffer.data
        header = data[node.span.start : node.children[3].span.start].decode("utf-8", "replace")
        header = " ".join(header.split())
        isl_name = f"v{self._numbers}_{loop.variable.name}"
        if not header.startswith("for") or not header.endswith(")"):
            raise NotLiftable(node.span, "a loop's header is not plain text")
        return Counter(loop.variable, isl_name, first, last, step > 0, header, loop.declared)

    def _inlined(self, node: Node) -> Function | None:
        """The function that a statement calls without arguments, if it is one of the file."""
        target = node.children[0].decl if node.children else None
        if target is None or len(node.children) != 1 or target.kind != "FUNCTION_DECL":
            return None
        return self.find(target.name) if target.is_static and not self.kernel else None

    def _called(self, node: Node) -> Scope:
        function = self._inlined(node)
        assert function is not None
        return self.read(function)

    def _check_leaf(self, node: Node) -> None:
        """Raise NotLiftable unless a statement is an assignment, or may call a kernel."""
        call = node.kind == "CALL_EXPR" and not self.kernel
        sets = node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR", "UNARY_OPERATOR")
        if node.in_macro or not (call or (sets and node.assigns and is_place(node.children[0]))):
            raise NotLiftable(node.span, "a statement is no assignment")
        for inner in node.walk():
            if inner is node:
                continue
            called = inner.kind == "CALL_EXPR" and not is_mathematical(inner.name)
            if called or inner.assigns or inner.kind in ("STMT_EXPR", "VAR_DECL"):
                raise NotLiftable(inner.span, "an expression does more than compute")
            if inner.op in ("&", "*") and inner.kind == "UNARY_OPERATOR":
                raise NotLiftable(inner.span, "an expression goes through a pointer")


def _sets_local_integer(node: Node) -> bool:
    if node.kind != "BINARY_OPERATOR" or node.op != "=":
        return False
    target = node.children[0]
    decl = target.decl
    return (
        target.kind == "DECL_REF_EXPR" and decl is not None and decl.is_local
        and is_int(target.type)
    )  # fmt: skip


def is_int(type_: CType) -> bool:
    """Whether a type is ``int``."""
    return type_.kind == "int" and type_.signed and type_.size == _INT
