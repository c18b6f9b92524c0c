"""Which sum an element of a tensor holds in the end: initial value and updates put together."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise

from s2s.analyses.contractions.elements import (
    element_of,
    form_of,
    plain_value,
    told_apart,
)
from s2s.analyses.contractions.endings import combined
from s2s.analyses.contractions.forms import Factor, Product, Sum, literal
from s2s.analyses.contractions.linear import Affine
from s2s.analyses.contractions.statements import AffineStore
from s2s.analyses.contractions.values import Value
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import FLOAT32
from s2s.scop.linear import Linear

Cell = tuple[AffineStore, tuple[Affine, ...]]
"""A statement and the subscripts of the element that it writes or reads."""


def final_value(tensor: str, found: Sequence[AffineStore]) -> tuple[AffineStore, Value]:
    """The value of the elements of an output, and the statement whose loops it is given in.

    Raises NotAContraction.
    """
    own = [s for s in found if s.tensor == tensor]
    if not own:
        raise NotAContraction(f"{tensor} is not written")
    return own[-1], _value(own, found)


def _value(own: Sequence[AffineStore], found: Sequence[AffineStore]) -> Value:
    """The value that the statements on one tensor leave in the element of the last one."""
    last = own[-1]
    if not last.reads_itself:
        if len(own) > 1 and last.subscripts:
            raise NotAContraction(f"{last.tensor} is written more than once", last.store.at)
        if len(own) > 1:  # a variable that is used again: what it held before is another sum
            before = own[:-1]
            found = [s for s in found if s.tensor != last.tensor or s in before]
        return _computed(last, found)
    inner = _inner_sum(last, found)
    if inner is not None:
        return _sum_of_sums(own, inner, found)
    if len(own) > 1 and not _ending(last, own).products and not _sums_elements(own, found):
        return _changed(own, found)
    return _updated(own, found)


def _ending(last: AffineStore, own: Sequence[AffineStore]) -> Sum:
    """What the last statement does; an element that it adds once to a sum of floats is its end."""
    form = _with_scale(form_of(last, {last.tensor}), {last.tensor})
    if last.value.type != FLOAT32 or len(own) < 2 or len(form.products) != 1:
        return form
    (product,) = form.products
    once = {r.name for r in last.loops} <= {r.name for r in own[0].loops}
    if not once or product != Product(product.left, None, literal=1.0) or not last.reads_itself:
        return form
    return replace(form, products=(), last=product.left)


def _with_scale(form: Sum, local: Container[str]) -> Sum:
    """A sum of floats times a number as a sum that has that as its scale."""
    if len(form.products) != 1 or form.loads or form.scale is not None:
        return form
    (product,) = form.products
    plain = product == Product(product.left, None, literal=product.literal)
    if not plain or not isinstance(product.literal, float) or product.left.tensor not in local:
        return form
    return replace(form, products=(), loads=(product.left,), scale=product.literal)


def _changed(own: Sequence[AffineStore], found: Sequence[AffineStore]) -> Value:
    """The value where the last statement shifts, limits or adds to what a tensor holds."""
    last = own[-1]
    around = set.intersection(*({r.name for r in s.loops} for s in own))
    for loop in last.loops:
        if loop.name not in told_apart(last) | around:
            text = f"{last.tensor} is changed again in each iteration of loop {loop.source}"
            raise NotAContraction(text, last.store.at)
    return _after(last, own[:-1], found, _ending(last, own))


def _computed(statement: AffineStore, found: Sequence[AffineStore]) -> Value:
    """The value of a statement that does not read what it writes; sums that it reads included."""
    local = {s.tensor for s in found if s is not statement}
    form = _with_scale(form_of(statement, local), local)
    _check_not_written(form, {*local, statement.tensor}, statement)
    names = {load.tensor for load in form.loads if load.tensor in local}
    if not names:
        return plain_value(statement, form)
    if len(names) > 1 or form.products:
        raise NotAContraction("sums of more than one convolution are added", statement.store.at)
    return _after(statement, [s for s in found if s.tensor in names], found, form)


def _after(
    statement: AffineStore, own: Sequence[AffineStore], found: Sequence[AffineStore], form: Sum
) -> Value:
    """The value of a statement, of a ``form``, that reads an element which others have computed."""
    tensor = own[-1].tensor
    loads = [load for load in form.loads if load.tensor == tensor]
    if len(loads) != 1 or not loads[0].is_plain:
        raise NotAContraction(f"elements of {tensor} are added", statement.store.at)
    local = {s.tensor for s in found} - {tensor}
    if any(load.tensor in local for load in form.loads):
        raise NotAContraction("sums of more than one convolution are added", statement.store.at)
    inner = _read_from(statement, own, loads[0], found)
    rest = tuple(load for load in form.loads if load is not loads[0])
    return combined(statement, inner, replace(form, loads=rest))


def _read_from(
    statement: AffineStore, own: Sequence[AffineStore], load: Factor, found: Sequence[AffineStore]
) -> Value:
    """What a statement reads that the statements ``own`` on a tensor have computed."""
    tensor = own[-1].tensor
    if len(own) == 1 and own[0].reads_itself and tensor != statement.tensor:
        raise NotAContraction(f"{tensor} is used before it is computed", own[0].store.at)
    read = element_of(load, statement).subscripts
    if _is_before(statement, own[-1]):
        raise NotAContraction(f"{tensor} is read before it is computed", statement.store.at)
    ordered = [*own[: -len(_added_together(own, found))], own[-1]]
    _check_order([*((s, s.subscripts) for s in ordered), (statement, read)])
    return _at(_value(own, found), own[-1], statement, load)


def _is_before(one: AffineStore, other: AffineStore) -> bool:
    """Whether a statement stands before another in the text."""
    for first, second in zip(one.place, other.place, strict=False):
        if first != second:
            return isinstance(first, int) and isinstance(second, int) and first < second
    return False


def _check_not_written(form: Sum, local: set[str], statement: AffineStore) -> None:
    for product in form.products:
        for load in product.factors:
            if load.tensor in local:
                text = f"a factor is an element of {load.tensor}, which is computed here"
                raise NotAContraction(text, statement.store.at)


def _sums_elements(own: Sequence[AffineStore], found: Sequence[AffineStore]) -> bool:
    """Whether an update adds elements, in a loop of its own, to one that has been begun."""
    update = own[-1]
    told = told_apart(update)
    if len(own) > 1:
        told |= {r.name for r in own[0].loops}
    local = {s.tensor for s in found}
    others = [load for load in form_of(update).loads if load.tensor not in local]
    return bool(others) and any(r.name not in told and r.extent > 1 for r in update.loops)


def _update_form(
    update: AffineStore, own: Sequence[AffineStore], found: Sequence[AffineStore]
) -> Sum:
    """What an update adds; elements that it adds in a loop are products with 1."""
    form = form_of(update)
    if not _sums_elements(own, found) and not any(p.right is None for p in form.products):
        return form
    local = {s.tensor for s in found}
    more = tuple(load for load in form.loads if load.tensor not in local)
    rest = tuple(load for load in form.loads if load.tensor in local)
    return replace(form, products=(*form.products, *literal(more)), loads=rest)


def _updated(own: Sequence[AffineStore], found: Sequence[AffineStore]) -> Value:
    """The sum that one update makes of an initial value."""
    update = own[-1]
    forms = _added_together(own, found)
    whole = own
    own = own[: len(own) - len(forms) + 1]
    if len(own) > 2 or (len(own) == 2 and own[0].reads_itself):
        raise NotAContraction(f"{update.tensor} is updated more than once", update.store.at)
    form = _update_form(update, whole, found)
    bits = [f.bits for f in forms if f.bits is not None]
    more = tuple(p for f in forms for p in f.products)
    form = replace(form, products=more, bits=min(bits, default=None))
    _check_not_written(form, {s.tensor for s in found}, update)
    itself = [load for load in form.loads if load.tensor == update.tensor and load.is_plain]
    for load in itself:
        if element_of(load, update).subscripts != update.subscripts:
            text = f"an element of {update.tensor} is computed from another one"
            raise NotAContraction(text, update.store.at)
    if len(itself) != 1 or len(form.loads) != 1 or form.constant or form.is_finished:
        raise NotAContraction(f"{update.tensor} is no sum of products", update.store.at)
    shared = {r.name for r in own[0].loops} if len(own) > 1 else set()
    told = told_apart(update) | (shared & {r.name for r in update.loops})
    reductions = tuple(r for r in update.loops if r.name not in told)
    value = plain_value(update, form, reductions)
    if len(own) == 1:
        return value  # what was there before is the initial value
    own = [*own[:-1], update]
    _check_order([(s, s.subscripts) for s in own])
    return _begun(value, update, own[0], found)


def _inner_sum(update: AffineStore, found: Sequence[AffineStore]) -> Factor | None:
    """The element of another tensor, computed here, that an update adds; None for others."""
    form = form_of(update)
    if form.products or form.constant or form.is_finished or len(form.loads) != 2:
        return None
    local = {s.tensor for s in found} - {update.tensor}
    own = [f for f in form.loads if f.is_plain and f.tensor == update.tensor]
    others = [f for f in form.loads if f.is_plain and f.tensor in local]
    if len(own) != 1 or len(others) != 1:
        return None
    return others[0] if element_of(own[0], update).subscripts == update.subscripts else None


def _sum_of_sums(own: Sequence[AffineStore], inner: Factor, found: Sequence[AffineStore]) -> Value:
    """``row = 0; for r: row += ...; acc += row;`` in loops over rows: one sum over all of them."""
    update, form = own[-1], form_of(own[-1])
    rest = replace(form, loads=(inner,))
    writers = [s for s in found if s.tensor == inner.tensor]
    value = _read_from(update, writers, inner, found)
    if value.form.is_finished or value.form.constant or value.loads or not value.products:
        text = f"sums of {inner.tensor} are changed before they are added to {update.tensor}"
        raise NotAContraction(text, update.store.at)
    told = told_apart(update)
    if len(own) > 1:
        told |= {r.name for r in own[0].loops} & {r.name for r in update.loops}
    more = tuple(r for r in update.loops if r.name not in told)
    bits = [b for b in (rest.bits, value.form.bits) if b is not None]
    value = replace(
        value,
        loops=tuple(r for r in update.loops if r.name in told),
        reductions=(*more, *value.reductions),
        form=replace(value.form, bits=min(bits, default=None)),
    )
    if len(own) > 2 or (len(own) == 2 and own[0].reads_itself):
        raise NotAContraction(f"{update.tensor} is updated more than once", update.store.at)
    if len(own) == 1:
        return value
    _check_order([(s, s.subscripts) for s in own])
    return _begun(value, update, own[0], found)


def _added_together(own: Sequence[AffineStore], found: Sequence[AffineStore]) -> list[Sum]:
    """The last statements on a tensor, each of which adds products to the same element."""
    last, forms = own[-1], []
    for statement in reversed(own):
        same = (statement.loops, statement.subscripts) == (last.loops, last.subscripts)
        if not same or not statement.reads_itself:
            break
        form = _update_form(statement, [*own[:1], statement], found)
        plain = not form.constant and not form.is_finished and len(form.loads) == 1
        if not plain or not form.products or _other_loads(form, statement):
            break
        forms.append(form)
    return forms[::-1] or [_update_form(last, own, found)]


def _other_loads(form: Sum, statement: AffineStore) -> bool:
    """Whether a sum has other elements than the one that the statement writes."""
    return any(
        load.tensor != statement.tensor
        or not load.is_plain
        or element_of(load, statement).subscripts != statement.subscripts
        for load in form.loads
    )


def _begun(
    value: Value, update: AffineStore, first: AffineStore, found: Sequence[AffineStore]
) -> Value:
    """An update's value with the initial one in place of what it reads of its own tensor."""
    start = form_of(first)
    peeled = _with_iteration_before(value, update, first, start) if start.products else None
    if peeled is not None:
        return peeled
    if start.products or start.is_finished or len(start.loads) > 1:
        raise NotAContraction(f"{first.tensor} starts with more than one element", first.store.at)
    if any(_is_computed(load, first, found) for load in start.loads):
        text = f"{first.tensor} starts with what is computed here"
        raise NotAContraction(text, first.store.at)
    values = _solved(first, update, update.subscripts)
    loads = tuple(element_of(load, first).with_values(values) for load in start.loads)
    bits = [b for b in (start.bits, value.form.bits) if b is not None]
    form = replace(value.form, constant=start.constant, bits=min(bits, default=None))
    return replace(value, loads=loads, form=form)


