"""The results of a suite of loops as bars, a panel for each variant, sorted by their ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.bench.plots import add_legend
from s2s.bench.report import Setting
from s2s.bench.single_loops.result import LoopResult, mean_ratio
from s2s.driver.vectorized import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {True: "tab:blue", False: "tab:orange"}
_PANEL_INCHES, _LEGEND_INCHES = 2.8, 1.8
_MOST_BARS = 80


def draw(results: Sequence[LoopResult], setting: Setting) -> Figure:
    """Bars of the loops that changed."""
    from matplotlib.figure import Figure

    variants = list(dict.fromkeys(result.variant for result in results))
    height = _PANEL_INCHES * max(1, len(variants)) + _LEGEND_INCHES
    figure = Figure(figsize=(14, height), dpi=130)
    for number, variant in enumerate(variants, start=1):
        mine = [result for result in results if result.variant == variant]
        _draw(figure.add_subplot(len(variants), 1, number), variant, mine)
    add_legend(figure, setting)
    figure.subplots_adjust(
        left=0.05, right=0.99, top=0.97, bottom=(_LEGEND_INCHES + 0.5) / height, hspace=0.6
    )
    return figure


def _draw(axes: Axes, variant: str, results: Sequence[LoopResult]) -> None:
    """The largest ratios and the smallest; loops that stayed as they were have no bar."""
    bars = sorted((r.ratio, r) for r in results if r.ratio is not None and r.transformed)
    bars = [*bars[: _MOST_BARS // 2], *bars[_MOST_BARS // 2 :][-_MOST_BARS // 2 :]][::-1]
    for vectorized, words in ((False, "not vectorized before"), (True, "vectorized before")):
        places = [k for k, (_, r) in enumerate(bars) if (r.before == Kind.LOOP.value) == vectorized]
        heights = [bars[place][0] for place in places]
        axes.bar(places, heights, 0.8, label=words, color=_COLOURS[vectorized])
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xticks(range(len(bars)), [r.case for _, r in bars], rotation=90)
    axes.tick_params(axis="both", labelsize=6)
    axes.set_xlim(-1, max(1, len(bars)))
    axes.set_ylabel("speedup over the original", fontsize=7)
    mean = mean_ratio(results)
    changed = f"{len(bars)} of {len(results)} loops changed"
    axes.set_title(f"{variant}: {changed}, geometric mean of all {mean:.2f}", fontsize=8)
    axes.legend(fontsize=6)
