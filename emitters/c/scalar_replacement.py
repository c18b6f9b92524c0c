"""Local variables for array elements that registers hold in an innermost loop.

Which elements may be held is for ``s2s.analyses.registers`` to say. Only the text is looked at
here: where it may hide a reference (a macro), or spells one in a way that is not understood, the
schedule is not printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from operator import attrgetter

from s2s.emitters.c.errors import Unprintable
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import Held
from s2s.scop.texts import PREFIX
from s2s.source import Edit, Span
from s2s.source.records import dataclass

_WORD = re.compile(r"[A-Za-z_]\w*")
_PART = r"(?:\s*\[[\w\s+*-]*\]|\s*(?:\.|->)\s*[A-Za-z_]\w*)"
_REFERENCE = re.compile(rf"[A-Za-z_]\w*{_PART}*")
_MEMBER = re.compile(r"(?:\.|->)\s*[A-Za-z_]\w*")
_TYPES = frozenset(
    ("const", "double", "float", "int", "long", "short", "signed", "char", "unsigned")
)
_IN_LINE = 6
_BRANCHES = frozenset(("if", "else"))
_BRACES = re.compile(r"[{}]")
_UNCLEAR = re.compile(r"//|/\*|[\"'#\\{}]")


@dataclass(frozen=True)
class Instance:
    """A statement in a loop's body with the values of its iterators, C texts by spelling."""

    statement: Statement
    values: Mapping[str, str]


@dataclass(frozen=True)
class Load:
    """A local variable that holds a value from before an instance on.

    Without a ``type`` that can be spelled it has that of its value; ``fixed``: nothing sets it
    again.
    """

    type: str
    name: str
    value: str
    fixed: bool

    @property
    def declared(self) -> str:
        const = "const " if self.fixed else ""
        return f"{const}{self.type or f'__typeof__({self.value})'} {self.name} = {self.value};"

    @property
    def assigned(self) -> str:
        return f"{self.name} = {self.value};"


def declare_later(loads: Sequence[Load]) -> Iterator[str]:
    """Declarations before the first statement of what is loaded between the others."""
    for type_ in dict.fromkeys(load.type for load in loads if load.type):
        names = [load.name for load in loads if load.type == type_]
        for start in range(0, len(names), _IN_LINE):
            yield f"{type_} {', '.join(names[start : start + _IN_LINE])};"


@dataclass
class Piece:
    """An instance's new text with what is loaded before it and the lines after it."""

    text: str = ""
    loads: list[Load] = field(default_factory=list)
    stores: list[str] = field(default_factory=list)


@dataclass
class Locals:
    """What to print around a loop, and the ``pieces`` of its body, one for each instance."""

    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    leaf: str = ""
    """The name by which the pieces go, where it is not that of their statement."""
    unconditional: bool = False
    """Whether nothing stands around the loop that needs what an empty one does not have."""
    skipped: str = ""
    """How many iterations come before the first one that stores where vectors are aligned."""


@dataclass
class _Local:
    """A local variable and the first and last instance that name it."""

    name: str
    element: str
    held: Held
    first: int
    last: int
    type: str


