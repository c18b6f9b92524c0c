"""Definitions as relations: what the algorithm says, for the proof of a schedule.

See ``s2s.analyses.tensor_flow``; the analysis cannot know Funcs, so they become maps here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.frontends.halide.pipeline import Definition, Func
from s2s.frontends.halide.schedule.associativity import keeps_meaning_in_any_order
from s2s.scop.expressions import Variable

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.affine import Affine
    from s2s.scop.tensors import Stage


def stages(funcs: Mapping[str, Func], parameters: Sequence[str]) -> dict[str, list[Stage]]:
    """The definitions of Funcs, as lowering left them, over the integer parameters of the nest."""
    return {name: _stages_of(func, parameters) for name, func in funcs.items()}


def _stages_of(func: Func, parameters: Sequence[str]) -> list[Stage]:
    from s2s.scop.tensors import Stage

    found = []
    for number, definition in enumerate(func.stages):
        pure = _pure(func, definition)
        commutes = number > 0 and keeps_meaning_in_any_order(func.name, definition)
        found.append(Stage(_writes(func, definition, pure, parameters), len(pure), commutes))
    return found


def _pure(func: Func, definition: Definition) -> list[str]:
    """The pure variables that the definition's left side has in their own places."""
    pairs = zip(definition.args, func.vars, strict=True)
    return [v for a, v in pairs if isinstance(a, Variable) and a.name == v]


def _writes(
    func: Func, definition: Definition, pure: list[str], parameters: Sequence[str]
) -> isl.Map:
    """Instances (pure variables, then reduction variables) to the element that they set."""
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
    relation = isl.Map.from_domain(_domain(affine, space, definition))
    relation = relation.add_dims(isl.dim_type.out, len(definition.args))
    for position, arg in enumerate(definition.args):
        value = affine.value(arg)
        if value is not None:
            graph = isl.Map.from_pw_aff(value).insert_dims(isl.dim_type.out, 0, position)
            relation &= graph.add_dims(isl.dim_type.out, len(definition.args) - position - 1)
    return relation.set_tuple_name(isl.dim_type.out, func.name)


def _domain(affine: Affine, space: isl.Space, definition: Definition) -> isl.Set:
    """The reduction domain, as far as it is affine."""
    import islpy as isl

    domain = isl.Set.universe(space)
    for rvar in definition.rvars:
        low, count = affine.value(rvar.minimum), affine.value(rvar.extent)
        variable = affine.value(Variable(rvar.minimum.type, rvar.name))
        if low is not None and count is not None and variable is not None:
            domain &= low.le_set(variable) & variable.lt_set(low.add(count))
    if definition.predicate is not None:
        domain &= affine.surely(definition.predicate)[0]
    return domain
