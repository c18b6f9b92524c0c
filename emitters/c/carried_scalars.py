"""Local variables that carry array elements from one iteration of an innermost loop to the next.

Which elements may be carried is for ``s2s.analyses.recurrences`` to say. The new text keeps all
stores::

    double s2s_a_1 = a[i][0];
    double s2s_a_0;
    for (long j = 1; j < n; j++) {
        s2s_a_0 = a[i][j] = f(s2s_a_1);
        s2s_a_1 = s2s_a_0;
    }

Where a reference is not spelled plainly in the source, it is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from s2s.emitters.c.elements import Element, Head
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.scalar_replacement import Instance, Locals, Piece
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import Reader, Rotated
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.records import dataclass

# A reference to an element: nothing in its subscripts but arithmetic on names and numbers.
_REFERENCE = re.compile(r"([A-Za-z_]\w*)(\s*\[[\w\s+*/()-]*\])+")
# What may follow and precede an element that is assigned, so that `x = ` can stand before it.
_ASSIGNED = re.compile(r"\s*(=(?!=)|(\+|-|\*|/|%|&|\||\^|<<|>>)=)")
_BEGINS = re.compile(r"(^|[;{}(,=])\s*$")
# What makes of a reference something else than the value that it names.
_CHANGED_BEHIND = re.compile(r"\s*(\[|\.|->|\(|\+\+|--)|" + _ASSIGNED.pattern)
_CHANGED_BEFORE = re.compile(r"(\+\+|--|\.|->)\s*$")


@dataclass(frozen=True)
class Rotator:
    """Prints what the schedule says is ``rotated``; ``text`` is a statement's with its edits."""

    scop: Scop
    text: Callable[[Statement], str]
    buffer: SourceBuffer
    prefix: str
    printed: list[Rotated] = field(default_factory=list)
    """What came into the text, so far."""

    def locals(self, dimension: str, instances: Sequence[Instance], head: Head) -> Locals | None:
        """Locals for a loop over a dimension; None where nothing is carried."""
        assert self.scop.target is not None
        result, edits, count = Locals(), dict[str, list[Edit]](), Counter[str]()
        rotations: list[str] = []
        for rotated in self.scop.target.rotated:
            chain = self._chain(rotated, dimension, instances, count)
            lines = None if chain is None else chain.before(head)
            if chain is None or lines is None:
                continue
            count[chain.stem] += len(chain.names)
            self.printed.append(rotated)
            result.before += lines
            rotations += chain.rotations()
            for name, edit in chain.edits(self.scop, self.buffer.text):
                edits.setdefault(name, []).append(edit)
        for instance in instances:
            statement = instance.statement
            added = sorted(set(edits.get(statement.name, [])))
            changed = replace(statement, edits=(*statement.edits, *added))
            result.pieces.append(Piece(self.text(changed)))
        result.pieces[-1].stores += rotations
        return result if count else None

    def check(self) -> None:
        """Raise Unprintable where what the schedule is for has not come into the text."""
        assert self.scop.target is not None
        needed = any(r.needed for r in self.scop.target.rotated)
        if needed and not any(r.needed for r in self.printed):
            raise Unprintable("references to the carried elements are not spelled plainly")

    def _chain(
        self,
        rotated: Rotated,
        dimension: str,
        instances: Sequence[Instance],
        count: Mapping[str, int],
    ) -> _Chain | None:
        """The locals of one generator in a loop; None where it or its readers are not there."""
        names = [i.statement.name for i in instances]
        if rotated.dimension != dimension or names.count(rotated.statement) != 1:
            return None
        present = [r for r in rotated.readers if names.count(r.statement) == 1]
        readers = tuple(r for r in present if self._is_read(r.statement, r.access))
        if not readers or not self._is_generator(rotated.statement, rotated.access):
            return None
        elements = {}
        for reader in readers:
            statement = self.scop.statement(reader.statement)
            access = statement.accesses[reader.access]
            elements[reader.distance] = Element(
                self.scop, statement, access, dimension, self.prefix
            )
        stem = f"{self.prefix}{self.scop.arrays[access.array].base}"
        first = count[stem]
        spelled = [f"{stem}_{first + i}" for i in range(max(elements) + 1)]
        return _Chain(rotated, readers, stem, spelled, elements, access.type)

    def _is_generator(self, name: str, index: int) -> bool:
        statement = self.scop.statement(name)
        access = statement.accesses[index]
        if not access.write:
            return self._is_read(name, index)
        before, behind = self._around(statement, access.span)
        return (
            self._is_plain(statement, access, access.span)
            and bool(_BEGINS.search(before))
            and bool(_ASSIGNED.match(behind))
        )

    def _is_read(self, name: str, index: int) -> bool:
        statement = self.scop.statement(name)
        access = statement.accesses[index]
        for span in access.spans:
            before, behind = self._around(statement, span)
            changed = _CHANGED_BEFORE.search(before) or _CHANGED_BEHIND.match(behind)
            if changed or not self._is_plain(statement, access, span):
                return False
        return True

    def _is_plain(self, statement: Statement, access: Access, span: Span) -> bool:
        """Whether a reference is spelled as one, in text that is still the source's."""
        touched = any(e.start <= span.end and span.start <= e.end for e in statement.edits)
        spelled = _REFERENCE.fullmatch(self.buffer.text(span))
        base = self.scop.arrays[access.array].base
        inside = span in statement.span
        return inside and not touched and spelled is not None and spelled.group(1) == base

    def _around(self, statement: Statement, span: Span) -> tuple[str, str]:
        whole = statement.span
        return (
            self.buffer.text(Span(whole.start, span.start)),
            self.buffer.text(Span(span.end, whole.end)),
        )


