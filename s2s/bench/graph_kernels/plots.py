"""Figures 7.2 to 7.5 of the dissertation from our counts: reductions and speedups by scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from s2s.bench.graph_kernels.kernels import Kernel
from s2s.bench.graph_kernels.rows import Row, reductions, speedups
from s2s.bench.plots import scale_ratios

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(kernels: Sequence[Kernel], results: Mapping[str, Sequence[Row]]) -> Figure:
    """A row of two panels for each kernel."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3 * len(kernels)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(kernels), 2, squeeze=False)
    for (left, right), kernel in zip(panels, kernels, strict=True):
        rows = results[kernel.name]
        ratios: list[float | None] = []
        for variant in kernel.variants:
            if variant.before is None:
                continue
            label = f"{variant.name} against {variant.before}"
            _line(left, reductions(rows, variant.name, variant.before), label, variant.reduction)
            gains = speedups(rows, variant.name, variant.before)
            _line(right, gains, label, variant.speedup)
            ratios += [*gains.values(), variant.speedup]
        left.set_ylabel("fewer migrations, %")
        right.set_ylabel("estimated speedup")
        for panel in (left, right):
            panel.set_title(f"{kernel.name} (dashed: the published mean)")
            panel.set_ylim(bottom=min(0, panel.get_ylim()[0]))
            panel.set_xticks(sorted({row.scale for row in rows}))
            panel.set_xlabel("scale")
            panel.legend(fontsize="small")
        scale_ratios(right, ratios)
    return figure


def _line(panel: Any, values: Mapping[int, float], label: str, published: float | None) -> None:
    """Our values, and the published mean as a dashed line."""
    (drawn,) = panel.plot(list(values), list(values.values()), marker="o", label=label)
    if published is not None:
        panel.axhline(published, linestyle="--", color=drawn.get_color(), linewidth=1)
