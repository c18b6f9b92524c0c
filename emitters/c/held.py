"""Local variables for array elements that registers hold in an innermost loop.

Which elements may be held is for ``s2s.analyses.registers`` to say. Only the text is looked at
here: where it may hide a reference (a macro), or spells one in a way that is not understood, the
schedule is not printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from s2s.emitters.c.guard import Unprintable
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import Held
from s2s.source import Span

_WORD = re.compile(r"[A-Za-z_]\w*")
_UNCLEAR = re.compile(r"//|/\*|[\"'#\\{}]")


@dataclass(frozen=True)
class Instance:
    """A statement in a loop's body with the values of its iterators, C texts by spelling."""

    statement: Statement
    values: Mapping[str, str]


@dataclass
class Locals:
    """What to print around a loop and in its body; ``texts`` are the instances' new texts."""

    before: list[str] = field(default_factory=list)
    begin: list[str] = field(default_factory=list)
    end: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


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
        names: dict[str, str] = {}
        for instance in instances:
            text = self.text(instance.statement)
            for held, spelled in self._references(instance.statement, wanted, text):
                element = self._element(spelled, instance.values)
                if element not in names:
                    array = _WORD.match(spelled).group()  # type: ignore[union-attr]
                    names[element] = f"{self.prefix}{array}_{len(names)}"
                    _declare(result, held, names[element], element)
                text = _pattern(spelled).sub(names[element], text)
            result.texts.append(text)
        return result if names else None

    def _references(
        self, statement: Statement, wanted: Sequence[Held], text: str
    ) -> list[tuple[Held, str]]:
        """Elements to hold with their spelling. Raises Unprintable."""
        words = set(_WORD.findall(text))
        if not any(h.statement == statement.name for h in wanted):
            return []
        if statement.edits or _UNCLEAR.search(text) or not words <= statement.uses:
            raise Unprintable("a statement's text may hide references to arrays")
        found = []
        for held in wanted:
            if held.statement != statement.name:
                continue
            access = statement.accesses[held.access]
            array = self.scop.arrays[access.array].spelling
            known = {self._spelled(a) for a in statement.accesses if a.array == access.array}
            spelled = _occurrences(array, text)
            if spelled is None or not spelled <= known or self._spelled(access) not in spelled:
                raise Unprintable(f"a reference to '{array}' is not spelled plainly")
            found.append((held, self._spelled(access)))
        return found

    def _spelled(self, access: Access) -> str:
        return re.sub(r"\s+", "", self.source(access.span))

    def _element(self, spelled: str, values: Mapping[str, str]) -> str:
        """The reference with the iterators' values for their names."""

        def put(match: re.Match[str]) -> str:
            before, word, behind = match.groups()
            value = values.get(word, word)
            alone = (before and behind) or re.fullmatch(r"\w+", value)
            return f"{before}{value if alone else f'({value})'}{behind}"

        return re.sub(r"(\[?)\b([A-Za-z_]\w*)\b(\]?)", put, spelled)


def _declare(result: Locals, held: Held, name: str, element: str) -> None:
    const = "" if held.written else "const "
    line = f"{const}__typeof__({element}) {name} = {element};"
    (result.begin if held.inside else result.before).append(line)
    if held.written:
        (result.end if held.inside else result.after).append(f"{element} = {name};")


def _occurrences(array: str, text: str) -> set[str] | None:
    """All references to an array without their blanks; None where one is not plain."""
    subscripts = r"(?:\s*\[[\w\s+*-]*\])+"
    found = re.findall(rf"(?<![\w.>]){array}{subscripts}(?!\s*[\[.(]|\s*->)", text)
    if len(found) != len(re.findall(rf"\b{array}\b", text)):
        return None
    return {re.sub(r"\s+", "", reference) for reference in found}


def _pattern(spelled: str) -> re.Pattern[str]:
    """Where a text has a reference, whatever its blanks."""
    tokens = re.findall(r"\w+|[^\w\s]", spelled)
    return re.compile(r"\b" + r"\s*".join(map(re.escape, tokens)))
