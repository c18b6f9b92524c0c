"""Rooflines in the manner of Figure 9 of the paper: each mapping that was tried is a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.bench.convolutions.rows import BYTES_PER_CYCLE, PEAK, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 4


def draw(rows: Sequence[Row]) -> Figure:
    """A panel for each workload: MACs per byte against MACs per cycle, and the roof."""
    from matplotlib.figure import Figure

    shown = [row for row in rows if row.measured is not None]
    height = max(1, -(-len(shown) // _COLUMNS))
    figure = Figure(figsize=(4.0 * min(_COLUMNS, max(1, len(shown))), 3.0 * height), dpi=120)
    for number, row in enumerate(shown, start=1):
        _panel(figure.add_subplot(height, min(_COLUMNS, len(shown)), number), row)
    figure.tight_layout()
    return figure


def _panel(axes: Axes, row: Row) -> None:
    peak = PEAK[row.workload.type]
    intensity = [row.macs / measured.bytes_moved for _, measured in row.tried]
    rates = [row.macs / measured.cycles for _, measured in row.tried]
    corner = peak / BYTES_PER_CYCLE
    low, high = min(*intensity, corner) / 2, 2 * max(*intensity, corner)
    axes.plot([low, corner, high], [low * BYTES_PER_CYCLE, peak, peak], color="black")
    axes.scatter(intensity, rates, s=8)
    axes.scatter(intensity[:1], rates[:1], s=24, color="red")
    for axis, scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        scale("log", base=2)
        axis.set_major_formatter("{x:g}")
    axes.set_title(f"{row.workload.name} {row.workload.type}", fontsize=8)
    axes.set_xlabel("MACs per byte", fontsize=7)
    axes.set_ylabel("MACs per cycle", fontsize=7)
    axes.tick_params(labelsize=6)
