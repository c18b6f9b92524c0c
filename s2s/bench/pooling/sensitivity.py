"""What the paper's figures hang on: each number of a machine 20 % smaller and larger, simulated.

A kernel runs once; its times are counted for all numbers together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from s2s.bench.pooling.layers import Layer, layers
from s2s.bench.pooling.simulated import simulate
from s2s.bench.tables import table
from s2s.transforms.davinci.backward import PAPER as BACKWARD
from s2s.transforms.davinci.choose import make
from s2s.transforms.davinci.ways import PAPER as FORWARD

CHANGE = 0.2
_HEAD = ("number", "", "of", "forward", "with mask", "backward", "other variant is the fastest")

Cycles = Mapping[Layer, Mapping[str, Any]]
"""For each variant of a layer an array: cycles with each setting."""


def sensitivity_tables(machines: Sequence[str], small: bool = False) -> Iterator[str]:
    """A table for each machine; ``small``: of small layers."""
    from s2s.simulators.davinci.machine import load

    for machine in machines:
        chip = load(machine)
        changes = [(name, sign * CHANGE) for name in chip.times for sign in (-1, 1)]
        settings = [{}, *({name: chip[name] * (1 + by)} for name, by in changes)]
        cycles = _cycles(chip.sweep(settings), small)
        rows = [("as it is", "", "", *_words(cycles, 0))]
        for k, (name, by) in enumerate(changes, 1):
            if any((found[k] != found[0]).any() for found in _each(cycles)):
                row = (name, chip.numbers[name].status, f"{100 * by:+.0f} %", *_words(cycles, k))
                rows.append(row)
        title = f"{machine}: speedups at 147 x 147 x 64, each number changed"
        yield table(_HEAD, rows, title=title, left=(0, 1, 6))


def _each(cycles: Cycles) -> Iterator[Any]:
    for variants in cycles.values():
        yield from variants.values()


def _cycles(chip: Any, small: bool) -> Cycles:
    """Of the paper's variants of the layers of which it says something."""
    found: dict[Layer, dict[str, Any]] = {}
    published = layers()
    for layer, ran in zip(published, layers(small), strict=True):
        if layer.published or layer.fastest:
            names: tuple[str, ...] = BACKWARD if layer.operation == "backward" else FORWARD
            if not layer.fastest:
                names = tuple(n for n in names if n in ("standard", layer.by))
            programs = {name: make(ran.pooling(), name) for name in names}
            found[layer] = {name: simulate(p, chip).cycles for name, p in programs.items()}
    return found


def _words(cycles: Cycles, k: int) -> Iterator[str]:
    """The speedups, and where another variant is the fastest than with the machine's numbers."""
    for layer, found in cycles.items():
        if layer.published:
            yield f"{found['standard'][k] / found[layer.by][k]:.2f}"
    flips = []
    for layer, found in cycles.items():
        if layer.fastest:
            first, fastest = (min(found, key=lambda name: found[name][at]) for at in (0, k))
            if fastest != first:
                flips.append(f"{layer.name}: {fastest}")
    yield ", ".join(flips) or "-"
