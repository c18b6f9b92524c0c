"""Edges of images and grids: clamped places leave the loops that run over what is inside.

::

    for i: for x:                           for i: {
        s[x] += a[max(0, x - i)];    ->         for x < i: s[x] += a[max(0, x - i)];
                                                for x >= i: s[x] += a[x - i]; }

How wide an edge is may be a parameter, as the radius of a filter: it is an edge where it does not
grow with the size of the image. Conditions that are the same in all iterations of the loop stay:
compilers take them out of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import islpy as isl

from s2s.analyses.extents import constant, extent
from s2s.scop.nodes import Scop, Statement
from s2s.transforms.cut_statements import cut_statements, piece_of
from s2s.transforms.specialize import Path, decide

_SHARE = 4
"""An edge whose width is a number is at most such a part of the whole."""
_SMALL, _LARGE = 64, 1 << 20
_EDGE = "_edge"


def split_edges(scop: Scop, place: int) -> tuple[Scop, isl.UnionMap] | None:
    """Split the statements of a loop at its edges; None where it has none.

    Also returns the relation from the old to the new instances.
    """
    pieces = {s.name: _pieces(scop, s, place) for s in scop.statements}
    if all(len(p) == 1 for p in pieces.values()):
        return None
    return cut_statements(scop, pieces)


def is_edge(statement: Statement) -> bool:
    """Whether a statement is what was split off."""
    return statement.name.endswith(_EDGE)


def _pieces(scop: Scop, statement: Statement, place: int) -> tuple[Statement, ...]:
    if statement.depth <= place:
        return (statement,)
    bulk = Path(statement.domain, ())
    for choice, taken in decide(statement, scop.context, partial(_is_narrow, place=place)):
        bulk = bulk.taking(choice, taken=taken)
    if not bulk.edits or bulk.domain.is_equal(statement.domain):
        return (statement,)
    outside = _whole_iterations(statement.domain.subtract(bulk.domain), statement.domain, place)
    inside = piece_of(statement, statement.name, statement.domain.subtract(outside).coalesce())
    plain = (replace(a, relation=_plain(a.relation, inside.domain)) for a in inside.accesses)
    inside = replace(inside, accesses=tuple(plain), edits=bulk.all_edits(statement))
    inside = replace(inside, control=bulk.control(statement))
    return _without_steady(inside, place), piece_of(statement, statement.name + _EDGE, outside)


def _plain(relation: isl.Map, around: isl.Set) -> isl.Map:
    """The same relation with as few affine forms for each subscript as there are.

    Where clamped places meet what is inside, they are the same: ``min(x, w - 1)`` is ``x`` for all
    ``x < w``, but isl keeps the last of them apart.
    """
    if not relation.is_single_valued():
        return relation
    domain = relation.domain()
    domain = around if around.is_subset(domain) else domain.coalesce()
    function = isl.MultiPwAff.from_pw_multi_aff(isl.PwMultiAff.from_map(relation))
    for row in range(relation.dim(isl.dim_type.out)):
        function = function.set_at(row, _plain_value(function.get_at(row), domain))
    return isl.Map.from_multi_pw_aff(function).intersect_domain(domain).coalesce()


def _plain_value(value: isl.PwAff, left: isl.Set) -> isl.PwAff:
    """A value with each of its forms in as many places of a domain as it is right."""
    result: isl.PwAff | None = None
    for aff in sorted((aff for _, aff in value.get_pieces()), key=_constancy):
        whole = isl.PwAff.from_aff(aff)
        right = value.eq_set(whole).intersect(left).coalesce()
        if not right.is_empty():
            piece = whole.intersect_domain(right)
            result = piece if result is None else result.union_add(piece)
            left = left.subtract(right).coalesce()
    return value if result is None else result


def _constancy(aff: isl.Aff) -> tuple[int, str]:
    """What moves with more iterators comes first: constants are right on lines and at points."""
    moving = sum(
        aff.involves_dims(isl.dim_type.in_, i, 1) for i in range(aff.dim(isl.dim_type.in_))
    )
    return -moving, str(aff)


def _whole_iterations(part: isl.Set, whole: isl.Set, place: int) -> isl.Set:
    """All instances in the iterations of a loop in which some are."""
    inner = whole.dim(isl.dim_type.set) - place - 1
    around = part.project_out(isl.dim_type.set, place + 1, inner)
    widened = around.add_dims(isl.dim_type.set, inner).set_tuple_id(whole.get_tuple_id())
    return widened.intersect(whole).coalesce()


def _without_steady(statement: Statement, place: int) -> Statement:
    """Without the control flow that goes the same way in all iterations of a loop."""
    steady = {c.span for c in statement.choices if not _varies(c.condition, statement, place)}
    return replace(statement, control=tuple(c for c in statement.control if c not in steady))


def _varies(condition: isl.Set, statement: Statement, place: int) -> bool:
    known = condition.gist(statement.domain).coalesce()
    return bool(known.involves_dims(isl.dim_type.set, place, 1))


def _is_narrow(part: isl.Set, whole: isl.Set, place: int) -> bool:
    """Whether a part does not grow along a dimension as the whole does."""
    if part.is_empty():
        return True
    wide, narrow = (extent(s.reset_tuple_id(), place) for s in (whole, part))
    sizes = _parameters(wide)
    if sizes:
        return _is_bounded(narrow, sizes)
    all_of_it, some = constant(wide), constant(narrow)
    return all_of_it is not None and some is not None and _SHARE * some <= all_of_it


def _is_bounded(value: isl.PwAff, sizes: frozenset[str]) -> bool:
    """Whether a value stays small where other parameters are, however large the sizes are."""
    values = isl.Set.from_pw_aff(value).lower_bound_val(isl.dim_type.set, 0, isl.Val(_LARGE))
    for position in range(values.dim(isl.dim_type.param)):
        if values.get_dim_name(isl.dim_type.param, position) not in sizes:
            values = values.upper_bound_val(isl.dim_type.param, position, isl.Val(_SMALL))
            values = values.lower_bound_val(isl.dim_type.param, position, isl.Val(-_SMALL))
    return bool(values.is_empty())


def _parameters(value: isl.PwAff) -> frozenset[str]:
    """The parameters that a value changes with, wherever it has which form."""
    found: set[str] = set()

    def note(_: isl.Set, aff: isl.Aff) -> None:
        for position in range(aff.dim(isl.dim_type.param)):
            if aff.involves_dims(isl.dim_type.param, position, 1):
                found.add(aff.get_dim_name(isl.dim_type.param, position) or "")

    value.foreach_piece(note)
    return frozenset(found)
