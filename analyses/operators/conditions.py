"""Conditions on the instances of an operation: borders of windows, triangles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses.operators.boxes import Box
from s2s.analyses.operators.operands import shifted
from s2s.analyses.operators.subscripts import NotAnOperator, Places
from s2s.scop.affine import Affine
from s2s.scop.expressions import Expr
from s2s.scop.nodes import Statement
from s2s.scop.operation import Operation
from s2s.scop.polynomial import Polynomial


def affine_conditions(conditions: Sequence[Expr], statement: Statement, places: Places) -> isl.Set:
    """The instances of a statement in which conditions hold. Raises NotAnOperator."""
    domain = statement.domain
    if not conditions:
        return domain
    local = isl.LocalSpace.from_space(domain.get_space())
    names: dict[str, isl.PwAff | None] = {}
    for place, iterator in enumerate(statement.iterators):
        names[iterator.name] = isl.PwAff.from_aff(
            isl.Aff.var_on_domain(local, isl.dim_type.set, place)
        )
    for place, parameter in enumerate(places.scop.parameters):
        value = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.param, place))
        names.setdefault(parameter.spelling, value)
    affine = Affine(domain.get_space(), names)
    for condition in conditions:
        where = affine.where(condition)
        if where is None:
            raise NotAnOperator("terms are added under a condition on data", statement.name)
        domain = domain.intersect(where)
    return domain


def with_limits(
    operation: Operation, box: Box, inside: isl.Set, context: isl.Set, name: str
) -> Operation:
    """The operation whose operands have the limits that keep to ``inside``, or a triangle.

    ``context``: parameters for which the operation is done, also where nothing is inside.

    Raises NotAnOperator where neither says what executes.
    """
    names = [r.name for r in box.ranges]
    domain = _in(inside, names)
    whole = _box(box, domain).intersect_params(context)
    if whole.is_subset(domain):
        return operation
    found = triangle(operation, box, domain, whole)
    if found:
        return replace(operation, attributes={**operation.attributes, "triangle": found})
    reached, operands = whole, []
    for operand in operation.operands:
        limits = list(operand.limits)
        for axis, subscript in enumerate(operand.subscripts):
            value = _function(subscript, box, domain)
            if value is None or operand is operation.output or not _is_sum(operation, subscript):
                continue
            for limit in _upper_ends(subscript, box, domain.gist(whole)):
                border = value.ge_set(value.sub(value)).intersect(value.lt_set(_on(limit, domain)))
                if not whole.is_subset(border) and domain.is_subset(border):
                    limits[axis] = limit
                    reached = reached.intersect(border)
                    break
        operands.append(replace(operand, limits=tuple(limits)))
    if not (reached.is_subset(domain) and domain.is_subset(reached)):
        raise NotAnOperator("the loops do not run over a box of indices", name)
    return replace(operation, operands=tuple(operands))


def _upper_ends(subscript: Polynomial, box: Box, inside: isl.Set) -> Iterator[Polynomial]:
    """What conditions say that a subscript is less than, in sizes alone."""
    for piece in inside.get_basic_sets():
        for constraint in piece.get_constraints():
            if constraint.is_equality():
                continue
            low = _of_constraint(constraint, box)
            limit = None if low is None else low + subscript + Polynomial.integer(1)
            if limit is not None and not set(limit.names) & {r.name for r in box.ranges}:
                yield limit
    largest = _largest(subscript, box) + Polynomial.integer(1)
    if largest.is_affine:
        yield largest


def _largest(subscript: Polynomial, box: Box) -> Polynomial:
    """What a subscript is at most, where no condition ends it."""
    found = Polynomial.integer(subscript.constant)
    extents = {r.name: r.extent for r in box.ranges}
    for names, times in subscript.terms.items():
        product = Polynomial.integer(times)
        for name in names:
            last = extents[name] - Polynomial.integer(1) if name in extents else None
            product = product * (Polynomial.name(name) if last is None else last)
        if times > 0 or not set(names) & extents.keys():
            found = found + product
    return found


def _of_constraint(constraint: isl.Constraint, box: Box) -> Polynomial | None:
    """What a constraint says is not negative, over indices from 0; None where it rounds."""
    if constraint.dim(isl.dim_type.div):
        return None
    found = Polynomial.integer(constraint.get_constant_val().to_python())
    names = [(isl.dim_type.param, k) for k in range(constraint.dim(isl.dim_type.param))]
    names += [(isl.dim_type.set, k) for k in range(constraint.dim(isl.dim_type.set))]
    for kind, place in names:
        times = constraint.get_coefficient_val(kind, place).to_python()
        name = str(constraint.get_dim_name(kind, place))
        if times:
            found = found + Polynomial({(name,): times})
    return shifted(found, box.first)


def _is_sum(operation: Operation, subscript: Polynomial) -> bool:
    inside = [d for d in operation.dims if d.name in subscript.names]
    return any(d.reduction for d in inside)


def triangle(operation: Operation, box: Box, domain: isl.Set, whole: isl.Set) -> str:
    """``lower`` or ``upper`` where the output's two dimensions are those of a triangle."""
    own = [d for d in operation.dims if not d.reduction]
    output = operation.output
    if len(own) != 2 or len(output.subscripts) != 2:
        return ""
    first, second = output.subscripts
    one, other = _function(first, box, domain), _function(second, box, domain)
    if one is None or other is None:
        return ""
    for word, kept in (("lower", one.ge_set(other)), ("upper", one.le_set(other))):
        part = whole.intersect(kept)
        if part.is_subset(domain) and domain.is_subset(part):
            return word
    return ""


