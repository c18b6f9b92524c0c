"""Other forms of a region, for when no pass takes it as the source has it.

Each of them computes the same and has dependences of its own. A form is made when it is asked for:
most regions need none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from s2s.analyses.region import Analysis, analyse
from s2s.frontends.c.lift import NotLiftable
from s2s.frontends.c.regions import Attempt
from s2s.scop.nodes import Scop
from s2s.source import SourceBuffer
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.contract import contract_all
from s2s.transforms.errors import NotApplicable
from s2s.transforms.localize import localize
from s2s.transforms.repeats import without_repeats


def other_forms(
    attempt: Attempt, merged: Scop, buffer: SourceBuffer, *, explicit: bool
) -> Iterator[Analysis]:
    """A region's other forms; ``merged`` is the first one, ``explicit`` as in ``analyse``.

    Private scalars in elements or arrays; statements guarded by conditions on data; repeated sweeps
    left out; elements in locals.
    """
    if any(s.opaque for s in merged.statements):
        with suppress(NotLiftable):
            yield analyse(contract_all(attempt.again().scop(apart=True)), explicit=explicit)
    if attempt.lifter.guardable:
        with suppress(NotLiftable):
            yield analyse(attempt.again(guarding=True).scop(), explicit=explicit)
    if max(s.depth for s in merged.statements) > 1:
        for change in (without_repeats, partial(localize, source=buffer.text)):
            changed = _changed(merged, change)
            if changed is not None:
                yield analyse(changed, explicit=explicit)


def _changed(scop: Scop, change: Callable[[Scop], Scop]) -> Scop | None:
    """A region changed in a way that needs no schedule, with arrays taken for disjoint if that is
    what it takes; None where it cannot be changed.
    """
    with suppress(NotApplicable):
        return change(scop)
    with suppress(NotApplicable):
        return change(assume_disjoint(scop))
    return None
