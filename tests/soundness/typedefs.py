"""The same C program with its types spelled through typedefs.

Every substitution keeps the length of the text, so positions stay, and can be taken back; what s2s
does has to be the same but for the names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from s2s.driver.options import Outcome
from s2s.source.diagnostics import Diagnostic

_WORDS = "char|short|int|long|float|double|signed|unsigned"
_QUALIFIERS = "const|volatile"
# Comments, texts and directives stay as they are, macros apart.
_KEPT = (
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*\#[ \t]*(?!define)(?:\\\n|[^\n])*"
)
_SCALAR = rf"\b(?:{_WORDS})(?:[ \t]+(?:{_WORDS}))*\b"
_QUALIFIED = rf"\b(?:(?:{_QUALIFIERS})[ \t]+)+(?:{_WORDS})(?:[ \t]+(?:{_WORDS}))*\b"
_POINTER = rf"(?<=[(,])(?P<space>\s*)(?P<pointer>(?:(?:{_QUALIFIERS})[ \t]+)*{_SCALAR}[ \t]*\*)"
_RECORD = r"\b(?:struct|union)[ \t]+[A-Za-z_]\w*\b(?!\s*[{;])"
_ARRAY = (
    rf"(?P<indent>^[ \t]*)(?P<storage>(?:static|extern)[ \t]+)?(?P<element>{_SCALAR})"
    r"[ \t]+(?P<name>[A-Za-z_]\w*)(?P<sizes>(?:\[[^\]\n]*\])+)[ \t]*;"
)
_STDINT = {
    "int": "int32_t", "unsigned": "uint32_t", "unsigned int": "uint32_t", "short": "int16_t",
    "unsigned short": "uint16_t", "unsigned char": "uint8_t", "signed char": "int8_t",
    "long": "int64_t", "unsigned long": "uint64_t",
}  # fmt: skip


@dataclass(frozen=True)
class Renamed:
    """A program with typedefs; ``head`` is one more line before it."""

    head: str
    body: str
    names: Mapping[str, str]

    @property
    def text(self) -> str:
        return self.head + "\n" + self.body

    def taken_back(self, text: str) -> str:
        """A text that came of it, with the types' own names."""
        for name in sorted(self.names, key=len, reverse=True):
            end = " " if self.names[name].endswith("*") else r"\b"
            text = re.sub(rf"\b{name}{end}", self.names[name], text)
        return text


def _named(text: str) -> str:
    """A name as long as a type's text is."""
    return text[0].upper() + re.sub(r"\W", "_", text[1:])


def _plain(name: str, type_: str) -> str:
    return f"typedef {type_} {name};"


def _chained(name: str, type_: str) -> str:
    return f"typedef {type_} {name}_0; typedef {name}_0 {name}_1; typedef {name}_1 {name};"


def _standard(name: str, type_: str) -> str:
    return f"typedef {_STDINT.get(' '.join(type_.split()), type_)} {name};"


def _substitute(text: str, pattern: str, declare: Callable[[str, str], str]) -> Renamed:
    names: dict[str, str] = {}

    def replaced(match: re.Match[str]) -> str:
        found = match.groupdict().get("pointer") or match[0]
        if match["kept"] is not None or _is_odd(text, match):
            return match[0]
        name = _named(found.removesuffix("*"))
        if re.search(rf"\b{name}\b", text):
            return match[0]
        names[name] = found
        return match[0].replace(found, name.ljust(len(found)))

    both = re.compile(rf"(?P<kept>{_KEPT})|{pattern}", re.DOTALL | re.MULTILINE)
    body = both.sub(replaced, text)
    head = " ".join(declare(name, type_) for name, type_ in sorted(names.items()))
    return Renamed(head, body, names)


def _is_odd(text: str, match: re.Match[str]) -> bool:
    """Whether there is more of a type around the match than the pattern knows."""
    front = text[max(0, match.start() - 12) : match.start()].split()
    behind = text[match.end() : match.end() + 12].split()
    beside = {*front[-1:], *behind[:1]}
    return bool(beside & {"_Complex", "complex", "unsigned", "long", "int", "__int128"})


def _with_arrays(text: str) -> Renamed:
    """One-line declarations of one array each, through typedefs at file level."""
    heads: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        if match["indent"] and re.search(r"[A-Za-z_]|\[\]", match["sizes"]):
            return match[0]
        name = f"{match['name']}_of_{match.start()}"
        typedef = f"typedef {match['element']} {name}{match['sizes']};"
        if match["indent"]:
            heads.append(typedef)
            typedef = ""
        return f"{match['indent']}{typedef} {match['storage'] or ''}{name} {match['name']};"

    body = re.sub(_ARRAY, replaced, text, flags=re.MULTILINE)
    return Renamed(" ".join(heads), body, {})


def renamings(text: str) -> Iterator[tuple[str, Callable[[], Renamed]]]:
    """All ways to spell the types of a program, each with its name."""
    yield "plain", lambda: _substitute(text, _SCALAR, _plain)
    yield "chained", lambda: _substitute(text, _SCALAR, _chained)
    yield "standard", lambda: _headed(_substitute(text, _SCALAR, _standard))
    yield "qualified", lambda: _substitute(text, _QUALIFIED, _chained)
    yield "pointers", lambda: _substitute(text, _POINTER, _plain)
    yield "records", lambda: _substitute(text, _RECORD, _plain)
    yield "arrays", lambda: _with_arrays(text)


def _headed(renamed: Renamed) -> Renamed:
    """With <stdint.h>, after a line that stays the only new one for positions."""
    exact = "__INT8_TYPE__ int8_t", "__INT16_TYPE__ int16_t", "__INT32_TYPE__ int32_t", \
        "__INT64_TYPE__ int64_t", "__UINT8_TYPE__ uint8_t", "__UINT16_TYPE__ uint16_t", \
        "__UINT32_TYPE__ uint32_t", "__UINT64_TYPE__ uint64_t"  # fmt: skip
    front = "".join(f"typedef {declared}; " for declared in exact)
    return Renamed(front + renamed.head, renamed.body, renamed.names)


def said(outcome: Outcome, renamed: Renamed, *, before: bool = False) -> list[object]:
    """What was said of a program, or of it ``before`` it got typedefs: as if it had none.

    Where columns are others, places are lines.
    """

    def flat(diagnostic: Diagnostic) -> object:
        at = diagnostic.location
        place = (at.line - (not before), at.column * bool(renamed.names)) if at else None
        text = renamed.taken_back(diagnostic.text)
        return diagnostic.severity, diagnostic.id, text, place, [*map(flat, diagnostic.notes)]

    return [flat(diagnostic) for diagnostic in outcome.diagnostics]
