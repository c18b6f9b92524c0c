"""Halide's objects: Var, RVar, RDom, references to Funcs, Tuple, parameters.

``m_NAME`` is the C++ method NAME (``m_call`` is ``operator()``, ``m_index`` is ``operator[]``);
each takes the arguments' values.
"""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.values import VOID, Number, deref, number
from s2s.frontends.halide.evaluate.world import Domain, World, integer, subscript, to_expr, variable
from s2s.frontends.halide.schedule import LoopVar
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, Expr, Load, Type
from s2s.scop.pipeline import Func, ReductionVariable, Scalar
from s2s.source import Span


class Var:
    """A pure loop variable; ``_`` and ``_0``... are the implicit ones."""

    words = "a Var"

    def __init__(self, name: str) -> None:
        self.name = name

    def expr(self) -> Expr:
        if self.name == "_":
            raise Illegal("'_' stands for a list of arguments; it is no value")
        return variable(self.name)

    def loop(self) -> LoopVar:
        return LoopVar(self.name)

    def m_name(self) -> str:
        return self.name

    def m_same_as(self, other: Any) -> bool:
        return isinstance(other, Var) and other.name == self.name


class RVar:
    """A variable of a reduction domain, or (without domain) a name for a loop made from one."""

    words = "an RVar"

    def __init__(self, name: str, domain: Domain | None = None, index: int = 0) -> None:
        self.name, self.domain, self.index = name, domain, index

    def expr(self) -> Expr:
        if self.domain is None:
            raise Illegal(f"RVar '{self.name}' belongs to no reduction domain")
        return variable(self.name)

    def loop(self) -> LoopVar:
        return LoopVar(self.name, reduction=True)

    def m_name(self) -> str:
        return self.name

    def m_min(self) -> Expr:
        return self._variable().minimum

    def m_extent(self) -> Expr:
        return self._variable().extent

    def _variable(self) -> ReductionVariable:
        if self.domain is None:
            raise Illegal(f"RVar '{self.name}' belongs to no reduction domain")
        return self.domain.variables[self.index]


class RDom:
    """A reduction domain."""

    words = "an RDom"

    def __init__(self, world: World, domain: Domain | None) -> None:
        self.world, self.domain = world, domain

    def rvar(self, index: int) -> RVar:
        if self.domain is None:
            raise Illegal("use of an undefined RDom")
        if not 0 <= index < len(self.domain.variables):
            raise Illegal(
                f"dimension {index} of an RDom with {len(self.domain.variables)} dimensions"
            )
        return RVar(self.domain.variables[index].name, self.domain, index)

    def single(self) -> RVar:
        """The variable of a domain that has one."""
        if self.domain is None or len(self.domain.variables) != 1:
            raise Illegal("only an RDom with one dimension can be used as a variable")
        return self.rvar(0)

    def expr(self) -> Expr:
        return self.single().expr()

    def loop(self) -> LoopVar:
        return self.single().loop()

    def member(self, name: str) -> Any:
        place = "xyzw".find(name)
        if self.domain is not None and 0 <= place < len(self.domain.variables):
            return self.rvar(place)
        return RVar(f"no {name} in this RDom")

    def m_index(self, place: Any) -> RVar:
        return self.rvar(integer(place, "an index of an RDom"))

    def m_x(self) -> RVar:
        return self.single()

    def m_dimensions(self) -> int:
        return 0 if self.domain is None else len(self.domain.variables)

    def m_defined(self) -> bool:
        return self.domain is not None

    def m_same_as(self, other: Any) -> bool:
        return isinstance(other, RDom) and other.domain is self.domain

    def m_where(self, condition: Any) -> Any:
        if self.domain is None:
            raise Illegal("RDom::where on an undefined RDom")
        expr = to_expr(condition)
        if expr.type != BOOL:
            raise Illegal(f"RDom::where on a value of type {expr.type}; legal is bool")
        for func in self.world.program.funcs.values():
            for stage in func.stages:
                if stage.rvars and stage.rvars[0] is self.domain.variables[0]:
                    raise Illegal("RDom::where after the RDom is used in a definition")
        known = self.domain.predicate
        self.domain.predicate = expr if known is None else typing.binary("and", known, expr)
        return VOID


