"""Plots as files, and what they share."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.bench.descriptions import bench_error
from s2s.bench.report import legend
from s2s.source.diagnostics import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".pdf", ".png", ".svg")


def check_plot(path: str) -> None:
    """Raise UsageError or UserError for a plot that cannot be made, before numbers are measured."""
    if Path(path).suffix not in SUFFIXES:
        raise UsageError(f"{path}: a plot is one of {', '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise bench_error("a plot needs matplotlib: pip install 's2s[plot]'") from error


def to_plot(figure: Figure, suffix: str) -> bytes:
    """A figure as a file of the kind that ``suffix`` names, as .png."""
    stream = io.BytesIO()
    figure.savefig(stream, format=suffix.lstrip("."), bbox_inches="tight")
    return stream.getvalue()


_DECADE = 10


def scale_ratios(axes: Axes, ratios: Iterable[float | None]) -> None:
    """A logarithmic axis where ratios span a decade, and room for words above each bar."""
    known = [ratio for ratio in ratios if ratio is not None and ratio > 0]
    if known and max(known) / min(known) > _DECADE:
        axes.set_yscale("log")
        axes.set_ylim(min(0.5, *known) / 1.3, max(2.0, *known) * 1.6)
    elif known:
        axes.set_ylim(0, 1.15 * max(1.0, *known))


def add_legend(figure: Figure, setting: Mapping[str, object]) -> None:
    """What the numbers depend on, at the bottom."""
    text = "\n".join(legend(setting))
    figure.text(0.01, 0.005, text, fontsize=5, va="bottom", family="monospace")