@dataclass(frozen=True)
class Holder:
    """Replaces references by local variables; ``source`` gives the text of a span."""

    scop: Scop
    text: Callable[[Statement], str]
    source: Callable[[Span], str]
    prefix: str

    def locals(self, dimension: str, instances: Sequence[Instance]) -> Locals | None:
        """Locals for a loop over a dimension; None where nothing is held. Raises Unprintable."""
        assert self.scop.target is not None
        wanted = [h for h in self.scop.target.held if h.dimension == dimension]
        result = Locals()
        found: dict[str, _Local] = {}
        count: Counter[str] = Counter()
        for place, instance in enumerate(instances):
            text = self.text(instance.statement)
            for held, spelled in self._found(instance.statement, wanted, text):
                element = put_values(spelled, instance.values)
                if element not in found:
                    array = _WORD.match(spelled).group()  # type: ignore[union-attr]
                    name = f"{self.prefix}{array.removeprefix(self.prefix)}_{count[array]}"
                    count[array] += 1
                    type_ = instance.statement.accesses[held.access].type
                    found[element] = _Local(name, element, held, place, place, type_)
                found[element].last = place
                text = _pattern(spelled).sub(found[element].name, text)
            result.pieces.append(Piece(text))
        for local in found.values():
            _declare(result, local)
        return result if found else None

    def _found(
        self, statement: Statement, wanted: Sequence[Held], text: str
    ) -> list[tuple[Held, str]]:
        """Elements to hold with their spelling. Raises Unprintable where one is needed."""
        try:
            return self._references(statement, wanted, text)
        except Unprintable:
            if any(h.needed for h in wanted if h.statement == statement.name):
                raise
            return []

    def _references(
        self, statement: Statement, wanted: Sequence[Held], text: str
    ) -> list[tuple[Held, str]]:
        """Elements to hold with their spelling. Raises Unprintable."""
        named = _MEMBER.sub("", text)
        words = {w for w in _WORD.findall(named) if not w.startswith(self.prefix)}
        words -= statement.declares | _TYPES
        if not any(h.statement == statement.name for h in wanted):
            return []
        if not any(h.written or h.inside for h in wanted if h.statement == statement.name):
            # What is only read before all the text may be read in its branches.
            words -= _BRANCHES
            text = _BRACES.sub(" ", text)
        plain = all(any(_is_in(e, a) for a in statement.accesses) for e in statement.edits)
        if not plain or _UNCLEAR.search(text) or not words <= statement.uses:
            raise Unprintable("a statement's text may hide references to arrays")
        found = []
        for held in wanted:
            if held.statement != statement.name:
                continue
            access = statement.accesses[held.access]
            array = self._name(access.array)
            known = {self._spelled(statement, a) for a in statement.accesses}
            spelled, own = _occurrences(array, text), self._spelled(statement, access)
            if spelled is None or not spelled <= known or own not in spelled:
                raise Unprintable(f"a reference to '{array}' is not spelled plainly")
            if held.written and self._spellings(statement, access) != {own}:
                # What one spelling changes, the others would still have in memory.
                raise Unprintable(f"an element of '{array}' is spelled in several ways")
            if not statement.sets.isdisjoint(_WORD.findall(own)):
                raise Unprintable(f"a statement sets what its subscripts of '{array}' have")
            found.append((held, own))
        return found

    def _spellings(self, statement: Statement, access: Access) -> set[str]:
        """All that a statement calls the element of an access."""
        return {
            self._spelled(statement, replace(other, span=span))
            for other in statement.accesses
            if other.array == access.array and other.relation.is_equal(access.relation)
            for span in other.spans
        }

    def _name(self, array: str) -> str:
        """What all references to an array begin with: its own name, or that of a pointer to it.

        Raises Unprintable where names differ: one element would have several locals.
        """
        spelled = {
            self._spelled(s, a)
            for s in self.scop.statements
            for a in s.accesses
            if a.array == array
        }
        names = {match.group() if (match := _WORD.match(text)) else "" for text in spelled}
        if len(names) != 1 or "" in names:
            raise Unprintable(f"references to '{self.scop.arrays[array].spelling}' differ in names")
        return names.pop()

    def _spelled(self, statement: Statement, access: Access) -> str:
        """The reference as the text has it, with the edits in it (those of ``contract``)."""
        span = access.span
        spelled, at = "", span.start
        for edit in sorted(
            (e for e in statement.edits if _is_in(e, access)), key=attrgetter("start")
        ):
            spelled += self.source(Span(at, edit.start)) + edit.text.decode(
                "utf-8", "surrogateescape"
            )
            at = edit.end
        spelled = (spelled + self.source(Span(at, span.end))).replace(PREFIX, self.prefix)
        if at > span.start and (reference := _REFERENCE.match(spelled)):
            spelled = reference.group()  # without the value of what was a declaration
        return re.sub(r"\s+", "", spelled)


def put_values(spelled: str, values: Mapping[str, str]) -> str:
    """A reference with the iterators' values for their names."""

    def put(match: re.Match[str]) -> str:
        before, word, behind = match.groups()
        value = values.get(word, word)
        alone = (before and behind) or re.fullmatch(r"\w+", value)
        return f"{before}{value if alone else f'({value})'}{behind}"

    return re.sub(r"(\[?)(?<![.>])\b([A-Za-z_]\w*)\b(\]?)", put, spelled)


def _declare(result: Locals, local: _Local) -> None:
    """Load the element before its first use and store it after its last one.

    In a body whose elements are all loaded first and stored last, gcc loads what several instances
    read anew for each of them: no store stands in between that could change it.
    """
    load = Load(local.type, local.name, local.element, not local.held.written)
    store = [f"{local.element} = {local.name};"] if local.held.written else []
    if local.held.inside:
        result.pieces[local.first].loads.append(load)
        result.pieces[local.last].stores += store
    else:
        result.before.append(load.declared)
        result.after += store


def _is_in(edit: Edit, access: Access) -> bool:
    """Whether an edit changes nothing but the text of an access."""
    return access.span.start <= edit.start and edit.end <= access.span.end


def _occurrences(array: str, text: str) -> set[str] | None:
    """All references that begin with a name, without blanks; None where one is not plain."""
    found = re.findall(rf"(?<![\w.>]){array}{_PART}+(?!\s*[\[.(]|\s*->)", text)
    if len(found) != len(re.findall(rf"\b{array}\b", text)):
        return None
    return {re.sub(r"\s+", "", reference) for reference in found}


def _pattern(spelled: str) -> re.Pattern[str]:
    """Where a text has a reference, whatever its blanks."""
    tokens = re.findall(r"\w+|[^\w\s]", spelled)
    return re.compile(r"(?<![.>])\b" + r"\s*".join(map(re.escape, tokens)) + r"(?!\w)")
