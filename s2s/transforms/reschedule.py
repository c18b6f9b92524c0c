"""Fusion, permutation and skewing in one: an affine schedule from isl for a region's units.

Before and after, for the two rows of Jacobi (units U1 and U2 in iterations ``(t, i)``)::

    for t: { for i: U1(t, i);  for i: U2(t, i); }      U1 -> (t, 2t + i),  U2 -> (t, 2t + i + 1)

as in Figure 3.5 of the PoPP chapter. isl scales rows of a band freely; rows are reduced here to
the smallest form that orders the same iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.transforms.errors import NotApplicable
from s2s.transforms.units import Unit, direction, find_units, to_units, unit_dependences

# No loop is worth to be skewed by more. isl, which does not count this work towards its budget,
# searches for minutes where a loop over the rows of a flat array, of so many elements each, meets
# one over all of its elements.
_LARGEST_COEFFICIENT = 64


def reschedule(scop: Scop, dependences: isl.UnionMap, *, rows: bool = True) -> Scop:
    """Give a SCoP a fused schedule with one outermost permutable band, found by isl.

    Raises NotApplicable where isl does not find a band that covers all units.
    """
    units = find_units(scop, rows=rows)
    mapping = to_units(scop, units)
    between = unit_dependences(dependences, mapping)
    if _largest_coefficient(between) > _LARGEST_COEFFICIENT:
        raise NotApplicable(scop.span, "rows of an array meet all of its elements")
    domain = scop.domain().apply(mapping).coalesce()
    constraints = isl.ScheduleConstraints.on_domain(domain)
    constraints = constraints.set_validity(between)
    constraints = constraints.set_coincidence(between).set_proximity(between)
    constraints = constraints.set_context(scop.context)
    root = _computed(scop, constraints).get_root().first_child()
    if isl.schedule_node_type(root.get_type()).name != "band":
        raise NotApplicable(scop.span, "isl finds no common band for the statements")
    band = root.band_get_partial_schedule_union_map().intersect_domain(domain)
    count = root.band_n_member()
    if not root.band_get_permutable():
        count = 1
    maps = _by_unit(scop, band, units, count)
    maps = _reduce(maps, count)
    names = _dimension_names(units, count)
    dimensions = [Dimension(n, Role.BAND) for n in names]
    return replace(scop, target=_statement_schedule(scop, units, maps, dimensions))


def _largest_coefficient(between: isl.UnionMap) -> int:
    """The largest coefficient of an iterator, or of a quotient, in dependences between units."""
    kinds = (isl.dim_type.in_, isl.dim_type.out, isl.dim_type.div)
    largest = 0

    def note(item: isl.BasicMap) -> None:
        nonlocal largest
        for constraint in item.get_constraints():
            for kind in kinds:
                for place in range(constraint.dim(kind)):
                    value = constraint.get_coefficient_val(kind, place)
                    largest = max(largest, abs(value.to_python()))

    between.foreach_map(lambda item: item.foreach_basic_map(note))
    return largest


def _computed(scop: Scop, constraints: isl.ScheduleConstraints) -> isl.Schedule:
    try:
        return constraints.compute_schedule()
    except isl.Error as problem:
        if "unable to carry" not in str(problem):
            raise
        # The source's order is not known well enough: two instances may each have to be first.
        raise NotApplicable(scop.span, "no schedule respects the possible orders") from None


def _by_unit(
    scop: Scop, band: isl.UnionMap, units: tuple[Unit, ...], count: int
) -> dict[str, isl.MultiAff]:
    """The band's rows as affine expressions, one multi-affine function for each unit."""
    found: dict[str, isl.MultiAff] = {}

    def note(item: isl.Map) -> None:
        function = isl.PwMultiAff.from_map(item)
        pieces: list[isl.MultiAff] = []
        function.foreach_piece(lambda _, aff: pieces.append(aff))
        name = item.get_tuple_name(isl.dim_type.in_)
        if len(pieces) == 1:
            found[name] = pieces[0]

    band.foreach_map(note)
    if len(found) != len(units):
        raise NotApplicable(scop.span, "a statement has no single affine schedule")
    return {
        name: aff.drop_dims(isl.dim_type.out, count, aff.dim(isl.dim_type.out) - count)
        for name, aff in found.items()
    }


def _reduce(maps: dict[str, isl.MultiAff], count: int) -> dict[str, isl.MultiAff]:
    """Divide each row by the greatest common divisor of its iterators' coefficients.

    Rounding down keeps all dependences weakly satisfied; constants that remain are shifted so that
    the first unit has none.
    """
    rows = {name: [aff.get_at(i) for i in range(count)] for name, aff in maps.items()}
    for position in range(count):
        divisor = 0
        for row in rows.values():
            divisor = _gcd(divisor, _content(row[position]))
        if divisor > 1:
            for row in rows.values():
                row[position] = _divide(row[position], divisor)
    return {name: _combine(maps[name], row) for name, row in rows.items()}


def _content(aff: isl.Aff) -> int:
    """Greatest common divisor of the coefficients of iterators and parameters."""
    value = 0
    for kind in (isl.dim_type.in_, isl.dim_type.param):
        for position in range(aff.dim(kind)):
            value = _gcd(value, abs(aff.get_coefficient_val(kind, position).to_python()))
    return value


def _gcd(a: int, b: int) -> int:
    return a if b == 0 else _gcd(b, a % b)