class Tuple:
    """Several values."""

    words = "a Tuple"

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def expr(self) -> Expr:
        if len(self.values) != 1:
            raise Illegal(f"a Tuple of {len(self.values)} values is no Expr")
        return to_expr(self.values[0])

    def copied(self) -> Tuple:
        return Tuple(list(self.values))

    def m_index(self, place: Any) -> Any:
        return Items(self.values, None, lambda: VOID).at(place)

    def m_size(self) -> Any:
        return Number(len(self.values), "unsigned long")

    def m_as_vector(self) -> Items:
        return Items(list(self.values), None, lambda: VOID)


def call_arguments(arguments: tuple[Any, ...]) -> list[Any]:
    """The arguments of a call: separate ones, or one vector of them."""
    values = [deref(a) for a in arguments]
    if len(values) == 1 and isinstance(values[0], Items):
        values = [deref(v) for v in values[0].items]
    return values


class FuncRef:
    """``f(x, y)``: a value where the Func has a definition, or what a definition is for."""

    words = "a reference to a Func"

    def __init__(self, func: Func, arguments: list[Any], at: Span | None = None) -> None:
        self.func, self.arguments, self.at = func, arguments, at

    def subscripts(self) -> tuple[Expr, ...]:
        values = expanded(self.arguments, len(self.func.vars))
        if len(values) != len(self.func.vars):
            raise Illegal(
                f"Func '{self.func.name}' is called with {len(values)} arguments, "
                f"but was defined with {len(self.func.vars)}",
                self.at,
            )
        return tuple(subscript(v, self.func.name, i) for i, v in enumerate(values))

    def components(self) -> list[Expr]:
        if self.func.definition is None:
            raise Illegal(f"Func '{self.func.name}' is called, but has no definition", self.at)
        where = self.subscripts()
        return [Load(t, self.func.name, where, i) for i, t in enumerate(self.func.types)]

    def expr(self) -> Expr:
        found = self.components()
        if len(found) != 1:
            raise Illegal(
                f"reference to Func '{self.func.name}', which has {len(found)} values, as an Expr; "
                "take one with []",
                self.at,
            )
        return found[0]

    def m_index(self, place: Any) -> FuncElement:
        return FuncElement(self, integer(place, "an index of a Tuple"))

    def m_size(self) -> Any:
        return Number(len(self.func.types), "unsigned long")


class FuncElement:
    """``f(x, y)[i]``."""

    words = "an element of a Tuple-valued Func"

    def __init__(self, ref: FuncRef, index: int) -> None:
        self.ref, self.index = ref, index

    def expr(self) -> Expr:
        found = self.ref.components()
        if not 0 <= self.index < len(found):
            raise Illegal(f"element {self.index} of a Func with {len(found)} values")
        return found[self.index]

    def m_index(self) -> int:
        return self.index


def expanded(arguments: list[Any], rank: int) -> list[Any]:
    """Arguments with ``_`` replaced by as many implicit variables as are missing."""
    places = [i for i, a in enumerate(arguments) if isinstance(a, Var) and a.name == "_"]
    if not places:
        return arguments
    if len(places) > 1:
        raise Illegal("'_' may appear once in a list of arguments")
    missing = max(rank - len(arguments) + 1, 0)
    implicit = [Var(f"_{i}") for i in range(missing)]
    return [*arguments[: places[0]], *implicit, *arguments[places[0] + 1 :]]


class ScalarObject:
    """An ``Input<int>``, a ``Param<float>``."""

    words = "a scalar parameter"

    def __init__(self, world: World, scalar: Scalar) -> None:
        self.world, self.scalar = world, scalar

    def expr(self) -> Expr:
        return variable(self.scalar.name, self.scalar.type)

    def m_type(self) -> Type:
        return self.scalar.type

    def m_name(self) -> str:
        return self.scalar.name

    def m_set(self, value: Any) -> Any:
        self.scalar.default = number(deref(value))
        return VOID

    def _nothing(self, *_: Any) -> Any:
        return VOID

    m_set_estimate = m_set_range = m_set_min_value = m_set_max_value = _nothing

    def m_get(self) -> Any:
        raise Illegal("the value of a Param is not known when the pipeline is built")