@dataclass(frozen=True)
class _Chain:
    """A generator's locals: ``names[k]`` has its element of ``k`` iterations ago.

    ``elements`` are what readers read, by their distances.
    """

    rotated: Rotated
    readers: tuple[Reader, ...]
    stem: str
    names: Sequence[str]
    elements: Mapping[int, Element]
    type: str
    """The type of the elements; empty where it cannot be spelled."""

    @property
    def farthest(self) -> int:
        return len(self.names) - 1

    def before(self, head: Head) -> list[str] | None:
        """Declarations with the elements that the first iterations read; None where unknown.

        What is read in the first iteration exists; of later ones there may be none.
        """
        kind = self.type or f"__typeof__({self.elements[self.farthest].any})"
        lines = []
        for place in range(self.farthest, 0, -1):
            reader = min(d for d in self.elements if d >= place)
            element = self.elements[reader].text(head, reader - place)
            if element is None:
                return None
            name = self.names[place]
            if reader == place:
                lines.append(f"{kind} {name} = {element};")
            else:
                condition = head.holds_for(head.after(reader - place))
                lines += [f"{kind} {name} = 0;", f"if ({condition}) {name} = {element};"]
        return [*lines, f"{kind} {self.names[0]};"]

    def rotations(self) -> list[str]:
        """What makes an iteration's elements those of the one before."""
        places = range(self.farthest, 0, -1)
        return [f"{self.names[place]} = {self.names[place - 1]};" for place in places]

    def edits(self, scop: Scop, text: Callable[[Span], str]) -> Iterator[tuple[str, Edit]]:
        """By statement, what becomes of the references."""
        access = scop.statement(self.rotated.statement).accesses[self.rotated.access]
        span, name = access.span, self.names[0]
        if access.write:
            yield self.rotated.statement, _edit(Span(span.start, span.start), f"{name} = ")
        else:
            yield self.rotated.statement, _edit(span, f"({name} = {text(span)})")
        for reader in self.readers:
            for span in scop.statement(reader.statement).accesses[reader.access].spans:
                yield reader.statement, _edit(span, self.names[reader.distance])


def _edit(span: Span, text: str) -> Edit:
    return Edit(span.start, span.end, text.encode("utf-8", "surrogateescape"))
