"""OpenMP directives as they stand in the text.

libclang hides the bodies of OpenMP constructs, so a file is parsed as the serial program and the
pragmas are read from the text and attached, by position, to the statement that follows.
"""

from __future__ import annotations

import re
from functools import lru_cache

from s2s.source import Span
from s2s.source.records import dataclass

_NAMES = (
    "target teams distribute parallel for simd", "target teams distribute parallel for",
    "teams distribute parallel for simd", "teams distribute parallel for",
    "distribute parallel for simd", "distribute parallel for",
    "target parallel for simd", "target parallel for", "target teams", "target data", "target",
    "parallel master taskloop", "parallel masked taskloop", "parallel masked", "parallel master",
    "master taskloop", "masked taskloop",
    "parallel for simd", "parallel for", "parallel sections", "parallel loop", "parallel",
    "for simd", "for", "do", "sections", "section", "single", "masked", "master",
    "taskloop simd", "taskloop", "taskgroup", "taskwait", "taskyield", "task",
    "barrier", "critical", "atomic", "ordered", "flush", "simd", "loop", "threadprivate",
    "declare simd", "declare reduction", "declare target", "end declare target", "declare mapper",
    "cancel", "cancellation point", "teams", "distribute", "scan", "depobj", "allocate",
    "requires", "error", "tile", "unroll", "scope", "metadirective", "nothing", "interop",
)  # fmt: skip

STANDALONE = frozenset(
    {"taskwait", "taskyield", "barrier", "flush", "cancel", "cancellation point", "threadprivate",
     "declare simd", "declare reduction", "declare target", "end declare target", "scan", "depobj",
     "requires", "error", "declare mapper", "allocate", "interop", "nothing"}
)  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """``name`` or ``name(argument)``; the argument is the raw text between the parentheses."""

    name: str
    argument: str = ""

    def names(self) -> tuple[str, ...]:
        """The variables of a data-sharing clause without modifiers, steps and sections."""
        listed = self.argument
        if self.name == "linear":
            listed = re.sub(r"^\s*(?:val|ref|uval)\s*\((.*?)\)", r"\1", listed).split(":", 1)[0]
        elif self.name in _WITH_MODIFIER:
            listed = listed.split(":", 1)[-1]
        items = (item.strip() for item in split_items(listed))
        return tuple(item.split("[", 1)[0].strip() for item in items if item)

    def modifier(self) -> str:
        return self.argument.split(":", 1)[0].strip() if ":" in self.argument else ""


_WITH_MODIFIER = frozenset(
    {"reduction", "depend", "in_reduction", "task_reduction", "lastprivate", "doacross"}
)


@dataclass(frozen=True)
class Directive:
    """One ``#pragma omp`` line. ``offset`` is where it ends: it governs what follows."""

    name: str
    clauses: tuple[Clause, ...]
    span: Span
    text: str

    def clause(self, name: str) -> Clause | None:
        return next((c for c in self.clauses if c.name == name), None)

    @property
    def is_standalone(self) -> bool:
        """Whether no statement belongs to it; ``ordered`` has both forms."""
        waits = self.name == "ordered" and bool(self.all("depend", "doacross"))
        return waits or self.name in STANDALONE

    def all(self, *names: str) -> tuple[Clause, ...]:
        return tuple(c for c in self.clauses if c.name in names)

    def listed(self, *names: str) -> tuple[str, ...]:
        """The variables that clauses of these names list, in order."""
        return tuple(v for c in self.all(*names) for v in c.names())


def split_items(text: str) -> list[str]:
    """Split at commas outside parentheses and brackets."""
    items, depth, current = [], 0, ""
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            items.append(current)
            current = ""
        else:
            current += char
    return [*items, current] if current.strip() or items else []


def parse_directive(text: str, span: Span) -> Directive | None:
    """Read ``pragma omp ...`` (without the ``#``); None for another pragma or an unknown name."""
    found = _read(text)
    return None if found is None else Directive(found[0], found[1], span, found[2])


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[str, tuple[Clause, ...], str] | None:
    """Name, clauses and text of a directive; files are parsed again for each region in them."""
    match = re.match(r"pragma\s+omp\b\s*(.*)", text, re.DOTALL)
    if not match:
        return None
    rest = re.sub(r"\s+", " ", match.group(1)).strip()
    name = next((n for n in _NAMES if re.match(rf"{n}\b", rest)), None)
    clauses = None if name is None else _parse_clauses(rest[len(name) :])
    return ("?", (), rest) if name is None or clauses is None else (name, clauses, rest)


def _parse_clauses(text: str) -> tuple[Clause, ...] | None:
    clauses = []
    position = 0
    pattern = re.compile(r"[\s,]*([A-Za-z_]\w*)\s*")
    if text.lstrip().startswith("("):  # critical (name), threadprivate (list)
        closing = _matching(text, text.index("("))
        if closing < 0:
            return None
        clauses.append(Clause("", text[text.index("(") + 1 : closing].strip()))
        position = closing + 1
    while match := pattern.match(text, position):
        name, position, argument = match.group(1), match.end(), ""
        if text[position : position + 1] == "(":
            closing = _matching(text, position)
            if closing < 0:
                return None
            argument = text[position + 1 : closing].strip()
            position = closing + 1
        clauses.append(Clause(name, argument))
    return None if text[position:].strip(" ,") else tuple(clauses)


def _matching(text: str, opening: int) -> int:
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position
    return -1
