"""Loops from 0 in steps of 1: accesses and bounds in the iterators of the normal form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import islpy as isl

from s2s.analyses.conformability.strips import NestLoop, join
from s2s.scop.nodes import Branch, Loop, Scop, Statement
from s2s.scop.trees import paths
from s2s.source.records import dataclass

_IN, _OUT, _SET, _PARAM = (
    isl.dim_type.in_,
    isl.dim_type.out,
    isl.dim_type.set,
    isl.dim_type.param,
)


@dataclass(frozen=True)
class Affine:
    """The sum of multiples of iterators (by their places), of parameters, and a constant."""

    terms: Mapping[int, int]
    constant: int = 0
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Whether it is a sum of iterators, each once, and nothing else."""
        return (
            bool(self.terms)
            and not self.constant
            and not self.parameters
            and all(c == 1 for c in self.terms.values())
        )

    def text(self, names: Sequence[str]) -> str:
        """The sum, as C writes it."""
        parts = [(names[k], c) for k, c in self.terms.items()]
        parts += list(self.parameters.items())
        found = ""
        for name, c in parts:
            term = name if abs(c) == 1 else f"{abs(c)} * {name}"
            found += (" - " if c < 0 else " + ") + term if found else ("-" if c < 0 else "") + term
        if self.constant or not found:
            sign = " - " if self.constant < 0 else " + "
            return f"{found}{sign}{abs(self.constant)}" if found else str(self.constant)
        return found


@dataclass(frozen=True)
class Normal:
    """A statement's loops in normal form.

    ``to_source`` leads from normal iterations to the source's; ``around`` are for each loop those
    that its bounds depend on; ``extents`` its iterations, where they are one number; ``names`` are
    the source's. ``tiles``: the source's loops where these are those of a nest that was tiled by
    hand, of which tile loops are joined with what they tile.
    """

    statement: Statement
    to_source: isl.Map
    domain: isl.Set
    around: tuple[frozenset[int], ...]
    extents: tuple[int | None, ...]
    names: tuple[str, ...]
    tiles: tuple[NestLoop, ...] = ()

    def subscripts(self, relation: isl.Map) -> list[Affine | None]:
        """What an access relation leads to, axis by axis; None where that is not affine."""
        inside = self.to_source.apply_range(relation).intersect_domain(self.domain)
        found = [_affine(_axis(inside, k), self.domain) for k in range(inside.dim(_OUT))]
        if len(found) == 1 and found[0] is not None:  # rows of an array that is declared flat
            return list(_rows(found[0], self.extents))
        return found


