"""Tables for the terminal."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence

_WIDEST = 10_000


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    left: Collection[str | int] = (0,),
    bad: Collection[int] = (),
    ruled: bool = True,
) -> str:
    """Rows under their head, as wide as they are; on a terminal as wide as that if ``ruled``.

    Columns among ``left``, by name or place, are words, the others numbers; rows whose places are
    among ``bad`` are red where there are colours.
    """
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal and ruled else _WIDEST
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, highlight=False, markup=False, emoji=False,
        force_terminal=terminal,
    )  # fmt: skip
    drawn = Table(
        title=title or None, title_justify="left", box=SIMPLE if ruled else None, pad_edge=False
    )
    for place, name in enumerate(head):
        words = name in left or place in left
        drawn.add_column(name, justify="left" if words else "right", no_wrap=True)
    for place, row in enumerate(rows):
        drawn.add_row(*row, style="red" if place in bad else "")
    console.print(drawn)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def number(value: float | None, digits: int = 2, missing: str = "-") -> str:
    """With so many digits after the point."""
    return missing if value is None else f"{value:.{digits}f}"


def digits(value: float | None, scale: float = 1) -> str:
    """Three digits of a value."""
    return "-" if value is None else f"{value * scale:.3g}"
