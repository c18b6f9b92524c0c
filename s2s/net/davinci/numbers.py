"""Numbers of a machine, for those who choose by them."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.simulators.davinci.machine import load


def numbers_of(machine: str) -> Mapping[str, float]:
    """The machine's numbers by their names."""
    return {name: number.value for name, number in load(machine).numbers.items()}
