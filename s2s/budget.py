"""A limit on the polyhedral work for one region."""

from __future__ import annotations

import islpy as isl

# isl counts elementary operations; a region that needs more than this stays as it is.
_OPERATIONS = 12_000_000


class budget:
    """Limits isl's work within a ``with``; past it isl raises."""

    def __enter__(self) -> None:
        context = isl.DEFAULT_CONTEXT
        self._around = context.get_max_operations()
        context.reset_operations()
        context.set_max_operations(_OPERATIONS)

    def __exit__(self, *_: object) -> None:
        isl.DEFAULT_CONTEXT.reset_operations()
        isl.DEFAULT_CONTEXT.set_max_operations(self._around)


def is_over(problem: isl.Error) -> bool:
    """Whether isl stopped because of the limit."""
    return "operations" in str(problem)