def _divide(aff: isl.Aff, divisor: int) -> isl.Aff:
    constant = aff.get_constant_val().to_python() // divisor
    scaled = aff.set_constant_val(isl.Val(0)).scale_down_val(isl.Val(divisor))
    return scaled.set_constant_val(isl.Val(constant))


def _combine(like: isl.MultiAff, rows: list[isl.Aff]) -> isl.MultiAff:
    result = like
    for position, row in enumerate(rows):
        result = result.set_aff(position, row)
    return result


def _dimension_names(units: tuple[Unit, ...], count: int) -> list[str]:
    """Names of the loops that a band's rows replace, from the deepest unit."""
    deepest = max(units, key=lambda u: u.depth)
    names = list(deepest.iterators[:count])
    return [*names, *[f"c{i}" for i in range(len(names), count)]]


def _statement_schedule(
    scop: Scop, units: tuple[Unit, ...], maps: dict[str, isl.MultiAff], band: list[Dimension]
) -> Schedule:
    """Band rows for each statement of a unit, then the source's order for what they leave open."""
    statements: dict[str, isl.Map] = {}
    for unit in units:
        rows = isl.Map.from_multi_aff(maps[unit.name])
        for name in unit.statements:
            statement = scop.statement(name)
            depth = statement.domain.dim(isl.dim_type.set)
            lift = isl.Map.identity(statement.domain.get_space().map_from_set())
            lift = lift.project_out(isl.dim_type.out, unit.depth, depth - unit.depth)
            lift = lift.set_tuple_name(isl.dim_type.out, unit.name)
            statements[name] = lift.apply_range(rows).reset_tuple_id(isl.dim_type.out)
    return append_order(scop, statements, band)


def source_order(scop: Scop, loops: Sequence[str] = ()) -> Schedule:
    """The order that the source has, without entries that order nothing.

    The outermost loops, as many as there are names for, are around all statements: they become
    loops of the new order.
    """
    kept = [item for s in scop.statements for item in (s.schedule, s.domain)]
    names = tuple((s.name, s.iterators) for s in scop.statements)
    key = tuple(map(id, kept)), names, tuple(loops)
    known = _orders.get(key)
    if known is None:
        if len(_orders) >= _KEPT:
            _orders.clear()
        leading = {s.name: _outermost(s, len(loops)) for s in scop.statements}
        order = append_order(scop, leading, [Dimension(name, Role.BAND) for name in loops])
        # Objects that are kept keep their numbers.
        known = _orders[key] = kept, order
    return known[1]


_KEPT = 512
_orders: dict[object, tuple[object, Schedule]] = {}


def _outermost(statement: Statement, count: int) -> isl.Map:
    """From the instances of a statement to the iterations of its outermost loops."""
    names = ", ".join(v.name for v in statement.iterators)
    rows = ", ".join(direction(statement, place) for place in range(count))
    return isl.Map(f"{{ {statement.name}[{names}] -> [{rows}] }}").intersect_domain(
        statement.domain
    )


def append_order(
    scop: Scop, leading: dict[str, isl.Map], dimensions: list[Dimension], permutable: int = 0
) -> Schedule:
    """Time vectors ``leading`` followed by the sequential order, constant entries left out."""
    length = next(iter(scop.statements)).schedule.dim(isl.dim_type.out)
    varying = [i for i in range(length) if not is_constant(scop, i)]
    maps = {}
    for statement in scop.statements:
        tail = statement.schedule
        for position in reversed(range(length)):
            if position not in varying:
                tail = tail.project_out(isl.dim_type.out, position, 1)
        maps[statement.name] = (
            leading[statement.name].flat_range_product(tail).intersect_domain(statement.domain)
        )
    maps = _without_determined(maps, len(dimensions))
    count = next(iter(maps.values())).dim(isl.dim_type.out) - len(dimensions)
    order = [Dimension(f"o{i}", Role.ORDER) for i in range(count)]
    return Schedule(maps, (*dimensions, *order), permutable or len(dimensions))


def _without_determined(maps: dict[str, isl.Map], leading: int) -> dict[str, isl.Map]:
    """Time vectors without those entries after the leading ones that earlier entries determine.

    They order nothing: instances that agree in all earlier entries agree in them.
    """
    position = leading
    while position < next(iter(maps.values())).dim(isl.dim_type.out):
        if _is_determined(maps, position):
            maps = {n: m.project_out(isl.dim_type.out, position, 1) for n, m in maps.items()}
        else:
            position += 1
    return maps


def _is_determined(maps: dict[str, isl.Map], position: int) -> bool:
    times: isl.Set | None = None
    for item in maps.values():
        rest = item.dim(isl.dim_type.out) - position - 1
        image = item.range().project_out(isl.dim_type.set, position + 1, rest)
        times = image if times is None else times.union(image)
    assert times is not None
    relation = isl.Map.from_range(times.coalesce())
    return bool(
        relation.move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, position).is_single_valued()
    )


def is_constant(scop: Scop, position: int) -> bool:
    """Whether an entry of the source's time vectors is one number for all statements."""
    values = set()
    for statement in scop.statements:
        value = statement.schedule.plain_get_val_if_fixed(isl.dim_type.out, position)
        values.add(None if value.is_nan() else value.to_python())
    return len(values) == 1 and None not in values
