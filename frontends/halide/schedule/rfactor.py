"""``rfactor``: a reduction in two steps, the first in a Func of its own.

``f(x) += g(r.x, r.y)`` with ``rfactor(r.y, u)`` becomes ``f_intm(x, u) += g(r.x, u)``, which may
run in parallel over ``u``, and ``f(x) += f_intm(x, r.y)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from s2s.frontends.halide.schedule.base import LoopVar, StageBase
from s2s.frontends.halide.schedule.beginning import begin
from s2s.frontends.halide.schedule.reduction import (
    Projection,
    Values,
    conjunction,
    projection,
    promises,
    somewhere,
)
from s2s.scop.associativity import Operator, apply_operator, operator
from s2s.scop.build import conjuncts
from s2s.scop.expressions import INT32, Expr, Load, Variable, walk
from s2s.scop.pipeline import (
    Definition,
    Dim,
    Func,
    Split,
    SplitKind,
    StageSchedule,
    copied_schedule,
    matches,
    shown,
)
from s2s.scop.rewrite import substitute, transform
from s2s.source import Span

Preserved = list[tuple[Dim, str]]
"""Loops of reduction variables, innermost first, with the new Func's variables for them."""


class FactorDirective(StageBase):
    """The part of ``Stage`` that takes reductions apart."""

    def rfactor(
        self, preserved: Sequence[tuple[LoopVar, LoopVar]], *, at: Span | None = None
    ) -> Func:
        """Reduce over all other variables first, in a new Func that has ``preserved`` as Vars."""
        if self.index == 0:
            self.refuse("rfactor of a pure definition; legal: of an update", at)
        op = operator(self.func.name, self.definition)
        if op is None:
            self.refuse("rfactor: the update is not known to be associative", at)
        loops = self._preserved(preserved, at)
        pure, reducing = self._sorted_splits(at)
        return _Factoring(self, op, loops, pure, reducing, at).run()

    def _preserved(
        self, preserved: Sequence[tuple[LoopVar, LoopVar]], at: Span | None
    ) -> Preserved:
        found: list[tuple[int, str]] = []
        for rvar, var in preserved:
            index = self.find(rvar, at)
            if index is None or not self.dims[index].reduction:
                self.refuse(f"rfactor: no loop '{shown(rvar.name)}' of the reduction domain", at)
            if any(matches(d.name, var.name) for d in self.dims):
                self.refuse(f"rfactor: there is a loop '{shown(var.name)}' already", at)
            found.append((index, var.name))
        return [(self.dims[index], name) for index, name in sorted(found)]

    def _sorted_splits(self, at: Span | None) -> tuple[list[Split], list[Split]]:
        """The splits of pure variables, and those of reduction variables."""
        loops = {r.name for r in self.definition.rvars}
        pure: list[Split] = []
        reducing: list[Split] = []
        for split in self.schedule.splits:
            parts = {split.old}
            if split.kind is SplitKind.FUSE:
                parts = {split.outer, split.inner}
                if len(parts & loops) == 1:
                    self.refuse(f"rfactor: a Var is fused with an RVar in '{shown(split.old)}'", at)
            made = {split.old, split.outer, split.inner} - parts
            (reducing if parts & loops else pure).append(split)
            if parts & loops:
                loops = (loops - parts) | made
        return pure, reducing


