"""Figures 7 and 8 of the paper from our cycles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.bench import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from s2s.bench.pooling.suite import Row


def draw(rows: Sequence[Row], setting: Mapping[str, object]) -> Figure:
    """For each machine and operation the speedup of each variant of each layer."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = list(dict.fromkeys((row.machine, row.layer.operation) for row in rows))
    figure = Figure(figsize=(10, 3.2 * max(1, len(panels)) + 0.5), layout="constrained")
    FigureCanvasAgg(figure)
    for panel, (machine, operation) in zip(
        figure.subplots(len(panels), 1, squeeze=False).ravel(), panels, strict=True
    ):
        own = [r for r in rows if (r.machine, r.layer.operation) == (machine, operation)]
        names = list(dict.fromkeys(row.layer.name for row in own))
        for variant in dict.fromkeys(row.variant for row in own):
            points = [(names.index(r.layer.name), r.speedup) for r in own if r.variant == variant]
            kept = [(x, y) for x, y in points if y is not None]
            mark = "s" if any(r.is_ours for r in own if r.variant == variant) else "o"
            panel.plot(*zip(*kept, strict=True), mark, label=variant) if kept else None
        known = [(names.index(r.layer.name), r.published) for r in own if r.published]
        if known:
            panel.plot(*zip(*known, strict=True), "k_", markersize=16, label="published")
        panel.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize=7)
        panel.set_ylabel("times as fast as standard")
        panel.set_title(f"{operation}, {machine} (squares: not in the paper)", fontsize=9)
        plots.scale_ratios(panel, [*(r.speedup for r in own), *(y for _, y in known)])
        panel.legend(fontsize=7, ncols=4)
    plots.add_legend(figure, setting)
    return figure
