"""Mappings for a machine with three buffers: searched, executed, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.simulators.spatial import fitting
from s2s.simulators.spatial.cuts import plan
from s2s.simulators.spatial.execution import execute
from s2s.simulators.spatial.machine import load
from s2s.source.diagnostics import UserError
from s2s.source.spatial.layers import Kind, Layer, Network
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.tiles import TileLevel, TileLoop, tile_levels
from s2s.source.spatial.writing import write_network
from s2s.tuning.spatial.candidate import Problem, footprints
from s2s.tuning.spatial.fixed import fixed_by
from s2s.tuning.spatial.search import Search

FILE = Path(__file__).parents[2] / "simulators" / "spatial" / "machines" / "three.toml"
MACHINE = replace(load(str(FILE)), l2=1024, l3=4096, l3_bandwidth=8, dram_bandwidth=8)
GEMM = Layer("product", Kind.GEMM, (("M", 84), ("N", 64), ("K", 50)))
CONV = Layer(
    "conv", Kind.CONV, (("K", 8), ("C", 6), ("R", 3), ("S", 3), ("Y", 16), ("X", 14)), (2, 1)
)


@pytest.mark.parametrize("divide", [False, True])
@pytest.mark.parametrize("layer", [GEMM, CONV], ids=lambda layer: layer.name)
def test_the_text_of_a_mapping_executes_as_it_was_promised(layer: Layer, divide: bool) -> None:
    fixed = fixed_by(["parallel:M" if layer is GEMM else "parallel:K"], layer.loops)
    search = Search(Problem(layer, MACHINE), effort=40, divide=divide, fixed=fixed)
    best = search.run()
    assert best is not None
    text = write_network(Network("", (best.candidate.mapped(search.problem),)))
    again = read_network("best.m", text.encode()).layers[0]
    levels = tile_levels(again, None, MACHINE.elements)
    mapped = plan(again, levels, block=MACHINE.dram_block, deep=True)
    assert not fitting.overflows(mapped, MACHINE)
    done = execute(mapped, MACHINE)
    assert done.wrong == 0
    assert done.figures.cycles == best.figures.cycles >= search.bound
    assert best.figures.energy(MACHINE) >= Search(Problem(layer, MACHINE), "energy").cost_bound
    held = 2 * sum(footprints(search.problem, best.candidate.in_l3(search.problem)))
    assert done.figures.l3 == best.figures.l3 == held <= MACHINE.l3


def test_a_tile_of_l3_may_be_fixed() -> None:
    fixed = fixed_by(["l3:K=25", "parallel:N"], GEMM.loops)
    search = Search(Problem(GEMM, MACHINE), effort=30, fixed=fixed)
    best = search.run()
    assert best is not None
    assert best.candidate.in_l3(search.problem)[2] == 25


def test_tiles_of_l3_are_not_shared_out() -> None:
    levels = [TileLevel((TileLoop("M", 4, 84, True),), 2), TileLevel((), 1)]
    with pytest.raises(UserError, match="the first level says the tiles of L3"):
        plan(GEMM, levels, deep=True)


def test_what_overflows_l3_and_what_an_l3_needs(tmp_path: Path) -> None:
    levels = [TileLevel((), 1), TileLevel((TileLoop("M", 1, 84), TileLoop("N", 1, 64)), 1)]
    last = TileLevel((TileLoop("K", 1, 50, True),), 168)
    found = fitting.overflows(plan(GEMM, [*levels, last], deep=True), MACHINE)
    (said,) = found
    assert said.startswith("L3 overflows by ")
    text = FILE.read_text().replace("[l3_bandwidth]", "[other]")
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(UserError, match="no number 'other'"):
        load(str(tmp_path / "x.toml"))
    start, end = text.index("[other]"), text.index("[energy_l3]")
    (tmp_path / "x.toml").write_text(text[:start] + text[end:])
    with pytest.raises(UserError, match="the machine has no 'l3_bandwidth'"):
        load(str(tmp_path / "x.toml"))
