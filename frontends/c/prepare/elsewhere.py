"""Whether the text of a function means the same in another file of the program."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from s2s.frontends.c.text import directives, identifiers
from s2s.frontends.c.unit import Unit

if TYPE_CHECKING:
    from s2s.frontends.c.prepare.callee import Callee

# Flags that may change what a name means.
_MEANING = re.compile(r"-[DUI]|-std|-ansi|-x|-i(?!quote)|-f(?:no-)?(?:signed|unsigned)-char|-m\d")
_REFERENCES = frozenset({"DECL_REF_EXPR", "TYPE_REF", "MEMBER_REF_EXPR", "CALL_EXPR"})


def other_meaning(unit: Unit, callee: Callee) -> str:
    """Why the body of a function of another file cannot stand in this one; empty if it can.

    Functions and variables have external linkage and are declared with the same type here; types,
    members and constants come from headers that both files include, under the same flags.
    """
    there = callee.unit
    if unit.is_cxx or there.is_cxx:
        return "it is in another file of C++"
    if _meaning(unit) != _meaning(there):
        return "its file is compiled with other flags"
    body = list(callee.foreign.get_children())[-1]
    for cursor in body.walk_preorder():
        reference = cursor.referenced if cursor.kind.name in _REFERENCES else None
        if reference is not None and not _is_local(reference) and not _same(unit, reference):
            return f"'{reference.spelling}' is not the same in this file"
    return ""


def _meaning(unit: Unit) -> list[str]:
    """Flags that matter, with what follows those that take an argument."""
    flags = unit.flags
    return [f for p, f in enumerate(flags) if _MEANING.match(f) or _MEANING.match(flags[p - 1])]


def _is_local(reference: Any) -> bool:
    parent = reference.semantic_parent
    return parent is not None and parent.kind.name == "FUNCTION_DECL"


def _same(unit: Unit, reference: Any) -> bool:
    place = reference.location.file
    if place is not None and os.path.realpath(place.name) in unit.included:
        return True
    if reference.kind.name not in ("FUNCTION_DECL", "VAR_DECL"):
        return False
    here = unit.names.get(reference.spelling)
    external = reference.linkage.name == "EXTERNAL"
    return (
        external
        and here is not None
        and here.linkage.name == "EXTERNAL"
        and here.type.get_canonical().spelling == reference.type.get_canonical().spelling
    )


def different_macro(unit: Unit, callee: Callee) -> str | None:
    """A macro that a body uses and that the two files do not define alike."""
    words = identifiers(callee.data[callee.inside.start : callee.inside.end])
    here, there = _definitions(unit), _definitions(callee.unit)
    found = {
        w for w in words & (here.keys() | there.keys())
        if here.get(w) != there.get(w) or len(there[w]) > 1
    }  # fmt: skip
    return min(found) if found else None


def _definitions(unit: Unit) -> dict[str, list[str]]:
    """What the file and its own headers say about each macro."""
    found: dict[str, list[str]] = {}
    for data in unit.own_texts:
        for line in directives(data):
            match = re.match(r"(?:define|undef)\s+(\w+)", line.text)
            if match:
                found.setdefault(match.group(1), []).append(line.text)
    return found
