"""Edits of nothing but directives: what they ask for has to leave the program's meaning alone.

The passes that only give a loop a schedule or ask for an unrolled one do not change what can be
executed here. Their text is compared instead: the code has to be the source's, an OpenMP directive
may get a schedule whose chunks are positive, and ``#pragma GCC unroll`` may stand before a
loop. Everything else is no such edit's business.
"""

from __future__ import annotations

import re

from s2s.frontends.c.text import directives
from s2s.frontends.openmp.directives import Clause, Directive, parse_directive
from s2s.net import Mismatch
from s2s.source import Span

_UNROLL = re.compile(r"pragma GCC unroll (\d+)")
_KINDS = frozenset({"static", "dynamic", "guided"})
_MOST = 65534
# What decides whether a chunk is positive: around the numbers that lengths are divided by.
_LENGTHS = (-(2**31), -1, 0, 1, 2, 15, 255, 256, 257, 100_000, 2**31 - 2)


def same_code(old: bytes, new: bytes) -> bool:
    """Whether two pieces of text differ in their directives and in blanks only."""
    return _code(old) == _code(new)


def check_directives(old: bytes, new: bytes) -> None:
    """Raise Mismatch unless the directives of ``new`` mean what those of ``old`` do."""
    before = [line.text for line in directives(old)]
    after = []
    for line in directives(new):
        if line.text in before or not _UNROLL.match(line.text):
            after.append(line.text)
        else:
            _check_unrolled(line.text, new[line.span.end :])
    if len(before) != len(after):
        raise Mismatch("a directive was added or left out")
    for was, now in zip(before, after, strict=True):
        if was != now:
            _check_scheduled(was, now)


def _code(data: bytes) -> bytes:
    """The text without directives and blanks."""
    kept, end = [], 0
    for line in directives(data):
        kept.append(data[end : line.span.start])
        end = line.span.end
    return b"".join([*kept, data[end:]]).replace(b" ", b"").replace(b"\n", b"")


def _check_unrolled(text: str, behind: bytes) -> None:
    found = _UNROLL.fullmatch(text.strip())
    if found is None or not 0 < int(found[1]) <= _MOST:
        raise Mismatch(f"'#{text}' asks for something else than an unrolled loop")
    if not re.match(rb"\s*(for|while|do)\b", behind):
        raise Mismatch(f"'#{text}' does not stand in front of a loop")


def _check_scheduled(was: str, now: str) -> None:
    old, new = _directive(was), _directive(now)
    if old is None or new is None or old.name != new.name:
        raise Mismatch(f"'#{was}' has become '#{now}'")
    rest = list(new.clauses)
    for clause in old.clauses:
        if clause not in rest:
            raise Mismatch(f"'#{now}' has lost '{clause.name}'")
        rest.remove(clause)
    if len(rest) > 1 or any(not _is_schedule(clause) for clause in rest):
        raise Mismatch(f"'#{now}' says more than a schedule")


def _directive(text: str) -> Directive | None:
    return parse_directive(text, Span(0, len(text)))


def _is_schedule(clause: Clause) -> bool:
    kind, _, chunk = clause.argument.partition(",")
    if clause.name != "schedule" or kind.strip() not in _KINDS:
        return False
    return not chunk.strip() or all(_chunk(chunk, length) > 0 for length in _LENGTHS)


def _chunk(text: str, length: int) -> int:
    """The value of a chunk for a length of the loop; 0 for what cannot be told."""
    condition, found, branches = text.partition("?")
    if found:
        then, _, other = branches.rpartition(":")
        return _chunk(then if _chunk(condition, length) else other, length)
    terms = re.sub(r"\b[A-Za-z_]\w*\b", f"({length})", text)
    if not re.fullmatch(r"[\s\d+\-*/()<>]*", terms) or "**" in terms:
        return 0
    try:
        value = eval(terms.replace("/", "//"), {"__builtins__": {}})
    except (SyntaxError, ZeroDivisionError, TypeError):
        return 0
    return int(value)
