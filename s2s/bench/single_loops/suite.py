"""Single loops of one file: each, original against transformed, for several compilers."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.descriptions import bench_error
from s2s.bench.programs.trial import COMPARISON_FLAGS
from s2s.bench.records import Record
from s2s.bench.single_loops import description, figures, tables
from s2s.bench.single_loops.result import LoopResult, records
from s2s.bench.single_loops.trial import ALWAYS, DEFAULT_FLAGS, FAST, Trial, Variant, variants
from s2s.bench.suite import Request, Suite, choose
from s2s.tuning.measure import MeasurementError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class SingleLoops(Suite[Variant, LoopResult]):
    """All loops that were asked for, with each compiler that is installed."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.loops = description.find(request.roots, request.suites[0])
        choose("loop", self.loops.loops, request.only)
        self.cases = variants(_installed((request.compiler or "gcc,clang").split(",")))
        self.setting = self._setting()
        sweeps = f"-DSWEEPS={self.loops.sweeps[request.size]}"
        self.rows = figures.rows(self.loops, (*request.given_flags(DEFAULT_FLAGS), sweeps))

    def measure(self, case: Variant, folder: Path) -> Iterable[LoopResult]:
        try:
            yield from Trial(self.loops, case, self.request, folder / case.name).results()
        except MeasurementError as error:
            print(f"s2s bench: {case.name}: {error}", file=sys.stderr)

    def text(self, rows: Sequence[LoopResult]) -> str:
        return tables.render(rows, self.rows, self.loops, self.setting)

    def records(self, rows: Sequence[LoopResult]) -> Iterator[Record]:
        yield from figures.records(self.loops, self.rows, rows)
        yield from records(rows)

    def figure(self, rows: Sequence[LoopResult]) -> Figure:
        from s2s.bench.single_loops.plots import draw

        return draw(rows, self.setting)

    def is_good(self, rows: Sequence[LoopResult]) -> bool:
        measured = {row.variant for row in rows} == {variant.name for variant in self.cases}
        return measured and not any(row.outcome.is_bad for row in rows)

    def _setting(self) -> report.Setting:
        request, loops = self.request, self.loops
        compilers = dict.fromkeys(variant.compiler for variant in self.cases)
        options = ["s2s", "transform", "--compiler", "COMPILER", *request.options]
        return report.machine_setting(
            {"suite": f"{loops.name}: {loops.about}"},
            compilers="; ".join(f"{c}: {report.compiler_version(c)}" for c in compilers),
            flags=shlex.join((*request.given_flags(DEFAULT_FLAGS), *ALWAYS)),
            variants=f"with {FAST}; -ieee: without",
            comparison=f"hashes of all arrays after three sweeps over random data, in builds with "
            f"{shlex.join(COMPARISON_FLAGS)} and without {FAST}; sums where s2s may reassociate",
            sweeps=f"{loops.sweeps[request.size]} in the place of the suite's own number",
            runs=f"processor time, one core, in turn; least of {request.repeat} runs, of more if "
            "short",
            s2s=s2s.__version__,
            transformed=f"the output of {shlex.join(options)} with the same flags",
        )


suite = SingleLoops


def _installed(compilers: Sequence[str]) -> list[str]:
    """Those that are there; the others are named. Raises UserError where none is left."""
    found = []
    for compiler in compilers:
        if shutil.which((shlex.split(compiler) or [""])[0]):
            found.append(compiler)
        else:
            print(f"s2s bench: '{compiler}' is not installed and left out", file=sys.stderr)
    if not found:
        raise bench_error("no compiler is installed")
    return found
