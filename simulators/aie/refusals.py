"""What kernels of other people use that is not simulated, said in one line, not by the parser.

Declarations of functions that mention such types, as headers have them for all kernels of a
program, are left out: nothing is lost with them.
"""

from __future__ import annotations

import re

from s2s.simulators.aie.definitions import definitions, drop_items

_ENDS = r"(?:in|out)put_(?:window|stream)_"
_KINDS = (
    ("complex floats", re.compile(rf"\b(?:v\d+cfloat|cfloat|{_ENDS}cfloat)\b")),
    ("streams of sums", re.compile(rf"\b{_ENDS}acc(?:\d+|float)\b")),
    ("classes and templates over types", re.compile(r"\bclass\s+\w+|\btemplate\s*<")),
)


def find_refused(text: str) -> tuple[int, str] | None:
    """The place of the first thing that is not simulated, and what to say of it."""
    found = []
    for what, pattern in _KINDS:
        match = pattern.search(text)
        if match is not None:
            said = " ".join(match[0].split())
            found.append((match.start(), f"{what} are not simulated ('{said}')"))
    if not found:
        return None
    return min(found)


def is_of_classes(said: str) -> bool:
    """Whether it is classes or templates that are refused."""
    return said.startswith(_KINDS[-1][0])


def without_declarations(text: str) -> str:
    """The text without declarations of functions that mention what is not simulated."""
    if find_refused(text) is None:
        return text
    items = [
        one
        for one in definitions(text)
        if not one.is_function
        and _is_declaration(text[one.start : one.end])
        and find_refused(text[one.start : one.end]) is not None
    ]
    return drop_items(text, items)


def _is_declaration(text: str) -> bool:
    return "(" in text and not any(mark in text for mark in ("=", "{", "typedef", "using"))
