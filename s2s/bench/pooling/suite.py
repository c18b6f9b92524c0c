"""Pooling on the simulated core: Figures 7 and 8 of the paper again, and all of its Table I.

Every variant's text runs on the simulator, on both machine files; the slowest core counts, and that
is the first one, which has as many planes as any. Outputs of all variants have to be equal. The
figures of ``ascend910-paper`` were in part fitted to the published ones; those of
``ascend910-documented`` are what follows from public numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.pooling.layers import Layer, layers
from s2s.bench.pooling.sensitivity import sensitivity_tables
from s2s.bench.pooling.simulated import simulate
from s2s.bench.records import Record
from s2s.bench.suite import Request, Suite, choose
from s2s.bench.tables import table
from s2s.source.records import dataclass
from s2s.transforms.davinci.backward import MERGES
from s2s.transforms.davinci.choose import make_all
from s2s.transforms.davinci.ways import OURS, WAYS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from s2s.scop.cce import Program
    from s2s.simulators.davinci.machine import Chip

MACHINES = ("ascend910-documented", "ascend910-paper")


@dataclass(frozen=True)
class Row:
    """Cycles of a variant of a layer; None with the reason where there is no program.

    ``standard`` are those of the paper's baseline, ``chosen``: it is what "auto" takes.
    """

    layer: Layer
    machine: str
    variant: str
    cycles: float | None
    standard: float | None
    chosen: bool
    equal: bool
    note: str = ""

    @property
    def speedup(self) -> float | None:
        """How many times as fast as the baseline."""
        return self.standard / self.cycles if self.standard and self.cycles else None

    @property
    def published(self) -> float | None:
        """The paper's speedup of this variant."""
        return self.layer.published if self.variant == self.layer.by else None

    @property
    def is_ours(self) -> bool:
        """Whether the paper does not have the variant."""
        return self.variant in OURS


class PoolingLayers(Suite[Layer, Row]):
    """The layers that were asked for, by name."""

    def __init__(self, request: Request) -> None:
        every = layers(request.size == "small")
        names = choose("layer", [one.name for one in every], request.only)
        self.cases = [one for one in every if one.name in names]
        self.request = request
        self.setting = report.machine_setting(
            machine=" and ".join(f"{name} (simulated)" for name in MACHINES),
            runs="cycles of the simulated core, one run each",
            s2s=s2s.__version__,
        )

    def measure(self, case: Layer, folder: Path) -> Iterator[Row]:
        from s2s.simulators.davinci.machine import load

        for machine in MACHINES:
            rows = list(_rows(case, load(machine), folder if self.request.out else None))
            standard = next((r.cycles for r in rows if r.variant == "standard"), None)
            for row in rows:
                yield Row(
                    row.layer, row.machine, row.variant, row.cycles, standard, row.chosen,
                    row.equal, row.note,
                )  # fmt: skip

    def text(self, rows: Sequence[Row]) -> str:
        parts = []
        for machine in MACHINES:
            found = [row for row in rows if row.machine == machine]
            parts.append(table(_HEAD, map(_words, found), title=machine, left=(0, 1, 6)))
        legend = "\n".join(report.legend(self.setting))
        small = self.request.size == "small"
        tables = [] if self.request.only else ["", *sensitivity_tables(MACHINES, small)]
        return "\n".join([*parts, *_verdicts(rows), *_comparisons(rows), *tables, "", legend])

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        for row in rows:
            case = f"{row.layer.name} on {row.machine}"
            note = row.note or _note(row)
            yield Record(
                suite="davinci", case=case, variant=row.variant, metric="cycles",
                value=row.cycles, unit="core cycles", note=note,
            )  # fmt: skip
            yield Record(
                suite="davinci", case=case, variant=row.variant, metric="speedup",
                value=row.speedup, unit="times standard", published=row.published, note=note,
            )  # fmt: skip

    def figure(self, rows: Sequence[Row]) -> Figure:
        from s2s.bench.pooling.plots import draw

        return draw(rows, self.setting)

    def is_good(self, rows: Sequence[Row]) -> bool:
        return all(row.equal for row in rows)


suite = PoolingLayers

_HEAD = ("layer", "variant", "cycles", "ticks", "speedup", "published", "")


def _rows(layer: Layer, chip: Chip, folder: Path | None) -> Iterator[Row]:
    """Each variant of a layer, in the order of the paper and then ours."""
    numbers = {name: number.value for name, number in chip.numbers.items()}
    made = {one.variant: one for one in make_all(layer.pooling(), numbers)}
    best = next(iter(made))
    wanted = None
    for variant in MERGES if layer.operation == "backward" else WAYS:
        program = made[variant].program
        if program is None:
            yield Row(layer, chip.name, variant, None, None, False, True, made[variant].reason)
            continue
        cycles, output = _run(program, chip, folder and folder / f"{layer.name}-{variant}.cce.c")
        wanted = output if wanted is None else wanted
        yield Row(layer, chip.name, variant, cycles, None, variant == best, output == wanted)


def _run(program: Program, chip: Chip, path: Path | None) -> tuple[float, bytes]:
    """Cycles of the first core, and what it leaves."""
    done = simulate(program, chip, path)
    outputs = {a.name for a in program.arguments if a.is_output}
    return done.cycles, b"".join(a.bytes.tobytes() for a in done.arrays if a.name in outputs)


def _words(row: Row) -> tuple[str, ...]:
    ticks = "-" if row.cycles is None else f"{row.cycles / 10:,.0f}"
    return (
        row.layer.name,
        row.variant,
        "-" if row.cycles is None else f"{row.cycles:,.0f}",
        ticks,
        "-" if row.speedup is None else f"{row.speedup:.2f}",
        "-" if row.published is None else f"{row.published:.1f}",
        row.note or _note(row),
    )


def _note(row: Row) -> str:
    words = ["not in the paper"] if row.is_ours else []
    words += ["auto"] if row.chosen else []
    return ", ".join(words + ([] if row.equal else ["OUTPUTS DIFFER"]))


def _verdicts(rows: Sequence[Row]) -> Iterator[str]:
    """Which of the paper's statements hold."""
    for machine in MACHINES:
        for layer in dict.fromkeys(row.layer for row in rows if row.layer.fastest):
            own = [
                r for r in rows
                if r.layer == layer and r.machine == machine and not r.is_ours and r.cycles
            ]  # fmt: skip
            first = min(own, key=lambda r: r.cycles or 0.0).variant if own else "none"
            agrees = "as published" if first == layer.fastest else f"published: {layer.fastest}"
            said = f"{first} is the fastest of the paper's variants ({agrees})"
            yield f"{machine}, {layer.name}: {said}"


def _comparisons(rows: Sequence[Row]) -> Iterator[str]:
    """How what "auto" takes compares with the best variant of the paper."""
    for machine in MACHINES:
        gains = []
        for layer in dict.fromkeys(row.layer for row in rows):
            own = [r for r in rows if r.layer == layer and r.machine == machine and r.cycles]
            paper = min((r.cycles or 0.0 for r in own if not r.is_ours), default=0.0)
            chosen = next((r.cycles for r in own if r.chosen), None)
            if chosen and paper:
                gains.append((paper / chosen, layer.name))
        if gains:
            slower = [name for gain, name in gains if gain < 1]
            yield (
                f"{machine}: auto is {min(gains)[0]:.2f} to {max(gains)[0]:.2f} times as fast as "
                f"the paper's best variant of {len(gains)} layers; "
                f"slower: {', '.join(slower) or 'none'}"
            )
