"""Random programs as trees: what the generator makes, the oracle executes and the printer prints.

A program is one function with its arrays. Everything that decides which memory is touched is affine
(or a table that nobody writes), so the oracle can enumerate it without computing values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

TABLE_SIZE = 64


class Unsuitable(Exception):
    """A drawn program has no defined behaviour, or is too large or empty; draw another one."""


def table_value(position: int) -> int:
    """The contents of the index table, as the C harness fills it."""
    return (5 * position + 2) % 11


@dataclass(frozen=True)
class Affine:
    """``sum(coefficient * name) + constant``."""

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    def value(self, values: Mapping[str, int]) -> int:
        total = self.constant
        for name, coefficient in self.terms:
            total += coefficient * values[name]
        return total

    def checked(self, values: Mapping[str, int], unsigned: frozenset[str]) -> int:
        """The value, when C computes the same in the types at hand. Raises Unsuitable."""
        for name, _ in self.terms:
            if name in unsigned:
                break
        else:
            return self.value(values)
        total = 0
        for name, coefficient in self.terms:
            total += coefficient * values[name]
            if total < 0:
                raise Unsuitable("unsigned arithmetic wraps")
        total += self.constant
        if total < 0:
            raise Unsuitable("unsigned arithmetic wraps")
        return total

    def plus(self, constant: int) -> Affine:
        return replace(self, constant=self.constant + constant)

    def substitute(self, name: str, value: Affine) -> Affine:
        found = dict(self.terms)
        factor = found.pop(name, 0)
        for other, coefficient in value.terms:
            found[other] = found.get(other, 0) + factor * coefficient
        kept = tuple((n, c) for n, c in found.items() if c)
        return Affine(kept, self.constant + factor * value.constant)

    def text(self) -> str:
        parts: list[str] = []
        for name, coefficient in self.terms:
            sign = "-" if coefficient < 0 else "+"
            size = name if abs(coefficient) == 1 else f"{abs(coefficient)} * {name}"
            parts.append(f"{sign} {size}")
        if self.constant or not parts:
            parts.append(f"{'-' if self.constant < 0 else '+'} {abs(self.constant)}")
        head, *rest = parts
        head = head.removeprefix("+ ").replace("- ", "-")
        return " ".join([head, *rest])


@dataclass(frozen=True)
class Index:
    """A subscript: affine, divided or reduced by a number, or looked up in the index table."""

    base: Affine
    op: str = ""
    number: int = 1
    table: bool = False

    def value(self, values: Mapping[str, int], unsigned: frozenset[str]) -> int:
        result = self.base.checked(values, unsigned)
        if not self.op and not self.table:
            return result
        if self.op:
            if result < 0:
                raise Unsuitable("division of a negative number")
            result = result // self.number if self.op == "/" else result % self.number
        if self.table:
            if not 0 <= result < TABLE_SIZE:
                raise Unsuitable("table overrun")
            result = table_value(result)
        return result

    def text(self, table: str) -> str:
        text = self.base.text()
        if self.op:
            inner = text if " " not in text else f"({text})"
            text = f"{inner} {self.op} {self.number}"
        return f"{table}[{text}]" if self.table else text


@dataclass(frozen=True)
class Ref:
    """An element of an array, or a scalar (no subscripts)."""

    name: str
    indices: tuple[Index, ...] = ()


@dataclass(frozen=True)
class Array:
    """``form``: global, vla (``T a[][m]``), pointer (``T (*a)[m]``) or flat (``a[i * ld + j]``)."""

    name: str
    element: str
    rank: int
    form: str = "global"
    restrict: bool = False
    inner: tuple[str, ...] = ()
    """Texts of the inner sizes; for a global array all sizes."""
    count: int = 0
    """Elements that the harness provides."""


@dataclass(frozen=True)
class Assign:
    """``target op (sum of references, iterators, constant)``; ``declares`` its target if asked."""

    number: int
    target: Ref
    op: str
    operands: tuple[tuple[int, Ref], ...]
    iterators: tuple[tuple[str, int], ...]
    constant: int
    real: bool = False
    declares: str = ""
    helper: bool = False
    condition: Ref | None = None
    """Where set, the assignment happens only when this element is odd (or below 1.0)."""


@dataclass(frozen=True)
class Loop:
    """A counted loop over ``lower <= var < upper``, upwards or downwards."""

    var: str
    type: str
    declared: bool
    lower: Affine
    upper: Affine
    step: int
    down: bool
    style: str
    body: tuple[Node, ...]


@dataclass(frozen=True)
class Condition:
    left: Affine
    op: str
    right: Affine


@dataclass(frozen=True)
class If:
    conditions: tuple[Condition, ...]
    joiner: str
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


@dataclass(frozen=True)
class Depend:
    kind: str
    name: str
    indices: tuple[Affine, ...]


@dataclass(frozen=True)
class Omp:
    """A construct around nodes; stand-alone ones have no body."""

    kind: str
    body: tuple[Node, ...] = ()
    collapse: int = 1
    nowait: bool = False
    private: tuple[str, ...] = ()
    firstprivate: tuple[str, ...] = ()
    depends: tuple[Depend, ...] = ()
    name: str = ""


Node = Assign | Loop | If | Omp


@dataclass(frozen=True)
class Program:
    """A function ``k<number>``, the arrays it uses and the sizes it is run with."""

    number: int
    seed: str
    parameters: tuple[tuple[str, str], ...]
    """Type and name."""
    arrays: tuple[Array, ...]
    scalars: tuple[tuple[str, str, int], ...]
    """Type, name and first value of the variables of the function."""
    results: tuple[str, ...]
    """Scalars whose last value is stored after everything else."""
    body: tuple[Node, ...]
    runs: tuple[dict[str, int], ...] = field(default=(), hash=False)

    @property
    def unsigned(self) -> frozenset[str]:
        """Names of unsigned parameters and loop variables."""
        found = {name for type_, name in self.parameters if type_ == "unsigned"}
        found |= {n.var for n in walk(self.body) if isinstance(n, Loop) and n.type == "unsigned"}
        return frozenset(found)

    @property
    def parallel(self) -> bool:
        return any(isinstance(n, Omp) for n in walk(self.body))

    def array(self, name: str) -> Array | None:
        return next((a for a in self.arrays if a.name == name), None)


def children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Loop | Omp):
        return node.body
    if isinstance(node, If):
        return node.then + node.otherwise
    return ()


def walk(nodes: tuple[Node, ...]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from walk(children(node))


def references(assign: Assign) -> Iterator[Ref]:
    """Everything that an assignment reads or writes, the target first."""
    yield assign.target
    for _, ref in assign.operands:
        yield ref
    if assign.condition is not None:
        yield assign.condition


def map_nodes(nodes: tuple[Node, ...], change: dict[int, tuple[Node, ...]]) -> tuple[Node, ...]:
    """Nodes replaced by identity, innermost first."""
    result: list[Node] = []
    for node in nodes:
        if id(node) in change:
            result.extend(change[id(node)])
        elif isinstance(node, Loop | Omp):
            result.append(replace(node, body=map_nodes(node.body, change)))
        elif isinstance(node, If):
            then, other = map_nodes(node.then, change), map_nodes(node.otherwise, change)
            result.append(replace(node, then=then, otherwise=other))
        else:
            result.append(node)
    return tuple(result)
