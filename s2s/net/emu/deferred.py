"""Emitted spawns as records of their arguments: what they start is done at ``cilk_sync``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.frontends.c.text import marks, read_parenthesized
from s2s.source import Span

_SPAWN = re.compile(rb"\bcilk_spawn(_at)?\b")
_WORKER = re.compile(rb"\s*(s2s_\w+)\s*(?=\()")
_LOOP = re.compile(r"s2s_\w+?_\d+")


def loops_of(text: bytes) -> set[str]:
    """The functions of the parallel loops that an emitted text spawns."""
    return {found.group() for name in _names(text) if (found := _LOOP.match(name))}


def _names(text: bytes) -> Iterator[str]:
    for _, _, _, name, _ in _spawns(text):
        yield name


def defer_spawns(text: bytes) -> bytes:
    """The text with each spawn of a parallel loop's function kept for later."""
    parts, position = [], 0
    for start, end, where, name, arguments in _spawns(text):
        parts += [text[position:start], _record(where, name, arguments).encode("latin-1")]
        position = end
    return b"".join([*parts, text[position:]])


def _spawns(text: bytes) -> Iterator[tuple[int, int, str, str, list[str]]]:
    """From where to where each spawn stands, where its thread begins, what it calls with what."""
    for match in _SPAWN.finditer(text):
        where, at = "", match.end()
        if match[1]:
            place = read_parenthesized(text, at)
            if place is None:
                continue
            where, at = text[place.start : place.end].decode("latin-1"), place.end + 1
        worker = _WORKER.match(text, at)
        given = read_parenthesized(text, worker.end()) if worker else None
        if worker is not None and given is not None:
            arguments = [part.decode("latin-1") for part in _parts(text, given)]
            yield match.start(), given.end + 1, where, worker[1].decode(), arguments


def _parts(text: bytes, span: Span) -> Iterator[bytes]:
    """What commas separate."""
    start = span.start
    if not text[start : span.end].strip():
        return
    for place, mark in marks(text, span):
        if mark == b",":
            yield text[start:place]
            start = place + 1
    yield text[start : span.end]


def _record(where: str, name: str, arguments: list[str]) -> str:
    """One statement on the lines of the call, which evaluates its arguments now."""
    values = "".join(f"__auto_type s2s_{n} = ({one}); " for n, one in enumerate(arguments))
    fields = "".join(f"__typeof__(s2s_{n}) f{n}; " for n in range(len(arguments)))
    first = ", ".join(f"s2s_{n}" for n in range(len(arguments)))
    given = ", ".join(f"s2s_q->f{n}" for n in range(len(arguments)))
    at = f"mw_ptrtonodelet({where})" if where else "s2s_net_at"
    return (
        f"({{ {values}struct s2s_given {{ {fields}}} s2s_g = {{ {first} }}; "
        f"void s2s_run(void *s2s_p) {{ struct s2s_given *s2s_q = s2s_p; {name}({given}); }} "
        f's2s_net_reach("{name}"); '
        f"s2s_net_later(__builtin_frame_address(0), __func__, {at}, s2s_run, &s2s_g, "
        "sizeof s2s_g); })"
    )
