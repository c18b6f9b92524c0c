"""Marvel's tables again: which nests conform, MAESTRO's cycles, and cycles over the roofline.

Every layer is searched with tiles of any size and with tiles that divide their extents, as the
paper has them; by the exact model, which is tested against the machine, and by MAESTRO's, as
there; networks under the styles of other accelerators by MAESTRO's (``styles.py``). The roofline
is the larger of multiplications over processing elements and bytes of all tensors over the
network's bandwidth; mappings fit L1 and L2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.mappings import styles
from s2s.bench.mappings.cases import (
    FOLDER,
    Case,
    Numbers,
    Searched,
    Styled,
    Verdict,
    Worked,
    cases,
    worked_layer,
)
from s2s.bench.mappings.rows import (
    BOUND,
    CYCLES,
    DIVIDING,
    OVER,
    PARALLEL,
    PEAK,
    SPACES,
    TILE,
    VARIANTS,
    Row,
)
from s2s.bench.mappings.text import text
from s2s.bench.records import Record
from s2s.bench.suite import Request, Suite, choose
from s2s.source.output import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from s2s.tuning.spatial.networks import Result


class Mappings(Suite[Case, Row]):
    """The cases that were asked for, by name."""

    def __init__(self, request: Request) -> None:
        every = cases(request.size == "small")
        names = set(choose("case", [one.name for one in every], request.only))
        self.cases = [one for one in every if one.name in names]
        self.request = request
        self.setting = report.machine_setting(
            machine="p1 and p2 (models)", runs="one search each", s2s=s2s.__version__
        )

    def measure(self, case: Case, folder: Path) -> Iterator[Row]:
        match case:
            case Verdict():
                yield _verdict(case)
            case Numbers():
                yield from _numbers(case)
            case Worked():
                yield _worked(case)
            case Styled():
                yield from styles.measure(case)
            case Searched():
                for variant in VARIANTS:
                    yield from _searched(case, variant, folder if self.request.out else None)

    def text(self, rows: Sequence[Row]) -> str:
        legend = "\n".join(report.legend(self.setting))
        return "\n".join((text(rows), *styles.text(rows))) + f"\n\n{legend}"

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        for row in rows:
            yield Record(
                suite="marvel", case=row.case.name, variant=row.variant, metric=row.metric,
                value=row.value, unit=row.unit, published=row.published, note=row.note,
            )  # fmt: skip

    def figure(self, rows: Sequence[Row]) -> Figure:
        from s2s.bench.mappings.plots import draw

        return draw(rows, self.setting)

    def is_good(self, rows: Sequence[Row]) -> bool:
        judged = [row for row in rows if isinstance(row.case, Verdict | Numbers | Worked)]
        found = {row.case for row in rows if isinstance(row.case, Searched | Styled) and row.value}
        asked = {case for case in self.cases if isinstance(case, Searched | Styled)}
        return all(row.value == row.published for row in judged) and asked <= found


suite = Mappings


def _verdict(case: Verdict) -> Row:
    from s2s.driver.layers import letters_of

    (letters,) = letters_of(str(FOLDER / f"{case.name}.c")).values()
    return Row(case, "rules", "R1 R2 R3 R4, conformable", letters, published=case.published)


def _numbers(case: Numbers) -> Iterator[Row]:
    from s2s.simulators.spatial.machine import load

    machine = load(case.machine)
    for name, published in asdict(case).items():
        if name != "machine":
            unit = machine.parameters[name].unit
            yield Row(case, "machine", name, getattr(machine, name), unit, published)


def _worked(case: Worked) -> Row:
    from s2s.simulators.spatial.costs import maestro
    from s2s.simulators.spatial.machine import load
    from s2s.source.spatial.tiles import tile_levels

    layer, machine = worked_layer(case.layer), load(case.machine)
    machine = replace(
        machine,
        elements=case.elements or machine.elements,
        noc_bandwidth=case.noc_bandwidth or machine.noc_bandwidth,
    )
    levels = tile_levels(layer, None, machine.elements)
    cycles = maestro.evaluate(layer, levels, machine).cycles
    note = f"{machine.elements} elements, {machine.noc_bandwidth} bytes a cycle"
    return Row(case, "maestro", "cycles", cycles, "cycles", case.cycles, note)


def _searched(case: Searched, variant: str, folder: Path | None) -> Iterator[Row]:
    from s2s.simulators.spatial.machine import load
    from s2s.source.spatial.layers import Network
    from s2s.source.spatial.writing import write_network
    from s2s.tuning.settings import default_cache
    from s2s.tuning.spatial.bound import roofline
    from s2s.tuning.spatial.networks import Wanted, search_all
    from s2s.tuning.spatial.store import Store

    machine = load(case.machine)
    model, divide = VARIANTS[variant]
    wanted = Wanted(machine, divide=divide, model=model)
    named = replace(case.layer, name=case.names[0])
    results = list(search_all([named], wanted, Store(default_cache())))
    if not results:
        yield Row(case, variant, CYCLES, None, "cycles", note="nothing fits the buffers")
        return
    (found,) = results
    peak = roofline(case.layer, machine)
    cycles, bound = found.figures.cycles, found.outcome.bound
    yield Row(case, variant, CYCLES, cycles, "cycles")
    yield Row(case, variant, PEAK, peak, "cycles")
    yield Row(case, variant, OVER, cycles / peak, "times")
    yield Row(case, variant, BOUND, bound / peak, "times")
    yield Row(
        case, variant, "energy", found.figures.energy(machine), "multiply-accumulates",
        note=machine.multipliers,
    )  # fmt: skip
    yield from _tiles(case, variant, found)
    if folder is not None:
        name = f"{case.network}-{case.names[0]}-{case.machine}-{model}{'-dividing' * divide}.m"
        mapped = found.best.mapped(found.problem)
        write_file(str(folder / name), write_network(Network("best", (mapped,))).encode())


def _tiles(case: Searched, variant: str, found: Result) -> Iterator[Row]:
    """The tile in L2 and the units in parallel; with dividing tiles the sizes of the spaces."""
    from s2s.tuning.spatial.spaces import spaces

    problem, best = found.problem, found.best
    shared, shown = best.shared(problem), case.tiles
    tile = _words(problem.dims, [(n, problem.sizes[k] > 1) for k, n in enumerate(shared)])
    parallel = _words(problem.dims, [(n, n > 1) for n in best.units])
    yield Row(case, variant, TILE, tile, published=shown.tile if shown else None)
    yield Row(case, variant, PARALLEL, parallel, published=shown.parallel if shown else None)
    if variant == DIVIDING:
        counted = spaces(problem, shared)
        numbers = counted.original, counted.off_chip, counted.on_chip
        for name, number in zip(SPACES, numbers, strict=True):
            yield Row(case, variant, name, number, "mappings")


def _words(dims: Sequence[str], numbers: Sequence[tuple[int, bool]]) -> str:
    """``K 64, C 3``: of the dimensions that are asked for."""
    return ", ".join(f"{dim} {n}" for dim, (n, wanted) in zip(dims, numbers, strict=True) if wanted)
