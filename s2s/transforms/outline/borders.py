"""What is done to arrays where they cross to a device: layout, narrower integers, padding.

Section 3.2 of *Bring Your Own Codegen*. A pass adds steps to a region's arguments; on the way to
the device they are taken in their order, on the way back the other way round::

    function = quantize(function, "x", "int8")
    function = quantize(function, "y", "int32", scale=("x", "w"))
    function = change_layout(function, "x", "NCHW", "NC1HWC0", c0=16)

``s2s.simulators.devices.borders`` carries them out beside the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from s2s.transforms.outline.table import Function, Refused

LETTERS = frozenset("NCHWDKRS")


def change_layout(function: Function, name: str, have: str, want: str, c0: int = 0) -> Function:
    """An argument in another order of dimensions, each a letter; ``C1`` and ``C0`` are of C.

    C1 are groups of ``c0`` channels, the last one filled up with zeros. Raises Refused where the
    letters do not go together or are not as many as the argument has dimensions.
    """
    blocked = "C1" in want
    plain = want.replace("C1", "C").replace("C0", "") if blocked else want
    if sorted(plain) != sorted(have) or not set(have) <= LETTERS or (blocked and c0 < 1):
        raise Refused(f"'{want}' is no layout of what is '{have}'")
    extents = next(a.extents for a in function.arguments if a.name == name)
    if len(extents) != len(have):
        raise Refused(f"'{name}' has {len(extents)} dimensions, not those of '{have}'")
    return _add(function, name, {"step": "layout", "have": have, "want": want, "c0": c0})


def quantize(
    function: Function,
    name: str,
    type: str,
    scale: float | Sequence[str] | None = None,
    bits: int = 0,
) -> Function:
    """An argument as integers of a type, ``round(value / scale)``, and back.

    ``bits`` are those that are used, with the sign's (0: all of the type). Without a ``scale`` it
    is the smallest with which the largest element fits, looked for in each call; with names it is
    the product of these arguments' scales, as for sums of products.
    """
    given: Any = list(scale) if isinstance(scale, Sequence) else scale
    return _add(function, name, {"step": "quantize", "type": type, "scale": given, "bits": bits})


def pad(function: Function, name: str, widths: Sequence[tuple[int, int]]) -> Function:
    """An argument with zeros before and after it, in each dimension."""
    return _add(function, name, {"step": "pad", "widths": [list(pair) for pair in widths]})


def pad_to_multiple(function: Function, name: str, multiples: Sequence[int]) -> Function:
    """An argument with zeros after it, so that extents are multiples of what a device wants."""
    extents = next(a.extents for a in function.arguments if a.name == name)
    widths = [(0, -extent % multiple) for extent, multiple in zip(extents, multiples, strict=True)]
    return pad(function, name, widths)


def _add(function: Function, name: str, step: dict[str, Any]) -> Function:
    known = function.borders.get(name, ())
    return replace(function, borders={**function.borders, name: (*known, step)})
