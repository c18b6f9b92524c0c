"""``s2s bench marvel``: its cases, verdicts and cycles as published, and how means are taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.bench.mappings.cases import Group, Searched, Styled, Verdict, Worked, cases
from s2s.bench.mappings.rows import ANY, BOUND, CYCLES, DIVIDING, OVER, PEAK, Row, by_layer, mean
from s2s.bench.mappings.styles import SLOWER
from s2s.bench.mappings.suite import Mappings
from s2s.bench.mappings.text import text
from s2s.bench.suite import Request
from s2s.source.spatial.layers import Kind, Layer
from s2s.tuning.spatial.styles import STYLES


def test_all_of_the_tables_are_there() -> None:
    every = cases(small=False)
    assert sum(isinstance(one, Verdict) for one in every) == 14
    assert sum(isinstance(one, Worked) for one in every) == 4
    searched = [one for one in every if isinstance(one, Searched)]
    assert {one.network for one in searched} == {
        "gemm", "mlp_lstm", "alexnet", "vgg16", "resnet50", "mobilenetv2", "shown"
    }  # fmt: skip
    assert len([one for one in searched if one.network == "gemm"]) == 2 * 10
    assert {one.machine for one in searched if one.network == "mlp_lstm"} == {"p2"}
    assert len({one.name for one in every}) == len(every)


def test_verdicts_and_maestros_cycles_are_as_published(tmp_path: Path) -> None:
    names = ("conv1d", "lstm_parametric_multi_cell", "machine-p1", "GEMM_32x48x64", "GNMT_large")
    suite = Mappings(Request(only=names))
    rows = [row for case in suite.cases for row in suite.measure(case, tmp_path)]
    numbers = [168, 200, 12, 512, 110592, 64]
    assert [row.value for row in rows] == ["YYYY Y", "YNYY N", *numbers, 6913, 1057536]
    assert suite.is_good(rows)
    assert "2 of 2 verdicts as published" in suite.text(rows)


def rows_of(case: Searched, cycles: float, peak: float) -> list[Row]:
    numbers = {CYCLES: cycles, PEAK: peak, OVER: cycles / peak, BOUND: 1.0}
    return [Row(case, v, metric, n) for v in (ANY, DIVIDING) for metric, n in numbers.items()]


def test_means_are_of_layers_or_of_whole_networks() -> None:
    def case(group: Group, network: str, size: int, names: tuple[str, ...]) -> Searched:
        layer = Layer("", Kind.GEMM, (("M", size), ("N", 1), ("K", 1)))
        return Searched(group, network, layer, names, "p1")

    each = Group("gemm", "here", ("a",), "each", {"p1": 1.5})
    rows = rows_of(case(each, "a", 1, ("l1", "l2", "l3")), 200, 100)
    rows += rows_of(case(each, "a", 2, ("l4",)), 3200, 100)
    assert mean(each, by_layer(rows), ANY, OVER) == pytest.approx((2.0**3 * 32) ** 0.25)
    whole = Group("conv", "here", ("a", "b"), "network", {"p1": 1.5})
    rows = rows_of(case(whole, "a", 1, ("l1", "l2")), 200, 100)
    rows += rows_of(case(whole, "a", 2, ("l3",)), 300, 100)
    rows += rows_of(case(whole, "b", 3, ("l4",)), 400, 100)
    # (2 * 200 + 300) / 300 of the one network, 4 of the other
    assert mean(whole, by_layer(rows), ANY, OVER) == pytest.approx((7 / 3 * 4) ** 0.5)
    assert "geometric mean of networks: 3.055" in text(rows)
    assert "published 1.500" in text(rows)
    missing = [*rows, Row(case(whole, "b", 4, ("l5",)), ANY, CYCLES, None)]
    assert mean(whole, by_layer(missing), ANY, OVER) is None


def test_styles_are_beside_the_free_search(tmp_path: Path) -> None:
    every = [one for one in cases(small=False) if isinstance(one, Styled)]
    assert {one.group.style for one in every} == set(STYLES)
    assert {one.group.source for one in every} == {"Figure 5.8", "Figure 5.9", "Figure 5.10"}
    suite = Mappings(Request(only=("dmazerunner/mlp_lstm@p2",)))
    (case,) = suite.cases
    assert isinstance(case, Styled)
    group = replace(case.group, over={"p2": 2.0})
    suite.cases = [replace(case, group=group, layers=case.layers[2:3])]
    rows = list(suite.measure(suite.cases[0], tmp_path))
    numbers = {row.metric: row.value for row in rows if isinstance(row.value, int | float)}
    # 250 outputs on 250 of 1024 elements, each with sums of 500: the network is the roofline
    assert numbers[CYCLES] >= 500
    assert numbers[SLOWER] >= 1
    assert suite.is_good(rows)
    said = suite.text(rows)
    assert "dmazerunner" in said
    assert "published 2.000" in said
    assert suite.figure(rows).axes[-1].get_yscale() == "log"
