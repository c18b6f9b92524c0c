"""Tables for the terminal."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence

_WIDEST = 10_000
_GAP = 2
"""Blanks between columns."""
_LEAST = 20
"""Characters of a line of words that are too long for the terminal."""


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    left: Collection[str | int] = (0,),
    bad: Collection[int] = (),
    ruled: bool = True,
) -> str:
    """Rows under their head, as wide as they are.

    On a terminal that is too narrow for all columns they come one group after another, each with
    the first column, and words that are too long for it go on in the next line. Columns among
    ``left``, by name or place, are words, the others numbers; rows whose places are among ``bad``
    are red where there are colours.
    """
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout is not None and sys.stdout.isatty()
    given = list(rows)
    stream = io.StringIO()
    console = Console(
        file=stream, width=_WIDEST, highlight=False, markup=False, emoji=False,
        force_terminal=terminal,
    )  # fmt: skip
    wide = shutil.get_terminal_size().columns if terminal else _WIDEST
    room = max(_LEAST, wide - max((len(row[0]) for row in (head, *given)), default=0) - 2 * _GAP)
    for columns in groups(head, given, wide):
        drawn = Table(
            title=title or None, title_justify="left", box=SIMPLE if ruled else None,
            pad_edge=False,
        )  # fmt: skip
        for place in columns:
            words = head[place] in left or place in left
            drawn.add_column(
                head[place], justify="left" if words else "right", overflow="fold",
                max_width=room if words and place else None, no_wrap=not (words and place),
            )  # fmt: skip
        for number_, row in enumerate(given):
            shown = [row[place] for place in columns]
            drawn.add_row(*shown, style="red" if number_ in bad else "")
        console.print(drawn)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def groups(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """The columns that fit beside the first one in ``width`` characters, group by group."""
    sizes = [max(len(row[k]) for row in (head, *rows)) + _GAP for k in range(len(head))]
    found: list[list[int]] = []
    room = 0
    for place in range(1, len(head)):
        if not found or room < sizes[place]:
            found.append([0])
            room = width - sizes[0]
        found[-1].append(place)
        room -= sizes[place]
    return found or [[0]]


def number(value: float | None, digits: int = 2, missing: str = "-") -> str:
    """With so many digits after the point."""
    return missing if value is None else f"{value:.{digits}f}"


def digits(value: float | None, scale: float = 1) -> str:
    """Three digits of a value."""
    return "-" if value is None else f"{value * scale:.3g}"
