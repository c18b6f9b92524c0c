"""What stands in the plots."""

from __future__ import annotations

import re

import pytest

from s2s.bench import records, spread
from s2s.bench.plots import to_plot
from s2s.bench.programs.plots import draw
from s2s.bench.programs.result import Result
from s2s.bench.records import Outcome
from tests.bench.test_tables import SETTING, result


def titles(*results: Result) -> list[str]:
    """The texts of an SVG file are comments before their outlines."""
    image = to_plot(draw(results, SETTING), ".svg").decode()
    return re.findall(r"<!-- (.*?) -->", image)


def test_a_panel_for_each_number_of_threads() -> None:
    words = titles(result("a", 2.0), result("a", 4.0, variant="popp-1t", threads=1))
    assert "s, 1 thread" in words and "s, 2 threads" in words
    assert "4.00" in words and "2.00" in words


def test_sequential_programs_have_one_panel() -> None:
    words = titles(
        result("a", 2.0, variant="seq", threads=1, baseline="original-1t"),
        result("a", 1.0, variant="par-2t", baseline="original-1t"),
    )
    assert "s" in words and "s, 1 thread" not in words


def test_what_has_no_ratio_says_why() -> None:
    assert "outputs differ" in titles(result("a", 2.0, outcome=Outcome.DIFFERENT))


@pytest.mark.parametrize(("times", "scale"), [((4.0, 2.0), "linear"), ((4.0, 0.01), "log")])
def test_axes_are_logarithmic_where_ratios_span_a_decade(
    times: tuple[float, float], scale: str
) -> None:
    figure = draw([result(name, time) for name, time in zip("ab", times, strict=True)], SETTING)
    (axes,) = figure.axes
    assert axes.get_yscale() == scale
    low, high = axes.get_ylim()
    assert all(low < 8.0 / time < high for time in times)


def test_noise_has_a_word_and_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "is_supported", spread.is_supported)
    words = titles(result("a", 4.0), result("b", 7.9, range=(0.8, 1.3)))
    assert "2.00" in words and "noise" in words and "1.01" not in words
