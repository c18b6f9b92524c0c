"""The results of a benchmark as bars, in the manner of Figures 3.6 to 3.9 of the PoPP chapter.

There a bar is a speedup over the sequential program, and OpenMP has one of its own; here it is the
speedup over the original, which is the line at 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.bench.plots import add_legend, scale_ratios
from s2s.bench.programs.result import Result
from s2s.bench.report import Setting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS = {
    "nohb": "transformed without happens-before",
    "popp": "transformed with happens-before",
    "seq": "transformed, one thread",
    "par": "transformed, parallel",
}


def draw(results: Sequence[Result], setting: Setting) -> Figure:
    """A panel for each suite and number of threads, in it a group of bars for each program."""
    from matplotlib.figure import Figure

    panels = _panels(results)
    most = max((len({r.case for r in panel}) for panel in panels), default=1)
    height = 3.2 * len(panels) + 1.8
    figure = Figure(figsize=(max(6.0, 1.5 + 0.7 * most), height), dpi=150)
    for number, panel in enumerate(panels, start=1):
        _draw_bars(figure.add_subplot(max(1, len(panels)), 1, number), panel)
    add_legend(figure, setting)
    figure.subplots_adjust(left=0.1, right=0.98, top=0.96, bottom=2.2 / height, hspace=0.75)
    return figure


def _panels(results: Sequence[Result]) -> list[list[Result]]:
    """OpenMP programs apart by threads; a sequential suite's variants beside each other."""
    panels: dict[tuple[str, int], list[Result]] = {}
    for result in results:
        split = 0 if result.baseline == "original-1t" and not _is_openmp(result) else result.threads
        panels.setdefault((result.suite, split), []).append(result)
    return list(panels.values())


def _is_openmp(result: Result) -> bool:
    return result.variant.split("-")[0] in ("nohb", "popp")


def _draw_bars(axes: Axes, results: Sequence[Result]) -> None:
    cases = list(dict.fromkeys(result.case for result in results))
    variants = list(dict.fromkeys(result.variant for result in results))
    width = 0.8 / len(variants)
    scale_ratios(axes, (result.told for result in results))
    floor = max(axes.get_ylim()[0] * 1.05, 0.03)
    for index, variant in enumerate(variants):
        mine = [result for result in results if result.variant == variant]
        places = [cases.index(result.case) + index * width for result in mine]
        heights = [result.told or 0.0 for result in mine]
        label = _LABELS.get(variant.split("-")[0], variant)
        axes.bar(places, heights, width, label=f"{label} ({variant})")
        for place, height, result in zip(places, heights, mine, strict=True):
            noise = "noise" if result.ratio is not None else result.outcome.value
            words = f"{height:.2f}" if height else noise
            axes.text(
                place,
                height or floor,
                words,
                fontsize=6,
                ha="center",
                va="bottom",
                rotation=0 if height else 90,
            )
    axes.axhline(1.0, color="black", linewidth=0.8)
    middle = width * (len(variants) - 1) / 2
    axes.set_xticks([place + middle for place in range(len(cases))], cases, rotation=30, ha="right")
    axes.tick_params(axis="x", labelsize=7)
    axes.set_ylabel("speedup over the original")
    axes.set_xlim(-0.8, len(cases))
    axes.set_title(_title(results), fontsize=8)
    axes.legend(fontsize=6)


def _title(results: Sequence[Result]) -> str:
    """The suite, and the number of threads where it is the same for all bars."""
    counts = {result.threads for result in results}
    threads = f", {min(counts)} thread{'s' * (min(counts) > 1)}" if len(counts) == 1 else ""
    return f"{results[0].suite}{threads}"
