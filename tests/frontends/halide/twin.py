"""One program twice: as s2s's pipeline and in the Python bindings of the real Halide.

Expressions are tuples: ``("var", "x")``, ``("const", 3)``, ``("add", a, b)`` (any operator),
``("load", "f", a, b...)``. Directives are given by name; variables of an RDom are ``"r.x"``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from s2s.frontends.halide.schedule import (
    OUTERMOST,
    FuncDirectives,
    LoopVar,
    Program,
    Stage,
    at_loop,
    begin,
)
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Load, Select, Variable
from s2s.scop.pipeline import (
    Definition,
    Func,
    Image,
    Pipeline,
    ReductionVariable,
    Scalar,
    StageSchedule,
    TailStrategy,
)

Tree = tuple[Any, ...]

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


class Twin:
    """Builds both programs; ``real`` is the module ``halide`` or None for ours alone."""

    def __init__(self, real: Any = None) -> None:
        self.real = real
        self.tag = _new_tag()
        """Before the names of Halide's Funcs, which are numbered when they are given again."""
        self.renamed = False
        """Whether Halide numbered a name nevertheless (where hashes of names collide)."""
        self.program = Program()
        self.images: dict[str, Image] = {}
        self.funcs: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        """What directives made, under the names of the test."""
        self.scalars: dict[str, Scalar] = {}
        self.params: dict[str, Any] = {}
        self.stages: dict[str, Any] = {}
        """Specializations that directives made, of ours, under the names of the test."""
        self.rdoms: dict[str, Any] = {}
        self.predicates: dict[str, Expr] = {}
        self.rvars: dict[str, list[ReductionVariable]] = {}

    def image(self, name: str, rank: int) -> None:
        """An input of int32."""
        self.images[name] = Image(name, INT32, rank)
        if self.real:
            self.funcs[name] = self.real.ImageParam(self.real.Int(32), rank, name)

    def param(self, name: str) -> None:
        """A scalar int32 that the caller passes."""
        self.scalars[name] = Scalar(name, INT32)
        if self.real:
            self.params[name] = self.real.Param(self.real.Int(32), name, 0)

    def rdom(self, name: str, *ranges: tuple[int, int]) -> None:
        """A reduction domain; its variables are ``name.x``, ``name.y``..."""
        self.rvars[name] = [
            ReductionVariable(f"{name}${v}", Const(INT32, low), Const(INT32, size))
            for v, (low, size) in zip("xyzw", ranges, strict=False)
        ]
        if self.real:
            self.rdoms[name] = self.real.RDom(list(ranges), name)

    def define(self, name: str, variables: list[str], value: Tree) -> None:
        """The pure definition of a Func."""
        func = Func(self.program.unique(name), variables, [INT32])
        self.program.funcs[func.name] = func
        args: list[Expr] = [Variable(INT32, v) for v in variables]
        func.definition = Definition(args, [self.ours(value)], [], None, StageSchedule())
        begin(func, func.definition)
        if self.real:
            self.funcs[name] = self.real.Func(self.tag + name)
            self.renamed = self.renamed or self.funcs[name].name() != self.tag + name
            self.funcs[name][tuple(self.real.Var(v) for v in variables)] = self.theirs(value)

    def where(self, rdom: str, condition: Tree) -> None:
        """Restrict a reduction domain."""
        self.predicates[rdom] = self.ours(condition)
        if self.real:
            self.rdoms[rdom].where(self.theirs(condition))

    def update(self, name: str, args: list[Tree], value: Tree, rdom: str | None = None) -> None:
        """An update definition, over a reduction domain or none."""
        func = self.program.funcs[name]
        rvars = self.rvars[rdom] if rdom else []
        predicate = self.predicates.get(rdom or "")
        definition = Definition(
            [self.ours(a) for a in args], [self.ours(value)], rvars, predicate, StageSchedule()
        )
        func.updates.append(definition)
        begin(func, definition)
        if self.real:
            self.funcs[name][tuple(self.theirs(a) for a in args)] = self.theirs(value)

    def our(self, name: str) -> Func:
        """The Func of s2s by the test's name."""
        return self.program.funcs[self.names.get(name, name)]

    def ours(self, tree: Tree) -> Expr:
        """An expression of s2s."""
        op, *rest = tree
        if op == "const":
            return Const(INT32, rest[0])
        if op == "var":
            return Variable(INT32, rest[0].replace(".", "$"))
        if op == "load":
            return Load(INT32, rest[0], tuple(self.ours(a) for a in rest[1:]))
        if op == "select":
            condition, then, otherwise = (self.ours(t) for t in rest)
            return Select(then.type, condition, then, otherwise)
        left, right = (self.ours(t) for t in rest)
        return Binary(BOOL if op in _COMPARISONS else INT32, op, left, right)

    def theirs(self, tree: Tree) -> Any:
        """An expression of Halide."""
        hl, (op, *rest) = self.real, tree
        if op == "const":
            return hl.i32(rest[0])
        if op == "var":
            return self._their_var(rest[0])
        if op == "load":
            return self.funcs[rest[0]][tuple(self.theirs(a) for a in rest[1:])]
        if op == "select":
            return hl.select(*(self.theirs(t) for t in rest))
        left, right = (self.theirs(t) for t in rest)
        builders: dict[str, Callable[[Any, Any], Any]] = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a // b,
            "min": hl.min,
            "max": hl.max,
            "mod": lambda a, b: a % b,
            "band": lambda a, b: a & b,
            "bxor": lambda a, b: a ^ b,
            "le": lambda a, b: a <= b,
            "ge": lambda a, b: a >= b,
            "lt": lambda a, b: a < b,
            "eq": lambda a, b: a == b,
            "gt": lambda a, b: a > b,
        }
        return builders[op](left, right)

    def _their_var(self, name: str) -> Any:
        if name in self.params:
            return self.params[name]
        rdom, _, var = name.partition(".")
        return getattr(self.rdoms[rdom], var) if var else self.real.Var(name)

    def directive(self, func: str, stage: int, method: str, *args: Any) -> list[str | None]:
        """Apply a directive to both; what each says against it."""
        verdicts = [_verdict(lambda: self._ours(func, stage, method, args))]
        if self.real:
            verdicts.append(_verdict(lambda: self._theirs(func, stage, method, args)))
        return verdicts

    def _ours(self, func: str, stage: int, method: str, args: tuple[Any, ...]) -> None:
        if func in self.stages:
            self._stage_directive(self.stages[func], method, args)
            return
        directives = FuncDirectives(self.program, self.our(func))
        if method in ("compute_at", "store_at", "hoist_storage"):
            other, var = args
            level = at_loop(self.our(other), _our_var(var))
            getattr(directives, method)(level)
        elif method in ("in_", "clone_in"):
            consumer, alias = args
            self.names[alias] = getattr(directives, method)(self.our(consumer)).name
        elif method == "rfactor":
            rvar, var, alias = args
            made = directives.stage(stage).rfactor([(_our_var(rvar), _our_var(var))])
            self.names[alias] = made.name
        elif hasattr(directives, method):
            getattr(directives, method)(*(_our_argument(a) for a in args))
        elif method == "compute_with":
            other, index, var, *align = args
            shared = FuncDirectives(self.program, self.our(other)).stage(index)
            directives.stage(stage).compute_with(shared, _our_var(var), *align)
        else:
            self._stage_directive(directives.stage(stage), method, args)

    def _stage_directive(self, target: Stage, method: str, args: tuple[Any, ...]) -> None:
        if method == "specialize":
            condition, alias = args
            self.stages[alias] = target.specialize(self.ours(condition))
        elif method == "specialize_fail":
            target.specialize_fail(*args)
        elif method == "tile":
            x, y, xo, yo, xi, yi, p, q, *tail = [_our_argument(a) for a in args]
            target.tile([x, y], [xo, yo], [xi, yi], [p, q], *tail)
        elif method == "reorder":
            target.reorder([_our_argument(a) for a in args])
        else:
            getattr(target, method)(*(_our_argument(a) for a in args))

    def _theirs(self, func: str, stage: int, method: str, args: tuple[Any, ...]) -> None:
        if method in ("in_", "clone_in"):
            consumer, alias = args
            self.funcs[alias] = getattr(self.funcs[func], method)(self.funcs[consumer])
            return
        target = self.funcs[func]
        if method == "specialize":
            condition, alias = args
            at = target.update(stage - 1) if stage else target
            self.funcs[alias] = at.specialize(self.theirs(condition))
            return
        if method == "specialize_fail":
            (target.update(stage - 1) if stage else target).specialize_fail(*args)
            return
        if method == "rfactor":
            rvar, var, alias = args
            pair = (self._their_loop(rvar), self.real.Var(var))
            self.funcs[alias] = target.update(stage - 1).rfactor([pair])
            self.renamed = self.renamed or "$" in self.funcs[alias].name()
            return
        if stage and not hasattr(FuncDirectives, method):
            target = target.update(stage - 1)
        arguments = [self._their_argument(a) for a in args]
        if method in ("compute_at", "store_at", "hoist_storage"):
            arguments[0] = self.funcs[args[0]]
        if method == "compute_with":
            other, index, var, *align = args
            level = self.real.LoopLevel(self.funcs[other], self._their_loop(var), index)
            strategies = [getattr(self.real.LoopAlignStrategy, a) for a in align]
            arguments = [level, *strategies]
        getattr(target, method)(*arguments)

    def _their_argument(self, value: Any) -> Any:
        if isinstance(value, TailStrategy):
            return getattr(self.real.TailStrategy, value.value)
        return self._their_loop(value) if isinstance(value, str) else value

    def _their_loop(self, name: str) -> Any:
        rdom, dot, var = name.partition(".")
        if dot:
            return getattr(self.rdoms[rdom], var)
        if name == OUTERMOST:
            return self.real.Var.outermost()
        return self.real.RVar(name) if name.startswith("r") else self.real.Var(name)

    def pipeline(self, *outputs: str) -> Pipeline:
        return Pipeline(outputs[0], list(outputs), self.program.funcs, self.images, self.scalars)

    def their_nest(self, output: str) -> str:
        """What Halide prints; raises its error."""
        with caught_stderr() as read:
            self.funcs[output].print_loop_nest()
            return read().replace(self.tag, "")


_tags = count()


def _new_tag() -> str:
    """Letters that no other program of this process has."""
    number = next(_tags)
    return "zq" + "".join(chr(ord("a") + int(digit)) for digit in str(number)) + "_"


def _our_argument(value: Any) -> Any:
    return _our_var(value) if isinstance(value, str) else value


def _our_var(name: str) -> LoopVar:
    if "." in name:
        return LoopVar(name.replace(".", "$"), True)
    return LoopVar(name, name.startswith("r"))


def _verdict(action: Callable[[], None]) -> str | None:
    """The refusal of a directive, or None."""
    try:
        action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@contextmanager
def caught_stderr() -> Iterator[Callable[[], str]]:
    """Catch what C++ writes to the standard error."""
    sys.stderr.flush()
    saved = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)

        def read() -> str:
            file.seek(0)
            return file.read().decode()

        try:
            yield read
        finally:
            os.dup2(saved, 2)
            os.close(saved)
