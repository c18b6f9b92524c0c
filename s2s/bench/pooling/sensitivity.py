"""What the paper's figures hang on: each number of a machine 20 % smaller and larger.

Counted by the cost model and not simulated: all instructions one after another, as these programs'
flags make them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from s2s.bench.pooling.layers import Layer, layers
from s2s.bench.tables import table
from s2s.scop.cce import Program
from s2s.transforms.davinci.backward import PAPER as BACKWARD
from s2s.transforms.davinci.choose import make
from s2s.transforms.davinci.cost import estimate
from s2s.transforms.davinci.ways import PAPER as FORWARD

CHANGE = 0.2
_HEAD = ("number", "", "of", "forward", "with mask", "backward", "other variant is the fastest")


@dataclass
class _Known(Mapping[str, float]):
    """Numbers by name; ``used`` are those that somebody has asked for."""

    given: Mapping[str, float]
    used: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> float:
        self.used.add(name)
        return self.given[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)


Programs = Mapping[Layer, Mapping[str, Program]]


def sensitivity_tables(machines: Sequence[str]) -> Iterator[str]:
    """A table for each machine."""
    from s2s.simulators.davinci.machine import load

    programs = _programs()
    for machine in machines:
        chip = load(machine)
        known = _Known({name: number.value for name, number in chip.numbers.items()})
        base = _figures(programs, known)
        rows = [("as it is", "", "", *_words(base, base, programs))]
        for name in sorted(known.used):
            status = chip.numbers[name].status
            for sign in (-1, 1):
                value = known.given[name] * (1 + sign * CHANGE)
                figures = _figures(programs, {**known.given, name: value})
                change = f"{100 * sign * CHANGE:+.0f} %"
                rows.append((name, status, change, *_words(figures, base, programs)))
        title = f"{machine}: speedups at 147 x 147 x 64 by the cost model, each number changed"
        yield table(_HEAD, rows, title=title, left=(0, 1, 6))


def _programs() -> Programs:
    """The paper's variants of the layers of which it says something."""
    found: dict[Layer, dict[str, Program]] = {}
    for layer in layers():
        if layer.published or layer.fastest:
            names: tuple[str, ...] = BACKWARD if layer.operation == "backward" else FORWARD
            if not layer.fastest:
                names = tuple(n for n in names if n in ("standard", layer.by))
            found[layer] = {name: make(layer.pooling(), name) for name in names}
    return found


def _figures(programs: Programs, numbers: Mapping[str, float]) -> Mapping[Layer, dict[str, float]]:
    """Cycles of each variant of each layer."""
    return {
        layer: {name: estimate(program, numbers) for name, program in made.items()}
        for layer, made in programs.items()
    }


def _words(
    figures: Mapping[Layer, dict[str, float]],
    base: Mapping[Layer, dict[str, float]],
    programs: Programs,
) -> Iterator[str]:
    """The speedups, and where another variant is the fastest than with the machine's numbers."""
    for layer in programs:
        if layer.published:
            cycles = figures[layer]
            yield f"{cycles['standard'] / cycles[layer.by]:.2f}"
    flips = []
    for layer in programs:
        if layer.fastest:
            fastest = min(figures[layer], key=lambda name: figures[layer][name])
            if fastest != min(base[layer], key=lambda name: base[layer][name]):
                flips.append(f"{layer.name}: {fastest}")
    yield ", ".join(flips) or "-"
