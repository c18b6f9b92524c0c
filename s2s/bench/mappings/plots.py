"""Cycles over the roofline of each layer, as Figures 5.8 to 5.10 show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.bench import plots
from s2s.bench.mappings.cases import Styled
from s2s.bench.mappings.rows import ANY, BOUND, DIVIDING, MAESTRO, OVER, Row, by_layer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(rows: Sequence[Row], setting: Mapping[str, object]) -> Figure:
    """A panel for each group and machine: both kinds of tiles, the bound, the published mean."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    layers = by_layer(rows)
    styled = [row for row in rows if isinstance(row.case, Styled) and row.metric == OVER]
    panels = list(dict.fromkeys((one.case.group, one.case.machine) for one in layers))
    count = max(1, len(panels) + bool(styled))
    figure = Figure(figsize=(10, 3.2 * count + 0.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(count, 1, squeeze=False).ravel()
    if styled:
        _styles(axes[-1], styled)
    for panel, (group, machine) in zip(axes, panels, strict=False):
        own = [o for o in layers if (o.case.group, o.case.machine) == (group, machine)]
        for variant, metric, mark, label in (
            (ANY, OVER, "o", ANY),
            (DIVIDING, OVER, "s", DIVIDING),
            (MAESTRO, OVER, "x", MAESTRO),
            (ANY, BOUND, "_", "lower bound"),
        ):
            points = [(k, one.number(variant, metric)) for k, one in enumerate(own)]
            kept = [(x, y) for x, y in points if y is not None]
            panel.plot(*zip(*kept, strict=True), mark, label=label) if kept else None
        if machine in group.published:
            said = f"published mean {group.published[machine]}"
            panel.axhline(group.published[machine], color="k", linewidth=0.8, label=said)
        names = [f"{one.case.network}/{one.case.names[0]}" for one in own]
        panel.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize=6)
        panel.set_ylabel("cycles over the roofline")
        panel.set_title(f"{group.name} on {machine}", fontsize=9)
        panel.legend(fontsize=7, ncols=4)
    plots.add_legend(figure, setting)
    return figure


def _styles(panel: Axes, rows: Sequence[Row]) -> None:
    """Networks under each style."""
    cases = [row.case for row in rows if isinstance(row.case, Styled)]
    names = list(dict.fromkeys(f"{one.network} on {one.machine}" for one in cases))
    marks = iter("os^vxD+")
    for style in dict.fromkeys(one.group.style for one in cases):
        points = [
            (names.index(f"{case.network} on {case.machine}"), row.value)
            for case, row in zip(cases, rows, strict=True)
            if case.group.style == style and isinstance(row.value, int | float)
        ]
        places, values = zip(*points, strict=True) if points else ((), ())
        panel.plot(places, values, next(marks), label=style)
    panel.set_yscale("log")
    panel.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize=6)
    panel.set_ylabel("cycles over the roofline")
    panel.set_title("styles, MAESTRO's model, dividing tiles", fontsize=9)
    panel.legend(fontsize=7, ncols=5)
