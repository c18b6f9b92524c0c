"""Definitions as relations: what the algorithm says, for the proof of a schedule.

See ``s2s.analyses.tensor_flow``; the analysis cannot know Funcs, so they become maps here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.scop.associativity import keeps_meaning_in_any_order
from s2s.scop.expressions import Expr, Variable
from s2s.scop.pipeline import Definition, Func
from s2s.scop.rewrite import substitute
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.affine import Affine


@dataclass(frozen=True)
class Stage:
    """One definition of a tensor, apart from any loops.

    ``writes`` leads from (pure variables, reduction variables) to the element; ``pure`` is the
    number of pure variables. ``commutes``: the update combines the element's value with another
    one by an operation whose order does not matter (or may change). ``exact``: what ``writes``
    says of where reduction variables begin and end is all that there is.
    """

    writes: isl.Map
    pure: int
    commutes: bool = False
    exact: bool = True


def stages(
    funcs: Mapping[str, Func], parameters: Sequence[str], known: Mapping[str, Expr] | None = None
) -> dict[str, list[Stage]]:
    """The definitions of Funcs, as lowering left them, over the integer parameters of the nest.

    ``known``: values of names, as the nest has them.
    """
    values = dict(known or {})
    return {name: _stages_of(func, parameters, values) for name, func in funcs.items()}


def _stages_of(func: Func, parameters: Sequence[str], known: dict[str, Expr]) -> list[Stage]:
    found = []
    for number, definition in enumerate(func.stages):
        definition = _with_values(definition, known)
        pure = _pure(func, definition)
        commutes = number > 0 and keeps_meaning_in_any_order(func.name, definition)
        writes, exact = _writes(func, definition, pure, parameters)
        found.append(Stage(writes, len(pure), commutes, exact))
    return found


def _with_values(definition: Definition, known: dict[str, Expr]) -> Definition:
    """The definition with what is known put in where it runs and what it sets."""

    def change(expr: Expr) -> Expr:
        return substitute(expr, known)

    predicate = definition.predicate
    return replace(
        definition,
        args=[change(a) for a in definition.args],
        rvars=[
            replace(r, minimum=change(r.minimum), extent=change(r.extent)) for r in definition.rvars
        ],
        predicate=None if predicate is None else change(predicate),
    )


def _pure(func: Func, definition: Definition) -> list[str]:
    """The pure variables that the definition's left side has in their own places."""
    pairs = zip(definition.args, func.vars, strict=True)
    return [v for a, v in pairs if isinstance(a, Variable) and a.name == v]


def _writes(
    func: Func, definition: Definition, pure: list[str], parameters: Sequence[str]
) -> tuple[isl.Map, bool]:
    """Instances (pure variables, then reduction variables) to the element that they set.

    With it: whether the bounds of the reduction variables are affine.
    """
    import islpy as isl

    from s2s.scop.affine import Affine

    names = [*pure, *(r.name for r in definition.rvars)]
    space = isl.Space.create_from_names(
        isl.DEFAULT_CONTEXT, set=[f"i{k}" for k in range(len(names))], params=list(parameters)
    )
    local = isl.LocalSpace.from_space(space)
    values: dict[str, isl.PwAff | None] = {
        p: isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.param, k))
        for k, p in enumerate(parameters)
    }
    for position, name in enumerate(names):
        place = isl.Aff.var_on_domain(local, isl.dim_type.set, position)
        values[name] = isl.PwAff.from_aff(place)
    affine = Affine(space, values)
    domain, exact = _domain(affine, space, definition)
    relation = isl.Map.from_domain(domain)
    relation = relation.add_dims(isl.dim_type.out, len(definition.args))
    for position, arg in enumerate(definition.args):
        value = affine.value(arg)
        if value is not None:
            graph = isl.Map.from_pw_aff(value).insert_dims(isl.dim_type.out, 0, position)
            relation &= graph.add_dims(isl.dim_type.out, len(definition.args) - position - 1)
    return relation.set_tuple_name(isl.dim_type.out, func.name), exact


def _domain(affine: Affine, space: isl.Space, definition: Definition) -> tuple[isl.Set, bool]:
    """The reduction domain, as far as it is affine, and whether its bounds are."""
    import islpy as isl

    domain, exact = isl.Set.universe(space), True
    for rvar in definition.rvars:
        low, count = affine.value(rvar.minimum), affine.value(rvar.extent)
        variable = affine.value(Variable(rvar.minimum.type, rvar.name))
        if low is not None and count is not None and variable is not None:
            domain &= low.le_set(variable) & variable.lt_set(low.add(count))
        else:
            exact = False
    if definition.predicate is not None:
        domain &= affine.surely(definition.predicate)[0]
    return domain, exact
