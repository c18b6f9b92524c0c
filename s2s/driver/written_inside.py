"""What passes on text do inside a region, done in the text that the region becomes.

::

    for (i) {                                     #pragma omp parallel for
        for (j) maximum;      (as lanes)    ->    for (i) {
        ...                                           the maximum as lanes; ...
    }                                             }

The loops of a row have other gains than the loop over the rows. The new text of the region is
parsed and the passes are asked again, so that what they need is proved for this text. A region
keeps its text if something is no more found in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.regions import Function, functions_of, under_directives
from s2s.frontends.c.unit import Unit
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, SourceBuffer, Span, apply_edits


def write_inside(
    unit: Unit, edits: Sequence[Edit], others: Sequence[Edit], again: Sequence[TextPass],
    within: Sequence[Rewrite],
) -> list[Edit] | None:  # fmt: skip
    """The edits of one function with what the passes do in their text.

    None unless their threads do all that is done ``within`` them in the source's text. ``others``
    are made as well: their names are not taken once more.
    """
    found = _changes_inside(unit, edits, others, again)
    if found is None:
        return None
    text, function, spans, inside = found
    threads = list(under_directives(function))
    shared = (c for c in inside if any(_is_in(c.where, span) for span in threads))
    if Counter(c.reason for c in within) - Counter(c.reason for c in shared):
        return None
    return _made(unit, text, edits, spans, inside)


def go_on_inside(
    unit: Unit, edits: Sequence[Edit], others: Sequence[Edit], again: Sequence[TextPass]
) -> tuple[list[Edit], list[str]]:
    """The edits of one function with what the passes do in loops that they left, and what it is.

    The edits alone where that is nothing. ``others`` are as in ``write_inside``.
    """
    found = _changes_inside(unit, edits, others, again)
    if found is None or not found[-1]:
        return list(edits), []
    text, _, spans, inside = found
    made = _made(unit, text, edits, spans, inside)
    return (list(edits), []) if made is None else (made, [c.reason for c in inside])


def _changes_inside(
    unit: Unit, edits: Sequence[Edit], others: Sequence[Edit], again: Sequence[TextPass]
) -> tuple[SourceBuffer, Function, list[Span], list[Rewrite]] | None:
    """The text with all edits, the function, where its edits stand, and what passes do there."""
    every = sorted((*edits, *others))
    text = SourceBuffer(unit.buffer.path, apply_edits(unit.buffer.data, every))
    spans = [span for edit, span in zip(every, _places(every), strict=True) if edit not in others]
    function = _function_around(parse_again(unit, text), spans[0])
    if function is None:
        return None
    return text, function, spans, _changes(function, again, spans)


def _made(
    unit: Unit, text: SourceBuffer, edits: Sequence[Edit], spans: Sequence[Span],
    inside: Sequence[Rewrite],
) -> list[Edit] | None:  # fmt: skip
    """The edits with what was changed inside; None if that does not parse."""
    made = [edit for change in inside for edit in change.edits]
    if parse_again(unit, SourceBuffer(text.path, apply_edits(text.data, made))).errors:
        return None
    return [
        Edit(edit.start, edit.end, _edited(text, span, made))
        for edit, span in zip(sorted(edits), spans, strict=True)
    ]


def _places(edits: Sequence[Edit]) -> Iterator[Span]:
    """Where the new texts of edits stand, which are in their order, when all are made."""
    moved = 0
    for edit in edits:
        yield Span(edit.start + moved, edit.start + moved + len(edit.text))
        moved += len(edit.text) - (edit.end - edit.start)


def _function_around(unit: Unit, place: Span) -> Function | None:
    cursor = None if unit.errors else unit.function_around(place)
    return next(functions_of(unit, [cursor]), None) if cursor is not None else None


def _changes(
    function: Function, again: Sequence[TextPass], spans: Sequence[Span]
) -> list[Rewrite]:  # fmt: skip
    """What the passes change in some places of a function."""
    found: list[Rewrite] = []
    done: list[Edit] = []
    for one in again:
        for change in one.edits(function, tuple(done)):
            places = [Span(edit.start, edit.end) for edit in change.edits]
            if places and any(all(_is_in(p, span) for p in places) for span in spans):
                found.append(change)
                done += change.edits
    return found


def _edited(text: SourceBuffer, span: Span, edits: Sequence[Edit]) -> bytes:
    inside = [e for e in edits if _is_in(Span(e.start, e.end), span)]
    return text.edited(span, inside).encode("utf-8", "surrogateescape")


def _is_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
