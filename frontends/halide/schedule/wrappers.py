"""``in`` and ``clone_in``: a Func that stands before another one for some consumers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.halide.schedule.beginning import begin
from s2s.frontends.halide.schedule.placement import FuncBase
from s2s.scop.expressions import INT32, Expr, Load, Variable
from s2s.scop.pipeline import Definition, Func, FuncSchedule, StageSchedule, copied_definition
from s2s.scop.rewrite import redirect_loads
from s2s.source import Span

Consumers = Func | Sequence[Func] | None
"""One Func, several, or None: all that call."""


class WrapperDirectives(FuncBase):
    """The part of ``Func`` that makes Funcs of it."""

    def in_(self, consumers: Consumers = None, *, name: str = "", at: Span | None = None) -> Func:
        """A Func with the same values through which ``consumers`` load; made once.

        ``name``: what to call it.
        """
        return self._in_front(consumers, clone=False, name=name, at=at)

    def clone_in(self, consumers: Func | Sequence[Func], *, at: Span | None = None) -> Func:
        """A copy, its schedule included, that ``consumers`` call instead; made once."""
        return self._in_front(consumers, clone=True, at=at)

    def _in_front(
        self, consumers: Consumers, *, clone: bool, name: str = "", at: Span | None
    ) -> Func:
        names = self._names(consumers, at)
        known = self.schedule.wrappers.get(names[0])
        if known is not None:
            self._check_shared(names, known, at)
            return self.program.funcs[known]
        for consumer in names[1:]:
            if consumer in self.schedule.wrappers:
                self.refuse(f"{consumer} has a wrapper of {self.func.name} already", at)
        stem = f"{self._stem(consumers, clone)}${len(self.schedule.wrappers)}"
        name = self.program.unique(name) if name else stem
        made = self._clone(name, at) if clone else self._wrapper(name, at)
        self.program.funcs[name] = made
        for consumer in names:
            self.schedule.wrappers[consumer] = name
        return made

    def _names(self, consumers: Consumers, at: Span | None) -> list[str]:
        if consumers is None:
            return [""]
        funcs = [consumers] if isinstance(consumers, Func) else list(consumers)
        if not funcs:
            self.refuse("in() or clone_in() for an empty list of Funcs", at)
        if any(f is self.func for f in funcs):
            self.refuse(f"{self.func.name} cannot stand in front of itself", at)
        return [f.name for f in funcs]

    def _check_shared(self, names: list[str], wrapper: str, at: Span | None) -> None:
        """A wrapper that several share is asked for with all of them, or with one it has alone."""
        for consumer, given in self.schedule.wrappers.items():
            asked = consumer in names
            if names != [""] and asked != (given == wrapper):
                self.refuse(
                    f"{consumer} {'has another' if asked else 'shares the'} wrapper of "
                    f"{self.func.name} than {names[0]}",
                    at,
                )

    def _stem(self, consumers: Consumers, clone: bool) -> str:
        if isinstance(consumers, Func):
            return f"{self.func.name}_{'clone_in' if clone else 'in'}_{consumers.name}"
        if consumers is None:
            return f"{self.func.name}_global_wrapper"
        return f"{self.func.name}_{'clone' if clone else 'wrapper'}"

    def _wrapper(self, name: str, at: Span | None) -> Func:
        func = self.func
        args: list[Expr] = [Variable(INT32, v) for v in func.vars]
        values: list[Expr] = [
            Load(t, func.name, tuple(args), place) for place, t in enumerate(func.types)
        ]
        made = Func(name, list(func.vars), list(func.types), at=at)
        made.definition = Definition(args, values, [], None, StageSchedule(), at=at)
        begin(made, made.definition)
        return made

    def _clone(self, name: str, at: Span | None) -> Func:
        func = self.func
        if func.definition is None:
            self.refuse("clone_in of a Func without a definition", at)
        made = replace(
            func,
            name=name,
            definition=copied_definition(func.definition),
            updates=[copied_definition(u) for u in func.updates],
            schedule=_copied_schedule(func.schedule),
            at=at,
        )
        for definition in made.stages:
            redirect_loads(definition, {func.name: name})
        return made


def _copied_schedule(schedule: FuncSchedule) -> FuncSchedule:
    return replace(
        schedule,
        storage_order=list(schedule.storage_order),
        storage_align=dict(schedule.storage_align),
        storage_bounds=dict(schedule.storage_bounds),
        folds=dict(schedule.folds),
        bounds=[replace(b) for b in schedule.bounds],
        wrappers={},
        hardware=list(schedule.hardware),
    )
