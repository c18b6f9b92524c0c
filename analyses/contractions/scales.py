"""What sums of a contraction are multiplied by before they are shifted."""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.contractions.values import Element, Value
from s2s.scop.contraction import Access, NotAContraction, Scale
from s2s.scop.expressions import INT32


def with_late_number(value: Value) -> Value:
    """A value whose sum starts with an element and a number: the number is added in the end.

    As ``sum * 1 + number``, before the shift. Half of what the shift drops may stay.
    """
    form = value.form
    half = 1 << form.shift >> 1
    if not value.loads or form.constant in (0, half) or value.accumulator != INT32:
        return value
    if value.factor is not None or form.bits is not None or isinstance(form.constant, float):
        return value
    late = replace(form, constant=0, late=form.constant, multiplied=INT32, is_narrow=True)
    return replace(value, factor=Element("", INT32, (), literal=1), form=late)


def scale_of(value: Value, factor: Access) -> Scale:
    """How a value's sum is multiplied. Raises NotAContraction."""
    form = value.form
    one_side = (form.low is None) != (form.high is None)
    if one_side and not form.is_narrow:
        raise NotAContraction("a product of 64 bits is limited on one side only")
    if form.constant and value.loads:
        raise NotAContraction("the sum that is multiplied starts with more than one value")
    is_distance = value.factor is not None and value.factor.is_distance
    return Scale(factor, form.late, form.multiplied == INT32 and not is_distance, is_distance)