def _in(domain: isl.Set, names: Sequence[str]) -> isl.Set:
    """The domain in the iterators of the box."""
    place = 0
    while place < domain.dim(isl.dim_type.set):
        if domain.get_dim_name(isl.dim_type.set, place) in names:
            place += 1
        else:
            domain = domain.project_out(isl.dim_type.set, place, 1)
    return domain.reset_tuple_id() if domain.has_tuple_name() else domain


def _box(box: Box, domain: isl.Set) -> isl.Set:
    whole = isl.Set.universe(domain.get_space())
    for r in box.ranges:
        value = _variable(r.name, box, domain)
        low, high = (_on(p, domain) for p in (r.first, r.first + r.extent))
        whole = whole.intersect(value.ge_set(low)).intersect(value.lt_set(high))
    return whole


def _variable(name: str, box: Box, domain: isl.Set) -> isl.PwAff:
    local = isl.LocalSpace.from_space(domain.get_space())
    place = [r.name for r in box.ranges].index(name)
    return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.set, place))


def _on(value: Polynomial, domain: isl.Set) -> isl.PwAff:
    """A function of the parameters on the points of a domain."""
    params = [str(domain.get_dim_name(isl.dim_type.param, k))
              for k in range(domain.dim(isl.dim_type.param))]  # fmt: skip
    function = isl.PwAff(f"[{', '.join(params)}] -> {{ [({value.isl()})] }}")
    return function.insert_domain(domain.get_space())


def _function(value: Polynomial, box: Box, domain: isl.Set) -> isl.PwAff | None:
    """A value over indices from 0, as a function of the box's iterators."""
    if not value.is_affine:
        return None
    names = {r.name: r.first for r in box.ranges}
    moved = value
    found = None
    for r in box.ranges:
        times = moved.coefficient((r.name,))
        if times:
            index = _variable(r.name, box, domain).sub(_on(r.first, domain))
            index = index.scale_val(isl.Val.int_from_si(isl.DEFAULT_CONTEXT, times))
            found = index if found is None else found.add(index)
    rest = moved.part(lambda monomial: not set(monomial) & set(names), moved.constant)
    around = _on(rest, domain)
    return around if found is None else found.add(around)
