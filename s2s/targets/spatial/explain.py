"""``s2s explain --target spatial``: the rules R1 to R4 on each nest, and its layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from s2s.analyses.conformability import Conformability
from s2s.source import SourceBuffer, Span
from s2s.source.spatial.directives import Mapping
from s2s.source.spatial.regions import TiledLoop, levels_of
from s2s.source.spatial.tiles import directives
from s2s.source.spatial.writing import write_layer
from s2s.targets.spatial.nests import Judged
from s2s.targets.spatial.printed import Printed
from s2s.transforms.spatial.nest_layers import NestLayer


def explained(
    buffer: SourceBuffer, nests: Iterable[Judged], printed: Iterable[Printed] = ()
) -> str:
    """What is to be said of a file's nests, each under the lines that it is about."""
    found = [(nest.attempt.span.start, _nest(buffer, nest)) for nest in nests]
    found += [(one.span.start, _printed(buffer, one)) for one in printed]
    found.sort(key=lambda one: one[0])
    return "\n".join("\n".join(lines) + "\n" for _, lines in found)


def _printed(buffer: SourceBuffer, one: Printed) -> Iterator[str]:
    """A nest that was printed for a mapping: the plain one, and the directives."""
    where = buffer.location(one.span)
    head = f"{buffer.path}:{where.line}-{where.end_line}: loop nest of '{one.nest.name}'"
    yield f"{head}, as s2s prints for the mapping below:"
    text = one.nest.unit.buffer.text(one.nest.attempt.whole)
    yield from (f"  {line}" for line in text.splitlines())
    yield "  conformable"
    yield f"  as a layer, where {_places(one.own, one.nest)}, with its mapping:"
    yield from (f"    {line}" for line in write_layer(one.layer).splitlines())


def _places(own: NestLayer, nest: Judged) -> str:
    """Which loop is which dimension."""
    names = nest.normal.names
    return ", ".join(f"{dim} is {names[place]}" for dim, place in own.places.items())


def _nest(buffer: SourceBuffer, nest: Judged) -> Iterator[str]:
    where = buffer.location(nest.attempt.span)
    yield f"{buffer.path}:{where.line}-{where.end_line}: loop nest of '{nest.name}'"
    if nest.unread is not None:
        reason, at = nest.unread
        yield f"  R1 no   line {buffer.place(at).line}: {reason}"
        yield "  not conformable"
        return
    assert nest.verdicts is not None
    yield from rules(buffer, nest.verdicts)
    yield from _layer(buffer, nest)
    if nest.made is not None:
        yield f"  made conformable: {'; '.join(nest.made.words)}"
        for one in nest.made.nests:
            text = one.unit.buffer.text(one.attempt.whole)
            yield f"  {text}"
            yield from (f"  {line}" for line in _made(one))


def _made(nest: Judged) -> Iterator[str]:
    """What there is to say of a nest that was made: its places are no lines of the file."""
    assert nest.verdicts is not None
    for verdict in nest.verdicts.verdicts:
        if not verdict.holds:
            yield f"  {verdict.rule} no: {verdict.reason}"
    if nest.verdicts.holds and nest.layer is None and nest.no_layer is not None:
        yield f"  conformable, no layer: {nest.no_layer[0]}"
    elif nest.layer is not None:
        yield "  conformable"
        yield from _layer(nest.unit.buffer, nest)


def _layer(buffer: SourceBuffer, nest: Judged) -> Iterator[str]:
    if nest.layer is not None and nest.scop is not None:
        yield f"  as a layer, where {_places(nest.layer, nest)}:"
        layer = nest.layer.layer
        mapping = _own_mapping(nest)
        if mapping is not None:
            yield "  with the mapping that its loops are, parallel ones spatial:"
            layer = replace(layer, mapping=mapping)
        yield from (f"  {line}" for line in write_layer(layer).splitlines())
    elif nest.no_layer is not None:
        reason, at = nest.no_layer
        yield f"  no layer: line {buffer.place(at).line}: {reason}"


def _own_mapping(nest: Judged) -> Mapping | None:
    """The mapping of a nest that was tiled by hand; None where no loop of it is parallel."""
    assert nest.layer is not None
    dims = {place: dim for dim, place in nest.layer.places.items()}
    loops = [TiledLoop(dims[one.place], one.step, one.parallel) for one in nest.normal.tiles]
    levels = levels_of(nest.layer.layer, loops)
    if not any(level.spatial for level in levels):
        return None
    return directives(nest.layer.layer, levels)


def rules(buffer: SourceBuffer, verdicts: Conformability) -> Iterator[str]:
    """A line for each rule, then whether all hold."""
    for verdict in verdicts.verdicts:
        word = "yes" if verdict.holds else "no "
        yield f"  {verdict.rule} {word}  line {_line(buffer, verdict.at)}: {verdict.reason}"
    if verdicts.disjoint:
        names = " and ".join(f"'{name}'" for name in verdicts.disjoint)
        yield f"  taken for memory that does not overlap: {names}"
    yield "  conformable" if verdicts.holds else "  not conformable"


def _line(buffer: SourceBuffer, at: Span) -> int:
    return buffer.place(at).line
