"""Nests that s2s printed for a mapping, read back: the plain nest, and its mapping's directives.

::

    for (long s2s_i_1 = 0; ...; s2s_i_1 += 5) { /* SpatialMap(5,5) M */
        for (int i = (int)s2s_i_1; ...) ...            ->    SpatialMap(5,5) M

Each loop says which directive it is. That is believed only where the plain nest, printed for these
directives once more, is this text to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import takewhile
from math import prod

from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass
from s2s.source.spatial.directives import Level, Map, Mapping, SpatialMap, TemporalMap
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.tiles import tile_levels
from s2s.targets.spatial.nests import Judged, judged_nests
from s2s.transforms.spatial.nest_layers import NestLayer, contraction_of

_MARK = re.compile(r"\{\s*/\* s2s: mapped;")
_WORD = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}]""", re.DOTALL)
_LEVEL = re.compile(r"/\* level (\d+) \*/")
_TILE = re.compile(
    r"for \(long (\w+) = (\w+); \1 < (.+?); \1 \+= \d+\) \{ "
    r"/\* (Spatial|Temporal)Map\((\d+),\d+\) ([^\s:]+)(?:: (\d+) clusters(?: at a time)?)? \*/"
)
_OWN = re.compile(r"for \((.+?) (\w+) = (.+?); \2 < (.+); \2\+\+\) \{")
_CONST = re.compile(r"const (.+?) (\w+) = (.+);")
_VALUE = re.compile(r"(?:\([\w ]+\))?\(?(?:(-?\d+)(?: ([+-]) |$))?(?:(-?\d+) \* )?(\w*)\)?")
_ELSE = "} else {\n"
_PREFIX = re.compile(r"\bs2s\d*_")


@dataclass(frozen=True)
class Printed:
    """The plain nest of a text that was printed, and its layer with the mapping; ``span`` is where
    the text stands in the file, ``own`` leads from dimensions to loops.
    """

    span: Span
    nest: Judged
    own: NestLayer
    layer: Layer


@dataclass
class _Text:
    """What the lines of a printed nest say."""

    levels: dict[int, list[Map]] = field(default_factory=dict)
    units: dict[int, int] = field(default_factory=dict)
    extents: dict[str, str] = field(default_factory=dict)
    own: list[str] = field(default_factory=list)
    plain: dict[str, str] = field(default_factory=dict)
    valued: dict[str, str] = field(default_factory=dict)

    def nest(self) -> list[str]:
        """The heads of the source's own loops, in an order for which they are printed so: those
        that are ``valued`` by a constant stand as these do, those with a loop as the loops do.
        """
        order: list[str] = []
        rest = self.own
        for name in self.valued:
            if name in rest:
                place = rest.index(name)
                order, rest = [*order, *rest[: place + 1]], rest[place + 1 :]
            else:
                order.append(name)
        heads = self.plain | self.valued
        return [heads[name] for name in (*order, *rest)]


def printed_nests(unit: Unit) -> list[Printed]:
    """All nests of a file that were printed for a mapping and are what their directives say."""
    found = []
    for span in _spans(unit.buffer):
        text = unit.buffer.text(span)
        one = _again(unit, span, text, *_read(text))
        if one is not None:
            found.append(one)
    return found


def others(nests: Sequence[Judged], printed: Sequence[Printed]) -> list[Judged]:
    """The nests that are in none of those texts."""
    return [nest for nest in nests if all(nest.attempt.span not in one.span for one in printed)]


def _spans(buffer: SourceBuffer) -> Iterator[Span]:
    data = buffer.data.decode("latin-1")  # so that places are bytes
    for mark in _MARK.finditer(data):
        depth = 0
        for word in _WORD.finditer(data, mark.start()):
            depth += {"{": 1, "}": -1}.get(word.group(), 0)
            if not depth:
                yield Span(mark.start(), word.end())
                break


def _read(text: str) -> tuple[Mapping, str, int]:
    """The mapping of a printed text, the plain nest, the clusters of level 1 (0: any)."""
    found = _Text()
    lines = text.split("\n")[1:]
    heads = list(takewhile(lambda line: _line(found, line.strip()), lines))
    opened = 1 + sum(line.split("/*")[0].rstrip().endswith("{") for line in heads)
    rest = "\n".join(lines[len(heads) :])
    if _ELSE in rest:
        plain = rest.split(_ELSE, 1)[1]
        closers = 2
    else:
        plain = "\n".join((*found.nest(), f"  {rest.lstrip()}"))
        closers = opened
    for _ in range(closers):
        plain = plain.rstrip().removesuffix("}")
    last = max(found.levels, default=1)
    levels = [
        Level(tuple(found.levels.get(n, ())), None if n == last else found.units.get(n + 1, 1))
        for n in range(1, last + 1)
    ]
    return Mapping(tuple(levels)), plain, found.units.get(1, 0)


