"""What each store of a region computes: values of private scalars written out, sums as one value.

``val = 0; for (j) val += w[i][j] * x[j]; out[i] = val;`` is one update of ``out[i]`` by a sum.
Scalars that nothing reads afterwards disappear; every store to something else is an update.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property

from s2s.analyses.operators.steps import Step, step_of
from s2s.analyses.operators.subscripts import NotAnOperator
from s2s.scop.expressions import Binary, Expr, Load, Variable, walk
from s2s.scop.nest import Store
from s2s.scop.nodes import Branch, Construct, Leaf, Loop, Scop, Sequence, Statement, Tree
from s2s.scop.rewrite import replace_parts
from s2s.source.records import dataclass

Path = tuple[Tree, ...]


@dataclass(frozen=True)
class Reduction:
    """``op`` over the values that a statement has in its instances."""

    op: str
    statement: Statement
    value: Expr


@dataclass(frozen=True)
class Update:
    """``statement`` stores ``value``, in which variables named ``@k`` stand for ``reductions``.

    ``statements``: all that the value is made of. ``lost``: the scalars that are written out.
    """

    statement: Statement
    store: Store
    value: Expr
    reductions: Mapping[str, Reduction]
    statements: tuple[str, ...]
    lost: frozenset[str] = frozenset()

    @property
    def target(self) -> str:
        return self.store.tensor


@dataclass
class Updates:
    """Finds the updates of a region."""

    scop: Scop
    _reductions: dict[str, Reduction] = field(default_factory=dict)
    _parts: set[str] = field(default_factory=set)
    _lost: set[str] = field(default_factory=set)

    def run(self) -> list[Update]:
        """The updates in the order of the source. Raises NotAnOperator."""
        return [
            self._update(statement)
            for statement in self._in_order
            if _store(statement).tensor not in self.private
        ]

    def _update(self, statement: Statement) -> Update:
        self._reductions, self._parts, self._lost = {}, {statement.name}, set()
        store = _store(statement)
        value = self._resolve(store.values[0], statement)
        subscripts = tuple(self._resolve(s, statement) for s in store.subscripts)
        store = replace(store, subscripts=subscripts, values=(value,))
        parts = tuple(s.name for s in self._in_order if s.name in self._parts)
        return Update(statement, store, value, self._reductions, parts, frozenset(self._lost))

    @cached_property
    def private(self) -> frozenset[str]:
        """Scalars that the region sets and nothing reads afterwards."""
        written = {a.array for s in self.scop.statements for a in s.accesses if a.write}
        arrays = self.scop.arrays
        return frozenset(
            n for n in written if n in arrays and not arrays[n].rank and arrays[n].dead
        )

    @cached_property
    def _paths(self) -> dict[str, Path]:
        """For each statement, in order, the nodes above it."""
        return dict(_paths(self.scop.tree, ()))

    @cached_property
    def _in_order(self) -> list[Statement]:
        by_name = {s.name: s for s in self.scop.statements}
        return [by_name[name] for name in self._paths if name in by_name]

    def _resolve(self, value: Expr, reader: Statement) -> Expr:
        """A value with what private scalars hold written out."""
        loads = [e for e in walk(value) if isinstance(e, Load) and e.tensor in self.private]
        return replace_parts(value, {load: self._reaching(load, reader) for load in loads})

    def _reaching(self, load: Load, reader: Statement) -> Expr:
        """The value of a scalar where a statement reads it."""
        name, order = load.tensor, list(self._paths)
        self._lost.add(name)
        writers = [s for s in self._in_order if _store(s).tensor == name]
        place = order.index(reader.name)
        steps: list[tuple[str, Expr]] = []
        in_loops: dict[Tree, set[str]] = {}
        for writer in reversed([w for w in writers if order.index(w.name) < place]):
            below = self._below(writer, reader)
            step, store = step_of(_store(writer)), _store(writer)
            if not below and step is None:
                self._check_loops(name, writer, reader, writers)
                self._parts.add(writer.name)
                return _applied(self._resolve(store.values[0], writer), steps)
            if step is None:
                break
            if below:
                in_loops.setdefault(below[0], set()).add(step.op)
            steps.append((step.op, self._contribution(step, writer, is_sum=bool(below))))
            if any(len(ops) > 1 for ops in in_loops.values()):
                break
        spelling = self.scop.arrays[name].spelling
        text = f"what '{spelling}' holds depends on the order of the iterations"
        raise NotAnOperator(text, reader.name)

    def _contribution(self, step: Step, writer: Statement, *, is_sum: bool) -> Expr:
        self._parts.add(writer.name)
        value = self._resolve(step.value, writer)
        if not is_sum:
            return value
        marker = f"@{len(self._reductions)}"
        self._reductions[marker] = Reduction(step.op, writer, value)
        return Variable(value.type, marker)

    def _below(self, writer: Statement, reader: Statement) -> list[Tree]:
        """The loops and branches around the writer that the reader is not in."""
        around = set(map(id, self._paths[reader.name]))
        return [
            node for node in self._paths[writer.name]
            if id(node) not in around and isinstance(node, Loop | Branch)
        ]  # fmt: skip

    def _check_loops(
        self, name: str, base: Statement, reader: Statement, writers: list[Statement]
    ) -> None:
        """Loops around the reader alone do not change the scalar from iteration to iteration."""
        inner = {id(node) for node in self._below(reader, base)}
        for writer in writers:
            if any(id(node) in inner for node in self._paths[writer.name]):
                spelling = self.scop.arrays[name].spelling
                text = f"'{spelling}' goes on from one iteration to the next"
                raise NotAnOperator(text, writer.name)


def _applied(value: Expr, steps: list[tuple[str, Expr]]) -> Expr:
    """What is left after steps, the last one first."""
    for op, step in reversed(steps):
        value = Binary(value.type, op, value, step)
    return value


def _store(statement: Statement) -> Store:
    store = statement.expression
    if store is None:
        raise NotAnOperator("a statement that is no plain assignment of numbers", statement.name)
    if store.predicate is not None or len(store.values) != 1:
        raise NotAnOperator("a store that depends on data", statement.name)
    return store


def _paths(tree: Tree, above: Path) -> Iterator[tuple[str, Path]]:
    here = (*above, tree)
    match tree:
        case Leaf(statement):
            yield statement, above
        case Sequence(children):
            for child in children:
                yield from _paths(child, here)
        case Loop() | Construct():
            yield from _paths(tree.body, here)
        case Branch(then, otherwise):
            yield from _paths(then, here)
            if otherwise is not None:
                yield from _paths(otherwise, here)
