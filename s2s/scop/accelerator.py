"""What an array of processing elements runs: operations over buffers, in loops of constant bounds.

An accelerator is a nest (``s2s.scop.nest``) of a restricted form::

    Accelerator := name  Argument*  Table*  Body
    Body        := Block(Body*) | For(variable, minimum, extent, Body) | Allocate(Tensor, Body)
                 | Store(tensor, subscripts, value)

All minima and extents are constants, loops are serial, arguments are tensors: the streams of the
accelerator's boundary. Every store is an operation: it loads its operands, computes one value and
stores it. A load whose subscripts load has an address that depends on data. ``tables`` are
read-only memories. The same form comes from a Halide pipeline, a C function, Clockwork's files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from s2s.scop.expressions import Const, Expr, Load, Variable, walk
from s2s.scop.nest import For, Nest, Node, Store, Tensor, children
from s2s.scop.nest import walk as nodes
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.nodes import Scop


@dataclass(frozen=True)
class StreamOrigin:
    """Which elements a stream has: those of a Func's component from ``first`` on, by the host's
    loops.
    """

    func: str
    first: tuple[Expr, ...]
    component: int = 0


@dataclass(frozen=True)
class Operation:
    """A store in its loops, outermost first.

    ``function`` computes the value; operations with one function share the hardware of it.
    ``statement`` is its name in the accelerator's SCoP. ``tables`` are the read-only memories,
    which are inside the function.
    """

    name: str
    function: str
    loops: tuple[For, ...]
    store: Store
    statement: str
    tables: frozenset[str] = frozenset()

    @property
    def value(self) -> Expr:
        """What is computed."""
        return self.store.values[0]

    @cached_property
    def loads(self) -> tuple[Load, ...]:
        """The elements that the value and its place need, each once, in the order of first use.

        Those of read-only memories are among them.
        """
        needed = (self.value, *self.store.subscripts)
        return tuple(dict.fromkeys(e for n in needed for e in walk(n) if isinstance(e, Load)))

    @cached_property
    def indices(self) -> tuple[str, ...]:
        """Loop variables with whose values it computes: not those of subscripts alone, but for
        those of tables.
        """
        used = _computed_with(self.value, self.tables)
        return tuple(loop.name for loop in self.loops if loop.name in used)

    @property
    def extents(self) -> tuple[int, ...]:
        """Iterations of the loops, outermost first."""
        return tuple(constant(loop.extent) for loop in self.loops)

    @property
    def minima(self) -> tuple[int, ...]:
        """First values of the loops' variables, outermost first."""
        return tuple(constant(loop.minimum) for loop in self.loops)


@dataclass(frozen=True)
class Accelerator:
    """A program for the array.

    ``names`` are operations' names by their stores' place in program order, where they are not
    made from the Funcs' names (files of others). ``coarse`` are names of loops whose iterations
    are pipelined as a whole. ``shared`` leads from an operation's name to that of the one whose
    function it uses. ``latencies`` are cycles from the operands to the value, 0 where not given.
    """

    nest: Nest
    coarse: frozenset[str] = frozenset()
    shared: Mapping[str, str] = field(default_factory=dict)
    latencies: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.nest.name

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """All operations in program order."""
        found = list(_stores(self.nest.body, ()))
        names = self.names or _unique([_shown(store) for _, store in found])
        functions = {name: _function(name) for name in names}
        tables = frozenset(table.name for table in self.nest.tables)
        return tuple(
            Operation(name, functions[self.shared.get(name, name)], loops, store, scop.name, tables)
            for name, (loops, store), scop in zip(names, found, self.scop.statements, strict=True)
        )

    @cached_property
    def scattered(self) -> frozenset[str]:
        """Buffers of which some element is loaded or stored at a place that depends on data."""
        accesses = [(o.store.tensor, o.store.subscripts) for o in self.operations]
        accesses += [(x.tensor, x.subscripts) for o in self.operations for x in o.loads]
        return frozenset(
            name
            for name, subscripts in accesses
            if name in self.tensors and any(s.reads for s in subscripts)
        )

    @cached_property
    def scop(self) -> Scop:
        """The SCoP of the nest: a statement for each operation, in the same order."""
        from s2s.scop.lift_nest import lift_nest

        return lift_nest(self.nest)

    @cached_property
    def tensors(self) -> dict[str, Tensor]:
        """Streams and buffers by name; read-only memories are not among them."""
        streams = [a.tensor for a in self.nest.arguments if a.tensor is not None]
        inner = [n.tensor for n in nodes(self.nest.body) if hasattr(n, "tensor")]
        return {t.name: t for t in [*streams, *inner] if isinstance(t, Tensor)}

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the streams that come in."""
        return tuple(a.name for a in self.nest.arguments if not a.output)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the streams that go out."""
        return tuple(a.name for a in self.nest.arguments if a.output)

    def operation(self, name: str) -> Operation:
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Operation]:
        return {o.name: o for o in self.operations}


def constant(expr: Expr) -> int:
    """The value of a bound, which is a literal in an accelerator."""
    assert isinstance(expr, Const), expr
    return int(expr.value)


def _stores(node: Node, loops: tuple[For, ...]) -> Iterator[tuple[tuple[For, ...], Store]]:
    if isinstance(node, Store):
        yield loops, node
    around = (*loops, node) if isinstance(node, For) else loops
    for child in children(node):
        yield from _stores(child, around)


def _computed_with(value: Expr, tables: frozenset[str]) -> frozenset[str]:
    """Variables of a value that stand outside of all subscripts but those of tables."""
    found, stack = set(), [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Variable):
            found.add(node.name)
        elif not isinstance(node, Load) or node.tensor in tables:
            stack += node.operands
    return frozenset(found)


def _shown(store: Store) -> str:
    """``op_hcompute_f_stencil`` for the first definition of ``f``, ``..._f_s1_stencil`` after."""
    name = store.tensor.replace(".", "_").replace("$", "_")
    if store.stage and name.endswith("_stencil"):
        name = f"{name.removesuffix('_stencil')}_s{store.stage}_stencil"
    elif store.stage:
        name = f"{name}_s{store.stage}"
    return f"op_hcompute_{name}"


def _function(operation: str) -> str:
    return operation.removeprefix("op_")


def _unique(names: list[str]) -> tuple[str, ...]:
    """Names that occur again get a number: ``f``, ``f_1``, ``f_2``."""
    taken: set[str] = set()
    found = []
    for name in names:
        new, number = name, 0
        while new in taken:
            number += 1
            new = f"{name}_{number}"
        taken.add(new)
        found.append(new)
    return tuple(found)
