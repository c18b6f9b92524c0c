"""Designs for the array: every table of Setter's dissertation about them, measured again.

A design is compiled as ``s2s transform --target clockwork`` does, and its files run on the machine
amber; cycles, PEs and memories are those that the run counted. What was measured is remembered, so
that a run that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.accelerators import tables
from s2s.bench.accelerators.description import Design, read
from s2s.bench.accelerators.lines import count_lines
from s2s.bench.accelerators.metrics import Row
from s2s.bench.accelerators.tuned import tuned
from s2s.bench.records import Record
from s2s.bench.suite import Request, Suite
from s2s.driver.designs import Steps, steps
from s2s.source.output import write_file
from s2s.tuning.clockwork.measured import FAILURES
from s2s.tuning.clockwork.store import Store
from s2s.tuning.settings import default_cache

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_TIMES = 4
"""How often the frontend of a design is timed whose seconds are a point of a curve."""


class Accelerators(Suite[Design, Row]):
    """All designs, or those that were asked for by name, source, or number of a table."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.description = read()
        self.cases = self.description.chosen(request.only)
        figures = (f for f in self.description.figures if f.y == "frontend_seconds")
        self.timed = frozenset(name for figure in figures for name in figure.designs)
        self.store = Store(default_cache())
        self.compare = request.size != "small"
        self.setting = report.machine_setting(
            machine="amber (simulators/amber/amber.toml)",
            runs="cycles simulated, outputs compared with the program order; compiled once",
            s2s=s2s.__version__,
        )

    def measure(self, case: Design, folder: Path) -> Iterator[Row]:
        if case.search:
            yield tuned(case, self.request.size, self.store, self.request.search_seconds)
            return
        made = self._steps(case)
        found = self.store.measured(made)
        if case.name in self.timed and found.is_good:
            again = (self._frontend_seconds(case) for _ in range(_TIMES - 1))
            found = replace(found, frontend_seconds=min(found.frontend_seconds, *again))
        yield Row(case, found, count_lines(case.path))
        if self.request.out:
            _keep(made, folder / case.name)

    def _steps(self, case: Design) -> Steps:
        return steps(
            str(case.path), case.path.read_bytes(), case.parameters(self.request.size),
            sharing=case.sharing, memory=case.memory,
        )  # fmt: skip

    def _frontend_seconds(self, case: Design) -> float:
        made = self._steps(case)
        _ = made.program
        return made.seconds["frontend"]

    def text(self, rows: Sequence[Row]) -> str:
        legend = "\n".join(report.legend(self.setting))
        found = {row.name: row for row in rows}
        return f"{tables.render(self.description, found, compare=self.compare)}\n\n{legend}"

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        found = {row.name: row for row in rows}
        return tables.records(self.description, found, compare=self.compare)

    def figure(self, rows: Sequence[Row]) -> Figure:
        from s2s.bench.accelerators.plots import draw

        return draw(self.description, {row.name: row for row in rows})

    def is_good(self, rows: Sequence[Row]) -> bool:
        return all(row.measured.is_good for row in rows)


suite = Accelerators


def _keep(made: Steps, folder: Path) -> None:
    """The files of a design, where there are any."""
    try:
        files = made.files
    except FAILURES:
        return
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        write_file(str(folder / name), text.encode())
