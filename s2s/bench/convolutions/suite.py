"""Convolutions for the AI Engine: the tuner's choice for each, the published figure beside it.

With ``--published`` only the factors of unroll-and-jam are chosen in the schedules that the paper
publishes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.bench import report
from s2s.bench.convolutions import tables
from s2s.bench.convolutions.rows import Row, records
from s2s.bench.convolutions.workloads import Workload, read
from s2s.bench.records import Record
from s2s.bench.suite import Request, Suite, choose
from s2s.source.diagnostics import UserError
from s2s.source.output import write_file
from s2s.tuning.aie.measured import kernel_text, source_lines
from s2s.tuning.aie.published import choice
from s2s.tuning.aie.search import Plan, Search
from s2s.tuning.aie.store import Store
from s2s.tuning.settings import default_cache

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Convolutions(Suite[Workload, Row]):
    """All workloads, or those that were asked for by name, group or type."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.plan = request.search or Plan()
        self.store = Store(default_cache())
        self.workloads = read()
        every = self.workloads.workloads
        names = dict.fromkeys(name for w in every for name in (w.name, w.group, w.type))
        only = set(choose("workload", list(names), request.only))
        chosen = [w for w in every if {w.name, w.group, w.type} & only]
        self.cases = [w for w in chosen if w.schedule is not None or not request.published]
        search = (
            f"effort {self.plan.effort} for each workload, at most {self.plan.seconds:g} seconds"
        )
        self.setting = {
            "date": report.now(),
            "machine": "model of the first AI Engine (simulators/aie/timing/aie1.toml)",
            "search": "all factors of the published schedules" if request.published else search,
        }

    def measure(self, case: Workload, folder: Path) -> Iterator[Row]:
        row = Row(case)
        if self.request.published:
            contraction = case.from_halide().contraction
            row.macs = contraction.macs
            assert case.schedule is not None
            row.published = choice(Search(contraction, self.plan, self.store), case.schedule)
        else:
            self._tune(row)
        if self.request.out and row.best is not None:
            text = kernel_text(case.from_halide().contraction, row.best[0])
            write_file(str(folder / f"{case.name}-{case.type}.cc"), text.encode())
        yield row

    def _tune(self, row: Row) -> None:
        workload = row.workload
        row.halide_lines = source_lines(workload.source.halide.read_text())
        try:
            contraction = workload.from_halide().contraction
            row.same = workload.from_c().contraction == contraction
        except UserError as error:
            row.note = "; ".join(d.text for d in error.diagnostics)
            return
        row.macs = contraction.macs
        search = Search(contraction, self.plan, self.store)
        row.tried = search.run()
        row.best = next(iter(row.tried), None)
        if row.best is None:
            failed = (m.failure for _, m in search.found.values() if not m.is_passed_over)
            row.note = "; ".join(reason for reason, _ in Counter(failed).most_common(2))
        if workload.schedule is not None:
            again = Search(contraction, self.plan, self.store)
            row.published = choice(again, workload.schedule)

    def text(self, rows: Sequence[Row]) -> str:
        if self.request.published:
            return tables.agreement(rows)
        return tables.render(rows, self.workloads)

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        return records(rows, self.workloads)

    def figure(self, rows: Sequence[Row]) -> Figure:
        from s2s.bench.convolutions.plots import draw

        return draw(rows)

    def is_good(self, rows: Sequence[Row]) -> bool:
        if self.request.published:
            return True
        return not any(row.measured is None or not row.same for row in rows)


suite = Convolutions
