"""Mappings as JSON, to be remembered."""

from __future__ import annotations

import json
from typing import Any

from s2s.scop.layouts import Axis, Layout, Tiled, Windows
from s2s.transforms.aie.mapping import Mapping

_PAIRS = ("jam", "keep", "pad")
_LAYOUTS = ("image", "weight", "output")


def to_json(mapping: Mapping) -> str:
    """One line that ``from_json`` reads."""
    found = {name: getattr(mapping, name) for name in mapping.__dataclass_fields__}
    for name in _LAYOUTS:
        found[name] = _layout(found[name])
    return json.dumps(found, sort_keys=True, separators=(",", ":"))


def _layout(layout: Layout | None) -> object:
    if layout is None:
        return None
    assert isinstance(layout, Tiled), "streams are made from mappings, not given in them"
    axes = [[a.dimension, a.divisor, a.extent] for a in layout.axes]
    if isinstance(layout, Windows):
        return [layout.tail, axes, layout.dimension, layout.lanes, layout.reach, layout.copies]
    return [layout.tail, axes]


def from_json(text: str) -> Mapping:
    """A mapping; ValueError or TypeError for what is none."""
    found: dict[str, Any] = json.loads(text)
    for name in _PAIRS:
        found[name] = tuple((str(n), int(f)) for n, f in found[name])
    for name in _LAYOUTS:
        if found[name] is not None:
            tail, axes, *window = found[name]
            every = tuple(Axis(*axis) for axis in axes)
            found[name] = Windows(every, tail, *window) if window else Tiled(every, tail)
    found["order"] = tuple(found["order"])
    return Mapping(**found)
