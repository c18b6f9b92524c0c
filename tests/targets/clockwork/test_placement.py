"""Placed and routed files: they run from their tiles, and each change of one is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import assume, given, settings

from s2s.emitters.clockwork.placement import print_configuration
from s2s.scop.accelerator import Accelerator
from s2s.scop.netlist import Netlist
from s2s.simulators.amber.command import run_design
from s2s.source.diagnostics import UserError
from s2s.targets.clockwork.design import Compiled, print_files
from s2s.transforms.clockwork.array import load_array
from s2s.transforms.clockwork.compute_units import compute_units
from s2s.transforms.clockwork.configure import Configured, configure, pipeline
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.schedule import schedule
from tests.targets.clockwork.test_files import ROOT, transform
from tests.transforms.clockwork import netlists
from tests.transforms.clockwork.pipelines import pipelines

Run = Callable[..., CompletedProcess[str]]

PYRAMID = str(ROOT / "benchmarks" / "clockwork" / "gaussian_pyramid.cpp")
SMALL = ("width=32", "height=32", "rate=2", "tiles_x=2", "tiles_y=2")


@pytest.fixture(scope="module")
def pyramid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pyramid") / "out"
    transform(out, PYRAMID, SMALL, "--clockwork-pipeline")
    return out


def test_runs_from_its_tiles(run: Run, pyramid: Path) -> None:
    done = run("simulate", str(pyramid), "--machine", "amber", "--json", str(pyramid / "c.json"))
    assert done.returncode == 0, done.stderr
    assert "all outputs as in program order" in done.stdout
    assert "24 of 384 PE tiles (6.2%), 6 of 128 memory tiles (4.7%)" in done.stdout
    found = json.loads((pyramid / "c.json").read_text())
    terms = {term[0]: term[1] for term in found["terms"]}
    assert found["cycles"] == sum(terms.values()) == 512 + terms["pipelining"]
    placement = found["placement"]
    written = json.loads((pyramid / "gaussian_pyramid.place.json").read_text())
    assert placement["longest_path_ps"] == written["longest_path"]["picoseconds"] <= 1100
    assert not placement["kernels_by_compute_file"] and placement["operations_on_tiles"] == 6
    assert placement["delays"]["pe_ps"]["status"] == "assumed"


def test_without_pipelining_the_cycles_stay(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    transform(out, PYRAMID, SMALL, "--clockwork-place")
    done = run("simulate", str(out), "--machine", "amber")
    assert done.stdout.startswith("gaussian_pyramid: 512 cycles")
    assert "for 1" in done.stdout and "(assumed delays)" in done.stdout


def test_a_design_that_does_not_fit_is_refused(run: Run, tmp_path: Path) -> None:
    source = str(ROOT / "benchmarks" / "clockwork" / "cascade.cpp")
    words = [w for p in ("rate=16", "width=32", "height=4") for w in ("--param", p)]
    command = ["transform", source, "--target", "clockwork", "-o", f"{tmp_path}/", *words]
    done = run(*command, "--clockwork-place")
    assert done.returncode == 1
    assert "it needs 480 PEs, 96 more than the 384 there" in done.stderr
    assert not list(tmp_path.iterdir())


def test_graphviz_reads_the_graph(pyramid: Path) -> None:
    text = (pyramid / "gaussian_pyramid.dot").read_text()
    assert text.count("pos=") == 16 * 32 + 32
    pydot = pytest.importorskip("pydot")
    (graph,) = pydot.graph_from_dot_data(text)
    assert len(graph.get_edges()) == text.count("->")


def _first(tiles: dict[str, Any], **wanted: str) -> dict[str, Any]:
    """The first tile with an operation."""
    found: dict[str, Any] = next(
        t for t in tiles.values() if t.get("element", {}).get("op") == wanted["op"]
    )
    return found


def _drop_tile(tiles: dict[str, Any]) -> None:
    del tiles[next(k for k, t in tiles.items() if t.get("element"))]


def _change_constant(tiles: dict[str, Any]) -> None:
    _first(tiles, op="div")["element"]["operands"][1]["value"] = 8


def _change_operation(tiles: dict[str, Any]) -> None:
    _first(tiles, op="add")["element"]["op"] = "sub"


def _change_stage(tiles: dict[str, Any]) -> None:
    _first(tiles, op="add")["stage"] += 1


def _change_register(tiles: dict[str, Any]) -> None:
    port = next(iter(_first(tiles, op="add")["inputs"].values()))
    port[1] = 1 - port[1]


def _change_driver(tiles: dict[str, Any]) -> None:
    boxes = [t["switches"]["word"] for t in tiles.values() if "switches" in t]
    driver = next(d for box in boxes for d in box.values() if not d[0].startswith("out"))
    driver[0] = "west7"


def _add_switch(tiles: dict[str, Any]) -> None:
    tile = next(t for t in tiles.values() if t.get("element"))
    own = tile.setdefault("switches", {}).setdefault("word", {})
    free = next(f"south{k}" for k in range(5) if f"south{k}" not in own)
    own[free] = ["out", 0]


def _move_memory(tiles: dict[str, Any]) -> None:
    key = next(k for k, t in tiles.items() if t.get("kind") == "memory")
    tiles["0,15"] = tiles.pop(key)


def _swap_ports(tiles: dict[str, Any]) -> None:
    tile = next(
        t for t in tiles.values()
        if all("load" in o for o in t.get("element", {}).get("operands", [{}]))
    )  # fmt: skip
    first, second = tile["element"]["operands"][:2]
    first["load"], second["load"] = second["load"], first["load"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_drop_tile, "is a port of an empty tile|leads to no port|drives|last elements|on no tile"),
        (_change_constant, "in program order|output"),
        (_change_operation, "in program order|output"),
        (_change_stage, "cycles later|registers too many"),
        (_change_register, "cycles later|registers too many"),
        (_change_driver, "there is no word track 'west7'"),
        (_add_switch, "leads to no port"),
        (_move_memory, "there is no memory tile"),
        (_swap_ports, "the design has"),
    ],
)
def test_changes_are_noticed(
    pyramid: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    for file in pyramid.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "gaussian_pyramid.place.json"
    table = json.loads(path.read_text())
    change(table["tiles"])
    path.write_text(json.dumps(table))
    with pytest.raises(UserError, match=message):
        run_design(str(tmp_path / "gaussian_pyramid_design.json"))


def test_a_switch_is_configured_once(pyramid: Path, tmp_path: Path) -> None:
    for file in pyramid.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "gaussian_pyramid.place.json"
    text = path.read_text()
    at = text.index('"switches": {"word": {') + len('"switches": {"word": {')
    end = text.index("]", at) + 1
    path.write_text(f"{text[:end]}, {text[at:end]}{text[end:]}")
    with pytest.raises(UserError, match="is configured twice"):
        run_design(str(tmp_path / "gaussian_pyramid_design.json"))


def _files(found: Configured, folder: Path) -> str:
    units = compute_units(found.scheduled.accelerator)
    compiled = Compiled(found.scheduled, found.netlist, units, (), found.configuration)
    for name, text in print_files(compiled).items():
        (folder / name).write_text(text)
    return str(folder / f"{found.netlist.name}_design.json")


def _sum(netlist: Netlist) -> int:
    return sum(term.cycles for term in netlist.terms)


@given(pipelines())
@settings(max_examples=6, deadline=None)
def test_random_pipelines_keep_their_words(accelerator: Accelerator) -> None:
    """With registers every operation still finds the words that it names, in time."""
    array = load_array()
    try:
        plain = schedule(accelerator)
        netlist = map_design(plain.accelerator, plain.schedule)
        found = pipeline(accelerator, plain, netlist, array)
    except MappingError:
        assume(False)
    own = found.scheduled.accelerator
    run = netlists.Run(own, found.scheduled.schedule, found.netlist)
    assert not list(run.wrong()) and not list(run.sram_conflicts())
    assert found.configuration.path <= array["clock_ps"]
    assert _sum(found.netlist) - _sum(netlist) == found.netlist.cycles - netlist.cycles
    again = pipeline(accelerator, plain, netlist, array)
    assert print_configuration(again.configuration) == print_configuration(found.configuration)


@given(pipelines())
@settings(max_examples=2, deadline=None)
def test_random_pipelines_run_from_their_tiles(
    tmp_path_factory: pytest.TempPathFactory, accelerator: Accelerator
) -> None:
    array = load_array()
    try:
        plain = schedule(accelerator)
        netlist = map_design(plain.accelerator, plain.schedule)
        both = [configure(plain, netlist, array), pipeline(accelerator, plain, netlist, array)]
    except MappingError:
        assume(False)
    for found in both:
        ran = run_design(_files(found, tmp_path_factory.mktemp("random")))
        placement = ran.record["placement"]
        assert ran.record["compared_with_program_order"]
        assert placement["longest_path_ps"] == found.configuration.path
        assert not placement["kernels_by_compute_file"]
