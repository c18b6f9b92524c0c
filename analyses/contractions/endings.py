"""What statements do to a sum at its end: add, multiply, shift and limit."""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.contractions.elements import element_of, factor_of
from s2s.analyses.contractions.forms import Sum
from s2s.analyses.contractions.scaling import added_later, combined_products, converted_later
from s2s.analyses.contractions.statements import AffineStore
from s2s.analyses.contractions.values import Value
from s2s.scop.contraction import NotAContraction
from s2s.source import Span


def combined(statement: AffineStore, inner: Value, outer: Sum) -> Value:
    """The value of a statement that adds to a sum, shifts and limits it."""
    form, where = inner.form, statement.store.at
    if form.is_finished and outer.constant and not outer.loads:
        form = added_later(form, outer.constant) or form
        outer = outer if form is inner.form else replace(outer, constant=0)
    if form.is_finished and (outer.constant or outer.loads):
        raise NotAContraction("something is added after a shift or a limit", where)
    limited = form.low is not None or form.high is not None
    if outer.shift and limited:
        raise NotAContraction("a shift after a limit", where)
    if outer.scale is not None and (limited or form.scale is not None):
        raise NotAContraction("a sum of floats is multiplied twice or after a limit", where)
    if inner.accumulator.is_float:
        ends = () if outer.last is None else (element_of(outer.last, statement),)
        return replace(inner, loads=inner.loads + ends, form=_finished(form, outer, where))
    form, outer = converted_later(form, outer, statement.value.type)
    if form.bits is not None and (outer.low is not None or outer.high is not None):
        raise NotAContraction("a sum that may have wrapped is limited", where)
    shifted = None if form.bits is None else form.bits - outer.shift
    try:
        scaled = combined_products(form, outer)
    except NotAContraction as error:
        raise NotAContraction(error.reason, where) from None
    whole = replace(
        scaled,
        constant=outer.constant + form.constant,
        shift=outer.shift + form.shift,
        bits=min((b for b in (shifted, outer.bits) if b is not None), default=None),
        low=max((v for v in (form.low, outer.low) if v is not None), default=None),
        high=min((v for v in (form.high, outer.high) if v is not None), default=None),
    )
    more = tuple(element_of(load, statement) for load in outer.loads)
    factor = inner.factor if outer.factor is None else factor_of(outer, statement)
    return replace(inner, loads=inner.loads + more, form=whole, factor=factor)


def _finished(form: Sum, outer: Sum, where: Span | None) -> Sum:
    """A sum of floats with what is done to it at its end."""
    added = outer.loads or outer.products or isinstance(outer.constant, float)
    if added or (outer.last is not None and form.is_finished):
        raise NotAContraction("something is added after a sum of floats has ended", where)
    pairs = (form.low, outer.low), (form.high, outer.high)
    if any(a is not None and b is not None for a, b in pairs):
        raise NotAContraction("a sum of floats is limited twice", where)
    low = form.low if outer.low is None else outer.low
    high = form.high if outer.high is None else outer.high
    scale = form.scale if outer.scale is None else outer.scale
    last = form.last if outer.last is None else outer.last
    return replace(form, low=low, high=high, scale=scale, last=last)
