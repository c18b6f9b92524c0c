"""The auto-tuner: its space, what it remembers, and the benchmark's workloads."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import s2s.tuning.aie.measured
import s2s.tuning.aie.store
from s2s.bench.convolutions.rows import Row, means
from s2s.bench.convolutions.workloads import read
from s2s.cli import main as cli
from s2s.scop.contraction import Wishes
from s2s.scop.layouts import natural
from s2s.source.diagnostics import UserError
from s2s.transforms.aie.mapping import Mapping, check
from s2s.transforms.aie.mapping_text import from_json, to_json
from s2s.transforms.aie.space import Limits, mappings
from s2s.tuning.aie import workers
from s2s.tuning.aie.frontier import CLOSE, Frontier, floor
from s2s.tuning.aie.measured import Measured, measure, source_lines
from s2s.tuning.aie.published import chosen as chosen_of
from s2s.tuning.aie.published import layout, schedules
from s2s.tuning.aie.search import Plan, Search
from s2s.tuning.aie.store import MEASURED, Store
from tests.transforms.aie.contractions import contraction, conv2d

MATRICES = contraction(
    {"y": 8, "k": 32, "C": 6}, ({"k": 1}, {"y": 1}), ({"c": 1}, {"y": 1}), ({"k": 1}, {"c": 1})
)


@pytest.mark.parametrize("of", (conv2d(16, 3, 3), conv2d(32, 5, 2), conv2d(8, 3, 3), MATRICES))
def test_mappings_belong_to_the_contraction_and_survive_as_text(of: object) -> None:
    found = list(mappings(of))  # type: ignore[arg-type]
    assert len(set(map(to_json, found))) == len(found) > 10
    for mapping in found:
        assert check(of, mapping) is None  # type: ignore[arg-type]
        assert from_json(to_json(mapping)) == mapping
    assert all(m.paper for m in mappings(of, limits=Limits(paper=True)))  # type: ignore[arg-type]


def test_wishes_of_a_schedule_are_kept() -> None:
    wanted = Wishes("x", (("y", 3),), ("y", "x"))
    found = list(mappings(conv2d(16, 3, 3, y=12), wanted))
    assert found
    assert {(m.vector, m.factor("y"), m.order) for m in found} == {("x", 3, ("y", "x"))}


def test_results_of_other_code_are_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, of = tmp_path / "code.py", conv2d(16, 3, 3)
    assert Path(s2s.tuning.aie.measured.__file__) in set(s2s.tuning.aie.store._sources())
    monkeypatch.setattr(s2s.tuning.aie.store, "_sources", lambda: iter([code]))
    monkeypatch.setattr(s2s.tuning.aie.store, "_version", s2s.tuning.aie.store._version.__wrapped__)
    results = Store(str(tmp_path / "results.sqlite"))
    mapping = next(iter(mappings(of)))
    code.write_text("LONGEST = 1\n")
    results.add(of, mapping, Measured(cycles=5))
    assert len(results.known(of)) == 1
    code.write_text("LONGEST = 2\n")
    assert not results.known(of)


def test_a_search_remembers_what_it_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, store = conv2d(16, 3, 3), Store(str(tmp_path / "results.sqlite"))
    first = Search(of, Plan(seconds=20, most=6), store)
    good = first.run()
    assert good and len(first.found) == 6
    assert [m.cycles for _, m in good] == sorted(m.cycles for _, m in good)
    assert min(m.cycles for m in store.known(of).values() if m.is_good) == good[0][1].cycles

    def never(*_: object) -> Measured:
        raise AssertionError("measured again")

    monkeypatch.setattr(workers, "measure", never)
    again = Search(of, Plan(seconds=20, most=6), store)
    assert again.run() == good
    assert store.known(conv2d(16, 3, 4)) == {}
    assert store.clear(MEASURED) == 6


def test_a_search_is_no_slower_than_what_is_remembered(tmp_path: Path) -> None:
    of, store = conv2d(32, 2, 2, x=16, y=2), Store(str(tmp_path / "results.sqlite"))
    best = Search(of, Plan(effort=2000), store).run()[0]
    short = Search(of, Plan(effort=1), Store("")).run()[0]
    assert short[1].cycles > best[1].cycles
    assert Search(of, Plan(effort=1), store).run()[0][1].cycles == best[1].cycles
    other = Wishes("x" if best[0].vector == "y" else "y")
    assert Search(of, Plan(effort=1), store, other).run()[0][0].vector == other.vector


def test_what_is_not_simulated_is_no_faster() -> None:
    of = conv2d(32, 2, 2, x=32, y=4)
    search = Search(of, Plan(), Store(""))
    best = search.run()[0][1].cycles
    assert search.work < Plan().effort * 0.8, "the search ended before it knew"
    simulated = {text for text, (_, m) in search.found.items() if not m.is_passed_over}
    every = [m for m in mappings(of) if not m.window and to_json(m) not in simulated]
    assert len(every) > 3
    for mapping in every[:: len(every) // 4]:
        full = measure(of, mapping)
        assert not full.is_good or full.cycles >= (1 - CLOSE) * best


def test_what_was_seen_has_its_turn_and_what_is_no_better_has_none() -> None:
    of = conv2d(32, 2, 2, x=64, y=4)
    frontier = Frontier(of, mappings(of))
    turns: list[tuple[Mapping, bool]] = []
    while not turns or not turns[-1][1]:
        turn = frontier.pop(0)
        assert turn is not None
        frontier.bounded(turn[0], floor(of, turn[0]) + 10**6 - len(turns))
        turns.append(turn)
    assert len({to_json(mapping) for mapping, _ in turns[:-1]}) == len(turns) - 1 == 6
    assert frontier.pop(min(floor(of, mapping) for mapping in mappings(of))) is None


def test_kinds_without_kernels_come_later() -> None:
    of = conv2d(16, 3, 3)
    frontier = Frontier(of, mappings(of))
    kinds = []
    for _ in range(40):
        turn = frontier.pop(0)
        assert turn is not None
        frontier.settled(turn[0], 0, 0)
        kinds.append((turn[0].vector, turn[0].image))
    assert kinds[0] != kinds[-1] and len(set(kinds)) > 2 and kinds.count(kinds[0]) < 30


def test_what_cannot_be_mapped_says_why() -> None:
    found = measure(conv2d(16, 3, 3), Mapping("r", order=("y", "x")))
    assert not found.is_good and "no loop of the output" in found.failure


def test_two_processes_find_what_one_does() -> None:
    """Results are taken in the order in which they were asked for, and work is not timed."""
    of = conv2d(32, 2, 2, x=16, y=2)
    one, two = (Search(of, Plan(jobs=jobs, effort=300), Store("")) for jobs in (1, 2))
    assert one.run() == two.run() != []
    assert one.found == two.found and one.work == two.work > 0


def test_every_workload_is_the_same_in_both_languages() -> None:
    chosen = {w.source.path.name: w for w in read().workloads if w.type == "int16"}
    assert set(chosen) == {"conv2d", "conv", "depthwise", "conv3d"}
    for workload in chosen.values():
        assert workload.from_halide().contraction == workload.from_c().contraction


def test_the_workers_of_a_cluster_measure(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    of, store = conv2d(32, 2, 2, x=16, y=2), Store(str(tmp_path / "results.sqlite"))
    own = {"processes": False, "protocol": "tcp://", "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **own) as cluster:
        assert cluster.scheduler_address.startswith("tcp://")
        plan = Plan(scheduler=cluster.scheduler_address, seconds=30, most=2)
        first = Search(of, plan, store).run()
    known = store.known(of)
    assert first and len(known) >= 2
    assert known[to_json(first[0][0])] == first[0][1] == measure(of, first[0][0])


def test_shapes_are_those_of_the_suite() -> None:
    chosen = next(w for w in read().workloads if (w.name, w.type) == ("REG-5x5", "int8"))
    found = chosen.from_c().contraction
    arrays = {access.array.name: access.array.extents for access in found.accesses[:3]}
    assert arrays == {"O": (128, 2, 16), "W": (5, 5, 8, 16), "I": (144, 6, 8)}
    with pytest.raises(UserError, match="C is 8 and 7"):
        replace(chosen, shapes={**chosen.shapes, "image": (144, 6, 7)}).from_c()


def test_layouts_are_read_as_the_paper_writes_them() -> None:
    names, extents = ["R", "S", "C", "K"], [3, 3, 8, 32]
    text = "(K/16)SR(C/2)(16)(2)"
    found = layout(text, names, extents)
    assert found.describe(names) == text
    assert found.place([1, 0, 3, 17]) == ((((1 * 3 + 0) * 3 + 1) * 4 + 1) * 16 + 1) * 2 + 1
    assert layout("KCSR", names, extents) == natural(extents)
    tiles = layout("(K/8)(C/8)SR(8C)(8K)", names, extents)
    assert [axis.dimension for axis in tiles.axes] == [3, 2, 1, 0, 2, 3]
    for wrong in ("KCS", "KCSRX", "(K/2)CSR", "K C S R"):
        with pytest.raises(ValueError):
            layout(wrong, names, extents)


def test_published_schedules_can_be_carried_out() -> None:
    published = [w for w in read().workloads if w.schedule is not None]
    assert len(published) == 20 + 16
    for workload in published:
        is_one = workload.name == "filter-4x4" or workload.group == "deep learning"
        if is_one and workload.type == "int16" and workload.schedule is not None:
            contraction = workload.from_c().contraction
            every = list(schedules(contraction, workload.schedule))
            own = [m for m in every if dict(m.jam) == dict(workload.schedule.jam)]
            assert len(own) == 1 and check(contraction, own[0]) is None


def test_the_least_code_is_chosen_among_what_is_as_fast() -> None:
    cycles = {1: (1100, 10), 2: (1010, 20), 4: (1000, 30), 8: (1005, 60)}
    good = [
        (Mapping("x", (("y", n),)), Measured(cycles=c, code_bytes=size))
        for n, (c, size) in cycles.items()
    ]
    assert chosen_of(good)[0].factor("y") == 2
    assert chosen_of(good[2:])[0].factor("y") == 4


def test_the_benchmark_writes_figures_beside_published_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    out = tmp_path / "figures.json"
    words = ["bench", "vyasa", "--case", "FC", "--jobs", "1", "--json", str(out)]
    cli.main([*words, "--seconds", "1", "--out", str(tmp_path / "kernels")])
    assert "mac16" in (tmp_path / "kernels" / "FC-int16.cc").read_text()
    rows = {
        (r["case"], r["variant"], r["metric"]): r for r in json.loads(out.read_text())["records"]
    }
    row = rows["FC", "int16", "macs_per_cycle"]
    assert row["published"] == 15.77 and 10 < row["value"] <= 32
    assert rows["geomean deep learning", "int32", "macs_per_cycle"]["published"] == 7.67
    assert rows["FC", "int16", "jam_y"]["value"] == rows["FC", "int16", "jam_y"]["published"] == 1
    assert "as in table VII: 2 of 2" in capsys.readouterr().out
    assert cli.main([*words, "--published"]) == 0
    assert "as in table VII: 2 of 2" in capsys.readouterr().out
    metrics = {r["metric"] for r in json.loads(out.read_text())["records"]}
    assert metrics == {"jam_y"}


def test_the_mean_of_odd_sizes_stands_beside_that_of_all() -> None:
    suite = read()
    cycles = {"filter-2x2": 1, "filter-3x3": 2, "filter-4x4": 8, "filter-5x5": 8}
    rows = [
        Row(w, macs=64, best=(Mapping("x"), Measured(cycles=cycles[w.name])))
        for w in suite.workloads
        if w.type == "int16" and w.name in cycles
    ]
    found = {group: value for group, type_, value, _ in means(rows, suite)}
    assert found["computer vision, odd sizes"] == pytest.approx(16)
    assert found["computer vision"] == pytest.approx(64 / 2**1.75)


def test_a_kernel_is_written_by_the_tuner(tmp_path: Path) -> None:
    source, out = read().workloads[0].source.c, tmp_path / "kernel.cc"
    words = ["--size", "R=2,S=2,width=40,x=32,y=2", "--seconds", "2", "--jobs", "1"]
    cache = str(tmp_path / "cache.sqlite")
    assert cli.main(["tune", str(source), *words, "--tune-cache", cache, "-o", str(out)]) == 0
    assert "mac16" in out.read_text()


def test_lines_are_counted_without_comments() -> None:
    assert source_lines("/* a\n b */\nint x; // y\n\n  // z\nint y;\n") == 2


def test_rooflines_are_drawn() -> None:
    pytest.importorskip("matplotlib")
    from s2s.bench.convolutions.plots import draw
    from s2s.bench.convolutions.rows import Row
    from s2s.bench.plots import to_plot

    tried = [(Mapping("x"), Measured(cycles=c, bytes_moved=21000)) for c in (1500, 2500)]
    row = Row(read().workloads[0], 36864, tried[0], tried=tried)
    assert row.roofline == 8
    assert to_plot(draw([row]), ".svg").lstrip().startswith(b"<?xml")