def _is_computed(load: Factor, first: AffineStore, found: Sequence[AffineStore]) -> bool:
    """Whether what a sum starts with may be what a program has computed before.

    It is not where only one statement behind sets it: the one that stores the sum.
    """
    writers = [s for s in found if s.tensor == load.tensor]
    if len(writers) != 1 or writers[0].tensor == first.tensor:
        return bool(writers)
    return writers[0].reads_itself or not _is_before(first, writers[0])


def _with_iteration_before(
    value: Value, update: AffineStore, first: AffineStore, start: Sum
) -> Value | None:
    """``s = a[0] * w[0]; for k from 1: s += a[k] * w[k];`` as one loop from 0; None for others."""
    alone = len(value.products) == 1 and len(value.reductions) == 1
    plain = not (start.loads or start.constant or start.is_finished) and len(start.products) == 1
    if not alone or not plain:
        return None
    begun, values = plain_value(first, start), _solved(first, update, update.subscripts)
    wanted = {element.with_values(values) for element in begun.products[0]}
    (loop,) = value.reductions
    if begun.negative != value.negative:
        return None
    ends = [(loop.minimum - 1, loop.minimum - 1), (loop.last + 1, loop.minimum)]
    if value.accumulator.is_float:
        ends.pop()  # the product that a sum of floats starts with is its first one
    for at, minimum in ends:
        there = {loop.name: Linear[str]({}, at)}
        if {e.with_values(there) for e in value.products[0]} == wanted:
            bits = [b for b in (start.bits, value.form.bits) if b is not None]
            return replace(
                value,
                loads=(),
                reductions=(replace(loop, minimum=minimum, extent=loop.extent + 1),),
                form=replace(value.form, bits=min(bits, default=None)),
            )
    return None


