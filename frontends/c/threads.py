"""Work that threads share out by their numbers, as in code that is written for a whole team.

::

    int id = omp_get_thread_num(), size = omp_get_num_threads();
    for (int i = id; i < n; i += size)            // cyclic
    for (int i = n * id / size; i < n * (id + 1) / size; i++)   // blocks

Together the threads run over a range, each iteration in one of them: a worksharing loop without a
barrier. Whether bounds and step do that is found by evaluating them for many small sizes, thread
counts and numbers; the range itself is what a team of one thread runs over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import product

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.syntax import ASSIGNMENTS, Decl, Node
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

Value = int | Polynomial
_CASTS = ("CSTYLE_CAST_EXPR", "IMPLICIT_CAST", "PAREN_EXPR", "UNEXPOSED_EXPR")
_NUMBER, _SIZE = "omp_get_thread_num", "omp_get_num_threads"
_TEAMS = range(1, 7)
# Values that sizes take, by how many sizes there are.
_SAMPLES = {0: range(1), 1: range(24), 2: range(8), 3: range(4)}


class Unknown(Exception):
    """An expression has no value that could be followed."""


@dataclass(frozen=True)
class Split:
    """The range that the threads of a team run over together: from first to limit by step."""

    first: Polynomial
    limit: Polynomial
    step: int
    cyclic: bool


@dataclass
class _Thread:
    """Evaluates integer expressions for one thread; ``other`` gives the values of free names."""

    number: int
    size: int
    other: Callable[[Node], Value]
    values: dict[Decl, Value | None] = field(default_factory=dict)

    def run(self, nodes: Iterable[Node]) -> None:
        """Follow statements; what cannot be followed makes what it sets unknown."""
        for node in nodes:
            try:
                self._statement(node)
            except Unknown:
                self.values.update(dict.fromkeys(assigned_in([node])))

    def _statement(self, node: Node) -> None:
        if node.kind == "DECL_STMT":
            for child in node.children:
                if child.decl is not None and child.kind == "VAR_DECL":
                    self.values[child.decl] = None
                    if child.children and child.type.kind == "int":
                        self.values[child.decl] = self.value(child.children[-1])
        elif node.kind == "COMPOUND_STMT":
            self.run(node.children)
        elif node.kind == "IF_STMT":
            taken = node.children[1:2] if self.value(node.children[0]) else node.children[2:]
            self.run(taken)
        elif node.kind == "BINARY_OPERATOR" and node.op == "=" and node.children[0].decl:
            self.values[node.children[0].decl] = self.value(node.children[1])
        elif assigned_in([node]):
            raise Unknown

    def value(self, node: Node) -> Value:
        """The value of an expression. Raises Unknown."""
        if node.value is not None and not isinstance(node.value, bool):
            return node.value
        if node.kind in _CASTS and node.children and node.type.kind == "int":
            return self.value(node.children[-1])
        if node.kind == "CALL_EXPR" and node.name in (_NUMBER, _SIZE):
            return self.number if node.name == _NUMBER else self.size
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if node.decl in self.values:
                known = self.values[node.decl]
                if known is None:
                    raise Unknown
                return known
            return self.other(node)
        if node.kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3:
            return self.value(node.children[1 if self.value(node.children[0]) else 2])
        if node.kind == "BINARY_OPERATOR" and node.op not in ASSIGNMENTS:
            return _combined(node.op, *map(self.value, node.children))
        raise Unknown


def _combined(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, int):
        return _of_integers(op, left, right)
    a, b = _polynomial(left), _polynomial(right)
    if op in ("+", "-", "*"):
        return a + b if op == "+" else a - b if op == "-" else a * b
    if op == "/" and right == 1:
        return left
    if op == "%" and right == 1:
        return 0
    distance = (a - b).number
    if op in _COMPARISONS and distance is not None:
        return _of_integers(op, distance, 0)
    raise Unknown


_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def _polynomial(value: Value) -> Polynomial:
    return Polynomial.integer(value) if isinstance(value, int) else value


def _of_integers(op: str, left: int, right: int) -> int:
    if op in ("/", "%"):
        if right == 0:
            raise Unknown
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - quotient * right
    results = {
        "+": left + right, "-": left - right, "*": left * right, "<": left < right,
        "<=": left <= right, ">": left > right, ">=": left >= right, "==": left == right,
        "!=": left != right,
    }  # fmt: skip
    if op not in results:
        raise Unknown
    return int(results[op])


@dataclass(frozen=True)
class SharedHeader:
    """A loop's header before its range is known; ``closed`` where the limit is reached itself."""

    decl: Decl
    declared: bool
    first: Node
    limit: Node
    closed: bool
    step: Node | None
    """What is added to the counter; None stands for 1."""