def _rows(affine: Affine, extents: Sequence[int | None]) -> list[Affine]:
    """A subscript of a flat array as one for each dimension of rows in it, outermost first.

    ``40 * i + 8 * j + k`` with j below 5 and k below 8 is ``[i][j][k]``. Steps of the longest rows
    come first; what is left has to stay inside of one.
    """
    for length in sorted(set(affine.terms.values()), reverse=True):
        inner = {k: c for k, c in affine.terms.items() if length <= 1 or c % length}
        most = affine.constant % length if length > 1 else 0
        for k, c in inner.items():
            extent = extents[k]
            if extent is None or c < 0:
                break
            most += c * (extent - 1)
        else:
            if length > 1 and inner and most < length and not affine.parameters:
                outer = {k: c // length for k, c in affine.terms.items() if k not in inner}
                rest = Affine(inner, affine.constant % length)
                return [Affine(outer, affine.constant // length), *_rows(rest, extents)]
    return [affine]


def normal_form(scop: Scop, statement: Statement) -> Normal | None:
    """The normal form of a statement's loops; None where their bounds are not affine."""
    above = paths(scop.tree)[statement.name]
    steps = [node.step for node in above if isinstance(node, Loop)]
    chosen = any(isinstance(node, Branch) for node in above)
    domain, depth = statement.domain.intersect_params(scop.context), statement.depth
    space = isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, depth, depth)
    leading = isl.BasicMap.universe(space.align_params(domain.get_space()))
    for k in range(depth):
        low = _bound(domain, k, steps[k])
        if low is None and chosen:  # the loop's own bounds are around those of the condition
            low = _constant_bound(domain, k, steps[k])
        if low is None:
            return None
        equation = isl.Constraint.alloc_equality(leading.get_local_space())
        equation = equation.set_coefficient_val(_OUT, k, _value(-1))
        equation = equation.set_coefficient_val(_IN, k, _value(steps[k]))
        equation = equation.set_constant_val(_value(low.constant))
        for place, c in low.terms.items():
            equation = equation.set_coefficient_val(_OUT, place, _value(c))
        for name, c in low.parameters.items():
            place = leading.find_dim_by_name(_PARAM, name)
            equation = equation.set_coefficient_val(_PARAM, place, _value(c))
        leading = leading.add_constraint(equation)
    to_source = leading.to_map().set_tuple_id(_OUT, domain.get_tuple_id())
    inside = to_source.intersect_range(domain).domain().coalesce()
    names = tuple(variable.spelling for variable in statement.iterators)
    found = _forwards(_normal(statement, to_source, inside, names))
    return _without_tiles(scop, found) or found


def _normal(
    statement: Statement, to_source: isl.Map, inside: isl.Set, names: tuple[str, ...]
) -> Normal:
    depth = len(names)
    around = tuple(_around(inside, k) for k in range(depth))
    extents = tuple(_extent(inside, k) for k in range(depth))
    return Normal(statement, to_source, inside, around, extents, names)


def _forwards(found: Normal) -> Normal:
    """Loops that only count subscripts down, turned round: ``a[8 - j]`` becomes ``a[j]``."""
    subscripts = [found.subscripts(access.elements) for access in found.statement.accesses]
    terms = [dict(one.terms) for axes in subscripts for one in axes if one is not None]
    places = []
    for k, extent in enumerate(found.extents):
        used = [one[k] for one in terms if k in one]
        turns = bool(used) and max(used) < 0 and extent is not None and not found.around[k]
        others = any(k in around for around in found.around)
        places.append(f"{extent} - 1 - i{k}" if turns and not others else f"i{k}")
    every = [f"i{k}" for k in range(len(places))]
    if places == every:
        return found
    turned = isl.Map(f"{{ [{', '.join(every)}] -> [{', '.join(places)}] }}")
    inside = turned.intersect_range(found.domain).domain().coalesce()
    to_source = turned.apply_range(found.to_source)
    return _normal(found.statement, to_source, inside, found.names)


def _without_tiles(scop: Scop, found: Normal) -> Normal | None:
    """The nest without tile loops; None where there are none."""
    subscripts = [found.subscripts(a.elements) for a in found.statement.accesses]
    terms = [dict(one.terms) for axes in subscripts for one in axes if one is not None]
    joined = join(scop, found.statement.name, found.domain, terms)
    if joined is None:
        return None
    names = tuple(found.names[k] for k in joined.kept)
    to_source = joined.to_normal.apply_range(found.to_source)
    normal = _normal(found.statement, to_source, joined.domain, names)
    return replace(normal, tiles=joined.loops)


def _value(number: int) -> isl.Val:
    return isl.Val.int_from_si(isl.DEFAULT_CONTEXT, number)


def _bound(domain: isl.Set, k: int, step: int) -> Affine | None:
    """The first value of a loop, over the loops around it and the parameters."""
    outer = domain.project_out(_SET, k + 1, domain.dim(_SET) - k - 1)
    relation = (
        isl.Map.from_domain(outer).reset_tuple_id(_IN)
        if outer.has_tuple_id()
        else (isl.Map.from_domain(outer))
    )
    relation = relation.move_dims(_OUT, 0, _IN, k, 1)
    first = relation.lexmin() if step > 0 else relation.lexmax()
    return _affine(first, first.domain())


def _constant_bound(domain: isl.Set, k: int, step: int) -> Affine | None:
    """The first value of a loop over all iterations of those around; None where it is no number."""
    value = domain.dim_min_val(k) if step > 0 else domain.dim_max_val(k)
    return Affine({}, _number(value)) if value.is_int() else None


def _axis(relation: isl.Map, k: int) -> isl.Map:
    """One place of where a relation leads."""
    after = relation.dim(_OUT) - k - 1
    return relation.project_out(_OUT, k + 1, after).project_out(_OUT, 0, k)


def _affine(relation: isl.Map, domain: isl.Set) -> Affine | None:
    """A relation to single numbers as an affine function; None where it is none."""
    if relation.is_empty() or not relation.is_single_valued():
        return None
    function = isl.PwMultiAff.from_map(relation.detect_equalities().coalesce())
    aff = function.get_pw_aff(0).gist(domain).coalesce()
    pieces: list[isl.Aff] = []
    aff.foreach_piece(lambda _, piece: pieces.append(piece))
    if len(pieces) != 1 or pieces[0].dim(isl.dim_type.div):
        return None
    found = pieces[0]
    if not found.get_denominator_val().is_one():
        return None
    terms = {k: _number(found.get_coefficient_val(_IN, k)) for k in range(found.dim(_IN))}
    names = {
        str(found.get_dim_name(_PARAM, k)): _number(found.get_coefficient_val(_PARAM, k))
        for k in range(found.dim(_PARAM))
    }
    return Affine(
        {k: c for k, c in terms.items() if c},
        _number(found.get_constant_val()),
        {name: c for name, c in names.items() if c},
    )


def _number(value: isl.Val) -> int:
    return int(value.to_python())


def _around(domain: isl.Set, k: int) -> frozenset[int]:
    """The outer loops that stand in a condition with a loop."""
    outer = domain.project_out(_SET, k + 1, domain.dim(_SET) - k - 1).compute_divs()
    found: set[int] = set()
    for part in outer.get_basic_sets():
        for condition in part.get_constraints():
            if condition.involves_dims(_SET, k, 1):
                found |= {j for j in range(k) if condition.involves_dims(_SET, j, 1)}
    return frozenset(found)


def _extent(domain: isl.Set, k: int) -> int | None:
    """How many iterations a loop has at most; None where parameters say that."""
    for part in domain.get_basic_sets():
        for condition in part.get_constraints():
            if condition.involves_dims(_SET, k, 1) and condition.involves_dims(
                _PARAM, 0, domain.dim(_PARAM)
            ):
                return None
    most = domain.dim_max_val(k) if domain.dim(_SET) else None
    if most is None or not most.is_int():
        return None
    return _number(most) + 1
