"""Figures 6.4 to 6.9 of Setter's dissertation again: a panel each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.bench.accelerators.description import Description
from s2s.bench.accelerators.metrics import METRICS
from s2s.bench.accelerators.tables import Found, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

    from s2s.bench.accelerators.description import Figure

_COLUMNS = 3
_LOGARITHMIC = ("tile_elements", "cycles", "area")


def draw(description: Description, found: Found) -> Drawn:
    """A panel for each figure."""
    from matplotlib.figure import Figure as Drawn

    shown = description.figures
    height = -(-len(shown) // _COLUMNS)
    figure = Drawn(figsize=(4.0 * _COLUMNS, 3.2 * height), dpi=120)
    for place, one in enumerate(shown, start=1):
        _panel(figure.add_subplot(height, _COLUMNS, place), one, found)
    figure.tight_layout()
    return figure


def _panel(axes: Axes, one: Figure, found: Found) -> None:
    curves = {name: curve for name, curve in points(one, found).items() if curve}
    for name, curve in curves.items():
        axes.plot([x for x, _ in sorted(curve)], [y for _, y in sorted(curve)], "o-", label=name)
    for metric, scale in ((one.x, axes.set_xscale), (one.y, axes.set_yscale)):
        if curves and metric in _LOGARITHMIC:
            scale("log")
    axes.set_title(f"{one.number}: {one.title}", fontsize=8)
    axes.set_xlabel(METRICS[one.x].head, fontsize=7)
    axes.set_ylabel(METRICS[one.y].head, fontsize=7)
    axes.tick_params(labelsize=6)
    if curves:
        axes.legend(fontsize=6)