def _solved(
    writer: AffineStore, reader: AffineStore, subscripts: Sequence[Affine]
) -> dict[str, Affine]:
    """The iteration of the writer that wrote the element that the reader names.

    Shared loops are at the same iteration. Raises NotAContraction where it is not certain that
    there is exactly one.
    """
    shared = {r.name for r in writer.loops} & {r.name for r in reader.loops}
    values: dict[str, Affine] = {}
    where = reader.store.at
    for own, wanted in zip(writer.subscripts, subscripts, strict=True):
        names = [(n, c) for n, c in own.terms.items() if n not in shared]
        if not names:
            if own != wanted:
                raise NotAContraction(f"elements of {writer.tensor} are not all computed", where)
            continue
        fixed = own.part(shared.__contains__, own.constant)
        value = wanted.minus(fixed).divided(names[0][1]) if len(names) == 1 else None
        if value is None or names[0][0] in values:
            raise NotAContraction(f"{writer.tensor} is not written in its own order", where)
        values[names[0][0]] = value
    ranges = writer.ranges
    for name, value in values.items():
        low, high = value.bounds(reader.ranges)
        if low < ranges[name][0] or high > ranges[name][1]:
            raise NotAContraction(f"elements of {writer.tensor} are not all computed", where)
    return values


def _at(value: Value, writer: AffineStore, reader: AffineStore, load: Factor) -> Value:
    """A tensor's value at the element that another statement reads, in that one's loops."""
    wanted = element_of(load, reader).subscripts
    spatial = replace(writer, loops=tuple(r for r in writer.loops if r not in value.reductions))
    values = _solved(spatial, reader, wanted)
    names = {r.name for r in reader.loops}
    for loop in value.reductions:
        if loop.name in names:
            raise NotAContraction(f"{writer.tensor} is read before its sum ends", reader.store.at)
    for loop in value.loops:
        if loop.name not in names and loop.name not in values:
            text = f"loop {loop.source} computes the same elements of {writer.tensor} again"
            raise NotAContraction(text, writer.store.at)
    products = tuple((a.with_values(values), b.with_values(values)) for a, b in value.products)
    loads = tuple(e.with_values(values) for e in value.loads)
    factor = None if value.factor is None else value.factor.with_values(values)
    value = replace(value, loops=reader.loops, products=products, loads=loads)
    return replace(value, factor=factor)


def _check_order(own: Sequence[Cell]) -> None:
    """That for one element each statement is over before the next one begins.

    So it is where the loops that two statements share are told from the element: a subscript of
    both is the same function of the loop's variable, or the loop is around all of the statements,
    whose memory is then set anew in each of its iterations.
    """
    common = set.intersection(*({r.name for r in s.loops} for s, _ in own))
    for (before, first), (after, second) in pairwise(own):
        shared = {r.name for r in before.loops} & {r.name for r in after.loops}
        for name in shared - common:
            places = [k for k, s in enumerate(first) if list(s.terms) == [name]]
            if not any(first[place] == second[place] for place in places):
                text = f"{before.tensor} is computed again in each iteration of a loop"
                raise NotAContraction(text, after.store.at)
