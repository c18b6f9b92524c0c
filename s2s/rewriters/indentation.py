"""Indentation of lines that are written beside the source's."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.source import SourceBuffer, Span

_STEP = "    "


def indent_by_braces(lines: Sequence[str], buffer: SourceBuffer, place: int) -> str:
    """Lines for ``place``, each indented by the braces that are open; the first stands there."""
    line = buffer.text(Span(buffer.line_start(place), place))
    around, depth = line if not line.strip() else "", 0
    out: list[str] = []
    for text in lines:
        depth -= text.startswith("}")
        blank = not out or text.startswith("#")
        out.append(text if blank else f"{around}{_STEP * depth}{text}")
        depth += text.endswith("{")
    return "\n".join(out)
