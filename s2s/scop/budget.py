"""A limit on the polyhedral work for one region, and for all regions of a file.

isl counts its elementary operations, so what is given up does not depend on how busy a machine is.
"""

from __future__ import annotations

import islpy as isl

from s2s.scop.allowance import REGION, Allowance

# How exactly used operations are counted.
_GRAIN = 2_000


class budget:
    """Limits isl's work within a ``with``, taken from an ``allowance``; past it isl raises.

    No generator may yield within: whoever it yields to would work under the limit, and for good if
    the generator never goes on.
    """

    def __init__(self, allowance: Allowance | None = None) -> None:
        self._allowance = allowance

    def __enter__(self) -> None:
        context = isl.DEFAULT_CONTEXT
        self._around = context.get_max_operations()
        self._limit = REGION if self._allowance is None else self._allowance.limit
        context.reset_operations()
        context.set_max_operations(self._limit)

    def __exit__(self, *_: object) -> None:
        if self._allowance is not None:
            self._allowance.left -= _used(self._limit)
        isl.DEFAULT_CONTEXT.reset_operations()
        isl.DEFAULT_CONTEXT.set_max_operations(self._around)


def is_over(problem: isl.Error) -> bool:
    """Whether isl stopped because of the limit, asked for within it.

    A text that isl could not read to its end for the limit is a syntax error to it.
    """
    return "operations" in str(problem) or _is_refused()


def _used(limit: int) -> int:
    """About how many operations isl has counted, at most ``limit``.

    isl does not tell; but it refuses the next one where its limit is not above the count.
    """
    least, most = 0, limit
    while most - least > _GRAIN:
        middle = (least + most) // 2
        isl.DEFAULT_CONTEXT.set_max_operations(middle)
        if _is_refused():
            least = middle
        else:
            most = middle
    return most


def _is_refused() -> bool:
    try:
        isl.Set("{ [0] }")
    except isl.Error:
        return True
    return False