def shared_header(node: Node) -> SharedHeader:
    """Read a ``for`` statement that counts up, by any step. Raises NotAffine."""
    loop = counted_loop(node)
    bound, step = loop.bound, loop.step
    if bound is None or bound.relation not in ("<", "<="):
        raise NotAffine(loop.condition, f"the condition does not bound '{loop.variable.name}'")
    if step.sign < 0:
        raise NotAffine(loop.increment, f"'{loop.variable.name}' counts down")
    closed = bound.relation == "<="
    return SharedHeader(loop.variable, loop.declared, loop.first, bound.limit, closed, step.amount)


def is_number(node: Node, seen: Sequence[Node]) -> bool:
    """Whether an expression is the thread's number, after the statements ``seen``."""
    try:
        return all(_evaluated(node, seen, t) == t for t in (0, 1, 2))
    except Unknown:
        return False


def _evaluated(node: Node, seen: Sequence[Node], number: int) -> Value:
    def nothing(name: Node) -> Value:
        raise Unknown

    thread = _Thread(number, 3, nothing)
    thread.run(seen)
    return thread.value(node)


def split(
    header: SharedHeader, seen: Sequence[Node], polynomial: Callable[[Node], Polynomial | None]
) -> Split | None:
    """The range that threads share out, None where they do not or it is not known.

    ``seen`` are the statements that each thread has executed before; ``polynomial`` gives the value
    of a name that they do not set.
    """

    def symbolic(name: Node) -> Value:
        value = polynomial(name)
        if value is None:
            raise Unknown
        return value

    try:
        first, limit, step = _bounds(header, seen, 0, 1, symbolic)
        if not isinstance(step, int) or step < 1 or not _partitions(header, seen):
            return None
    except Unknown:
        return None
    return Split(_polynomial(first), _polynomial(limit), step, header.step is not None)


def _bounds(
    header: SharedHeader,
    seen: Sequence[Node],
    number: int,
    size: int,
    other: Callable[[Node], Value],
) -> tuple[Value, Value, Value]:
    thread = _Thread(number, size, other)
    thread.run(seen)
    limit = thread.value(header.limit)
    if header.closed:
        limit = _combined("+", limit, 1)
    step = 1 if header.step is None else thread.value(header.step)
    return thread.value(header.first), limit, step


def _partitions(header: SharedHeader, seen: Sequence[Node]) -> bool:
    """Whether each iteration is in one thread, for all small sizes and teams; no single one all."""
    names = _free_names(header, seen)
    if len(names) not in _SAMPLES:
        return False
    shared = False
    for sizes in product(_SAMPLES[len(names)], repeat=len(names)):
        known = dict(zip(names, sizes, strict=True))
        whole = _iterations(header, seen, 0, 1, known)
        for team in _TEAMS:
            pieces = [_iterations(header, seen, t, team, known) for t in range(team)]
            if sorted(i for piece in pieces for i in piece) != list(whole):
                return False
            shared = shared or sum(bool(piece) for piece in pieces) > 1
    return shared


def _iterations(
    header: SharedHeader, seen: Sequence[Node], number: int, size: int, known: dict[Decl, int]
) -> range:
    def lookup(name: Node) -> Value:
        if name.decl not in known:
            raise Unknown
        return known[name.decl]

    first, limit, step = _bounds(header, seen, number, size, lookup)
    if not (isinstance(first, int) and isinstance(limit, int) and isinstance(step, int)):
        raise Unknown
    if step < 1:
        raise Unknown
    return range(first, limit, step)


def _free_names(header: SharedHeader, seen: Sequence[Node]) -> list[Decl]:
    """Variables that bounds and step are computed from, besides numbers of threads."""
    found: dict[Decl, None] = {}

    def note(name: Node) -> Value:
        assert name.decl is not None
        found[name.decl] = None
        return 5

    _bounds(header, seen, 1, 3, note)
    return list(found)
