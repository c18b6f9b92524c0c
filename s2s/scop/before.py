"""Which instances of a statement come before which ones of another.

In a loop with many statements all pairs of them have one of three answers, but for the names: times
differ in numbers, of which only the order matters.
"""

from __future__ import annotations

import islpy as isl

from s2s.scop.fixed import Fixed, fixed_outputs
from s2s.scop.remembered import remembered
from s2s.source.records import dataclass

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out
_KEPT = 4_096


@dataclass(frozen=True)
class _Times:
    """The times of a statement: ``fixed`` are the numbers among their entries, which are left open
    in ``shape``, a map without names; ``text`` says what it is, with names of iterators.
    """

    text: str
    shape: isl.Map
    fixed: Fixed

    def at(self, numbers: Fixed) -> isl.Map:
        """The times with other numbers."""
        shape = self.shape
        for position, number in enumerate(numbers):
            if number is not None:
                shape = shape.fix_val(_OUT, position, isl.Val(number))
        return shape


_Key = tuple[str, str, Fixed, Fixed]
_known: dict[_Key, isl.Map] = {}


@remembered
def before(first: isl.Map, of_first: isl.Set, second: isl.Map, of_second: isl.Set) -> isl.Map:
    """Pairs of instances of two domains in the order of their times, ``first`` and ``second``."""
    left, right = _times(first, of_first), _times(second, of_second)
    pairs = [_in_order(a, b) for a, b in zip(left.fixed, right.fixed, strict=True)]
    key = left.text, right.text, tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    found = _known.get(key)
    if found is None:
        if len(_known) >= _KEPT:
            _known.clear()
        found = _known[key] = left.at(key[2]).lex_lt_map(right.at(key[3])).coalesce()
    names = of_first.get_tuple_name(), of_second.get_tuple_name()
    return found.set_tuple_name(_IN, names[0]).set_tuple_name(_OUT, names[1])


@remembered
def _times(times: isl.Map, domain: isl.Set) -> _Times:
    fixed = fixed_outputs(times)
    shape = times.intersect_domain(domain).set_tuple_name(_IN, "S")
    for position, number in enumerate(fixed):
        if number is not None:
            shape = shape.project_out(_OUT, position, 1).insert_dims(_OUT, position, 1)
    return _Times(f"{shape}", shape, fixed)


def _in_order(one: int | None, other: int | None) -> tuple[int | None, int | None]:
    """Two numbers as small as their order allows; one alone says where it lies among others."""
    if one is None or other is None:
        return one, other
    return int(one > other), int(one < other)
