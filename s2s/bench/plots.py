"""Plots as files, and what they share."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.bench.descriptions import bench_error
from s2s.bench.report import legend

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".pdf", ".png", ".svg")


def check_plot(path: str) -> None:
    """Raise UserError when a plot cannot be made, before time is spent on its numbers."""
    if Path(path).suffix not in SUFFIXES:
        raise bench_error(f"{path}: a plot is one of {', '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise bench_error("a plot needs matplotlib: pip install 's2s[plot]'") from error


def to_plot(figure: Figure, suffix: str) -> bytes:
    """A figure as a file of the kind that ``suffix`` names, as .png."""
    stream = io.BytesIO()
    figure.savefig(stream, format=suffix.lstrip("."))
    return stream.getvalue()


def add_legend(figure: Figure, setting: Mapping[str, object]) -> None:
    """What the numbers depend on, at the bottom."""
    text = "\n".join(legend(setting))
    figure.text(0.01, 0.005, text, fontsize=5, va="bottom", family="monospace")