def _line(found: _Text, line: str) -> bool:
    """Take a line; whether it is one before the statement."""
    if match := _LEVEL.fullmatch(line):
        found.levels[int(match[1])] = []
    elif match := _TILE.fullmatch(line):
        return _tile(found, match)
    elif match := _OWN.fullmatch(line):
        type_, name, _, end = match.groups()
        if _PREFIX.match(name):
            name = _PREFIX.sub("", name)
            found.extents.setdefault(name, end)
            found.own.append(name)  # its value follows
        else:
            extent = found.extents.get(name, end)
            found.own.append(name)
            found.plain[name] = f"for ({type_} {name} = 0; {name} < {extent}; {name}++)"
    elif match := _CONST.fullmatch(line):
        return _constant(found, *match.groups())
    else:
        return _is_other(line)
    return True


def _is_other(line: str) -> bool:
    starts = ("/* s2s: mapped", "/* one processing element */", "(void)", "long ", "if (")
    return not line or line.startswith(starts)


def _tile(found: _Text, match: re.Match[str]) -> bool:
    name, _, end, kind, size, dim, units = match.groups()
    level = max(found.levels, default=0)
    parts = re.fullmatch(r"s2s\d*_(\w+)_(?:fold)?(\d+)", name)
    if parts is None or int(parts[2]) != level:
        return False
    found.extents.setdefault(parts[1], end)
    one = (SpatialMap if kind == "Spatial" else TemporalMap)(int(size), int(size), dim)
    if one not in found.levels[level]:
        found.levels[level].append(one)
    if units:
        found.units[level] = int(units)
    return True


def _constant(found: _Text, type_: str, name: str, value: str) -> bool:
    """``const int i = (int)(2 + 3 * s2s_i);``: the loop whose iterator that is."""
    match = _VALUE.fullmatch(value)
    if match is None:
        return False
    first, sign, stride, _ = match.groups()
    step = int(stride or 1) * (-1 if sign == "-" else 1)
    extent = int(found.extents.get(name, 1))
    start = int(first or 0)
    test = "<" if step > 0 else ">"
    end = start + step * extent
    found.valued[name] = f"for ({type_} {name} = {start}; {name} {test} {end}; {name} += {step})"
    return True


def _again(
    unit: Unit, span: Span, text: str, mapping: Mapping, plain: str, units: int
) -> Printed | None:
    """The nest judged; None where it would not be printed as it is for its directives."""
    from s2s.targets.spatial.mapped import edit_of

    data = apply_edits(unit.buffer.data, [Edit(span.start, span.end, plain.encode())])
    again = parse_again(unit, SourceBuffer(unit.buffer.path, data))
    if again.errors:
        return None
    inside = Span(span.start, span.start + len(plain.encode()))
    nests = [nest for nest in judged_nests(again) if nest.attempt.span in inside]
    if len(nests) != 1 or nests[0].layer is None:
        return None
    (nest,) = nests
    own = _named(nest, mapping)
    mapping = _with_spatial_map(own.layer, mapping)
    layer = replace(own.layer, mapping=mapping)
    elements = units * prod(mapping.clusters) if units else None
    try:
        edit = edit_of(nest, own, tile_levels(layer, elements=elements), True)
    except UserError:
        return None
    name = nest.name
    same = _words(edit.text.decode()) == _words(text)
    return Printed(span, nest, own, replace(layer, name=name)) if same else None


def _with_spatial_map(layer: Layer, mapping: Mapping) -> Mapping:
    """With a map that shares nothing out, where none of the loops that were printed is spatial."""
    maps = [one for level in mapping.levels for one in level.maps]
    if any(isinstance(one, SpatialMap) for one in maps):
        return mapping
    last = mapping.levels[-1]
    sizes = layer.loops | {one.dim: one.size for one in maps}
    dim = next((dim for dim in sizes if all(one.dim != dim for one in last.maps)), "")
    if not dim:
        return mapping
    whole = SpatialMap(sizes[dim], sizes[dim], dim)
    return Mapping((*mapping.levels[:-1], replace(last, maps=(*last.maps, whole))))


def _named(nest: Judged, mapping: Mapping) -> NestLayer:
    """The nest's layer, in the dimensions that the directives have: its own, or its loops."""
    assert nest.layer is not None
    dims = {one.dim for level in mapping.levels for one in level.maps}
    if dims <= nest.layer.layer.loops.keys():
        return nest.layer
    return contraction_of(nest.layer.layer.name, nest.normal)


def _words(text: str) -> str:
    """A printed nest without the source's own, the prefix of names, and spaces."""
    return "".join(_PREFIX.sub("", text.split(_ELSE, 1)[0]).split())
