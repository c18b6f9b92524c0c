"""Which loops in a file's text the chosen passes want to see: the first look, before any syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.driver.passes import name_of
from s2s.frontends.c.sketch import Loop, is_copy, is_nest, may_gain


def wanted(specs: Sequence[str]) -> Callable[[Loop], bool]:
    """Which loops in a function's text make it worth looking at its syntax."""
    looks = [is_nest]
    if vectorizes(specs):
        looks.append(may_gain)
    if any(name_of(spec) == "forward" for spec in specs):
        looks.append(is_copy)
    return lambda loop: any(look(loop) for look in looks)


def vectorizes(specs: Sequence[str]) -> bool:
    """Whether a pass is asked for that works on loops which are no nests."""
    return any(name_of(spec) in ("polysimd", "rotate", "idioms") for spec in specs)
