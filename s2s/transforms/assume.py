"""Assumptions that the new code checks when it runs, with the source's own code as the fallback."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.nodes import Scop
from s2s.transforms.errors import NotApplicable

# Each pair costs a comparison before the region; more than this is not worth the code.
_MOST_PAIRS = 10


def assume_disjoint(scop: Scop) -> Scop:
    """Take arrays whose addresses can be compared for disjoint.

    ::

        for ...: a[..] = b[..]        if (a and b do not overlap) for ...; else the source's text

    Raises NotApplicable where no pair of arrays that may alias can be compared.
    """
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    pairs = {
        pair for pair in scop.may_alias
        if len(pair) == 2 and pair & written and all(scop.arrays[n].base for n in pair)
    }  # fmt: skip
    if not pairs:
        raise NotApplicable(scop.span, "no arrays whose addresses could be compared")
    if len(pairs) > _MOST_PAIRS:
        raise NotApplicable(scop.span, f"{len(pairs)} pairs of arrays may alias")
    return replace(scop, may_alias=scop.may_alias - pairs, checked=frozenset(pairs))
