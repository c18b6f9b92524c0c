"""Statements of which some conditions are known, and the text that is left of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import islpy as isl

from s2s.scop.nodes import Statement
from s2s.scop.texts import Choice
from s2s.source import Edit, Span
from s2s.source.records import dataclass

# Whether a part of a domain is a boundary of the whole.
IsThin = Callable[[isl.Set, isl.Set], bool]


@dataclass(frozen=True)
class Path:
    """Instances for which some conditions are known, and how they go."""

    domain: isl.Set
    decided: tuple[tuple[Choice, bool], ...]

    def taking(self, choice: Choice, *, taken: bool) -> Path:
        condition = choice.condition.intersect(self.domain)
        domain = condition if taken else self.domain.subtract(condition)
        return Path(domain, (*self.decided, (choice, taken)))

    @property
    def edits(self) -> list[Edit]:
        return _specialize(self.decided)

    def all_edits(self, statement: Statement) -> tuple[Edit, ...]:
        """With what was changed before in the text that is left."""
        edits = self.edits
        kept = [e for e in statement.edits if not any(_removes(d, e) for d in edits)]
        return (*kept, *edits)

    def control(self, statement: Statement) -> tuple[Span, ...]:
        """Control flow that the specialised text still has."""
        edits = self.edits
        return tuple(c for c in statement.control if not any(_removes(e, c) for e in edits))

    def drops(self, span: Span) -> bool:
        """Whether the specialised text is without a part of the text."""
        dropped = [c.otherwise if taken else c.then for c, taken in self.decided]
        return any(d is not None and span in d for d in dropped)


def decide(
    statement: Statement, context: isl.Set, is_thin: IsThin
) -> Iterator[tuple[Choice, bool]]:
    """Conditions with a boundary on one side, and whether the bulk takes the first part.

    Inner ones are looked at in the part that is kept, and among the instances that get there.
    """
    bulk = statement.domain.intersect_params(context)
    skipped: list[Span] = []
    for choice in statement.choices:
        if any(choice.span in span for span in skipped):
            continue
        then = bulk.intersect(choice.condition)
        otherwise = bulk.subtract(then)
        thin = is_thin(then, bulk), is_thin(otherwise, bulk)
        if thin[0] == thin[1]:
            skipped.append(choice.span)
            continue
        taken = thin[1]
        bulk = (then if taken else otherwise).coalesce()
        dropped = choice.otherwise if taken else choice.then
        if dropped is not None:
            skipped.append(dropped)
        yield choice, taken


def _specialize(decided: Iterable[tuple[Choice, bool]]) -> list[Edit]:
    """Edits that leave one part of each decided condition's text."""
    decided = tuple(decided)
    spans = {choice.span for choice, _ in decided}
    edits = []
    for choice, taken in decided:
        kept = choice.then if taken else choice.otherwise
        if kept is None:
            gone = choice.left_out
            edits.append(
                Edit(choice.span.start, choice.span.end, b";")
                if gone is None
                else Edit(gone.start, gone.end, b"")
            )
            continue
        block = choice.statement and (kept in choice.blocks or kept in spans)
        opening, closing = (b"", b"") if block else (b"{ ", b" }")
        if not choice.statement:
            plain = kept in choice.plain and not choice.type
            opening, closing = (b"", b"") if plain else _parentheses(choice.type)
        edits.append(Edit(choice.span.start, kept.start, opening))
        edits.append(Edit(kept.end, choice.span.end, closing))
    return _joined(edits)


def _parentheses(type_: str) -> tuple[bytes, bytes]:
    """What stands around the part that is left of ``c ? a : b``, converted as it was there."""
    return (f"(({type_})(".encode(), b"))") if type_ else (b"(", b")")


def _joined(edits: list[Edit]) -> list[Edit]:
    """Edits that meet as one, those that change nothing left out."""
    joined: list[Edit] = []
    for edit in sorted(edits):
        if joined and joined[-1].end == edit.start:
            joined[-1] = Edit(joined[-1].start, edit.end, joined[-1].text + edit.text)
        elif edit.text or edit.start < edit.end:
            joined.append(edit)
    return joined


def _removes(edit: Edit, place: Span | Edit) -> bool:
    return edit.start <= place.start < edit.end