class _Factoring:
    """The two updates of one rfactor."""

    def __init__(
        self,
        stage: FactorDirective,
        op: Operator,
        preserved: Preserved,
        pure_splits: list[Split],
        reducing_splits: list[Split],
        at: Span | None,
    ) -> None:
        self.stage, self.op, self.preserved, self.at = stage, op, preserved, at
        self.func, self.definition = stage.func, stage.definition
        self.pure_splits = pure_splits
        kept = {d.name for d, _ in preserved}
        dims = self.definition.schedule.dims
        self.reduced = [d for d in dims if d.reduction and d.name not in kept]
        rvars = self.definition.rvars
        self.first = projection(self.reduced, rvars, reducing_splits)
        self.second = projection([d for d, _ in preserved], rvars, reducing_splits)
        self.promises = promises(rvars)

    def run(self) -> Func:
        """Make the new Func, then let the update combine its values."""
        program = self.stage.program
        made = Func(program.unique(f"{self.func.name}_intm"), at=self.at)
        made.vars = [*self.func.vars, *(v for _, v in self.preserved)]
        made.types = list(self.func.types)
        program.funcs[made.name] = made
        self._initialize(made)
        self._reduce_first(made)
        self._combine(made)
        return made

    def _initialize(self, made: Func) -> None:
        args: list[Expr] = [Variable(INT32, v) for v in made.vars]
        made.definition = Definition(
            args, list(self.op.identities), [], None, StageSchedule(), at=self.at
        )
        begin(made, made.definition)

    def _reduce_first(self, made: Func) -> None:
        """The update of the new Func: the old one, over the variables that are not preserved."""
        new_vars: list[Expr] = [Variable(INT32, v) for _, v in self.preserved]
        names = {d.name: var for (d, _), var in zip(self.preserved, new_vars, strict=True)}
        values = _inserted(self.first.values, names)

        def changed(expr: Expr) -> Expr:
            return substitute(substitute(expr, self.promises), values)

        update = Definition(
            [*(changed(a) for a in self.definition.args), *new_vars],
            [changed(self._redirected(v, made.name, new_vars)) for v in self.definition.values],
            self.first.rvars,
            conjunction([changed(c) for c in self._conditions(self.first)]),
            copied_schedule(self.definition.schedule),
            at=self.definition.at,
        )
        update.schedule.dims = self._first_dims(values)
        update.schedule.splits = list(self.pure_splits)
        made.updates.append(update)

    def _conditions(self, projected: Projection) -> list[Expr]:
        return [*conjuncts(self.definition.predicate), *projected.conditions]

    def _redirected(self, value: Expr, made: str, new_vars: list[Expr]) -> Expr:
        """A value that reads the new Func instead of the old one."""

        def change(node: Expr) -> Expr:
            if isinstance(node, Load) and node.tensor == self.func.name:
                return Load(node.type, made, (*node.subscripts, *new_vars), node.component)
            return node

        return transform(value, change)

    def _first_dims(self, values: Values) -> list[Dim]:
        names = {d.name: v for d, v in self.preserved}
        return [
            Dim(names[d.name], at=self.at) if d.name in names else _renamed(d, values)
            for d in self.definition.schedule.dims
        ]

    def _combine(self, made: Func) -> None:
        """The old update, now over the preserved variables and the new Func's values."""
        definition, func = self.definition, self.func
        own: list[Expr] = [Variable(INT32, v) for v in func.vars]
        kept: list[Expr] = [Variable(INT32, r.name) for r in self.second.rvars]
        xs: list[Expr] = [Load(t, func.name, tuple(own), i) for i, t in enumerate(func.types)]
        ys: list[Expr] = [Load(t, made.name, (*own, *kept), i) for i, t in enumerate(func.types)]
        dims = self._second_dims()
        definition.predicate = self._second_predicate()
        definition.args = own
        definition.values = apply_operator(self.op, xs, ys)
        definition.rvars = self.second.rvars
        definition.schedule.dims = dims
        definition.schedule.splits = list(self.pure_splits)

    def _second_predicate(self) -> Expr | None:
        """Where some iteration over the other variables satisfies the conditions, or might.

        Elsewhere the new Func has the identity.
        """
        conditions = [
            substitute(substitute(c, self.promises), self.second.values)
            for c in self._conditions(self.second)
        ]
        condition = conjunction(conditions)
        if condition is None:
            return None
        ranges = zip(self.reduced, self.first.rvars, strict=True)
        return somewhere(condition, {d.name: (r.minimum, r.extent) for d, r in ranges})

    def _second_dims(self) -> list[Dim]:
        kept = {d.name for d, _ in self.preserved}
        dims = [
            _renamed(d, self.second.values)
            for d in self.definition.schedule.dims
            if not d.reduction or d.name in kept
        ]
        for arg, var in zip(self.definition.args, self.func.vars, strict=True):
            if not any(isinstance(n, Variable) and n.name == var for n in walk(arg)):
                dims.insert(len(dims) - 1, Dim(var, at=self.at))
        return dims


def _inserted(values: Values, more: Values) -> Values:
    return {k: substitute(v, more) for k, v in values.items()} | more


def _renamed(dim: Dim, values: Values) -> Dim:
    """A loop that is a variable of the new domain, under that variable's name."""
    made = copy(dim)
    value = values.get(dim.name)
    if isinstance(value, Variable):
        made.name = value.name
    return made
