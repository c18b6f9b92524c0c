"""Sums of names times numbers, as text."""

from __future__ import annotations

from collections.abc import Iterable


def print_sum(terms: Iterable[tuple[str, int]], constant: int) -> str:
    """``2*y - x + 1``: names with their coefficients, and a constant."""
    text = ""
    for name, c in terms:
        term = name if abs(c) == 1 else f"{abs(c)}*{name}"
        text += (" - " if c < 0 else " + ") + term if text else ("-" if c < 0 else "") + term
    if constant or not text:
        sign = " - " if constant < 0 else " + "
        text = f"{text}{sign}{abs(constant)}" if text else str(constant)
    return text
