"""The numbers of the array that placement, routing and pipelining need."""

from __future__ import annotations

from pathlib import Path

from s2s.scop.fabric import Array, Number


def load_array() -> Array:
    """The array of the file in this folder: each number with its source."""
    import tomllib

    text = Path(__file__).with_name("amber.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return Array(table.pop("name"), {name: Number(**one) for name, one in table.items()})
