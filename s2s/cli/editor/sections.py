"""A C file in parts that are looked at one by one: its functions, told by braces alone.

The text of a function and what it can see of the rest (all that is in no function, and the
functions that it names, and those that they name) are its key: with the same key there is the same
to say. That is how little is done again after a key is pressed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from s2s.source.records import dataclass

_TOKEN = re.compile(
    rb"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rb"|^[ \t]*#(?:\\\r?\n|/\*.*?\*/|[^\n])*|[{}();]|[^\s{}();/\"'#]+|/",
    re.DOTALL | re.MULTILINE,
)
_COMMENT_OR_DIRECTIVE = re.compile(
    rb"^[ \t]*#(?:\\\r?\n|[^\n])*|//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LOOP = re.compile(rb"\b(?:for|while|do|goto)\b|#[ \t]*pragma|\b_Pragma\b")
_LOOPS_LINES = 25
"""Lines without loops that take as long as a loop."""


@dataclass(frozen=True)
class Section:
    """A function, or all of a file; ``line`` counts from 1, ``start`` and ``end`` are in bytes."""

    start: int
    end: int
    line: int
    last: int
    key: str
    idle: bool
    """Whether there is nothing in it to look at."""
    loops: int = 0

    @property
    def work(self) -> int:
        """How long it takes about, in lines without loops."""
        return self.last - self.line + 1 + _LOOPS_LINES * self.loops


def split(data: bytes, context: bytes) -> list[Section]:
    """The functions of a file; the whole of it where braces do not tell them.

    ``context`` is what else has a part in what is said: flags, options.
    """
    spans = _functions(data)
    outside = b"" if spans is None else _outside(data, spans)
    if spans is None or _has_loops(outside):
        return [_section(data, 0, len(data), hashlib.sha256(context + data), idle=False)]
    texts = [data[start:end] for start, end in spans]
    macros, plain = _loop_macros(outside), _without_comments(outside)
    found = []
    for (start, end), reached in zip(spans, _reached(texts), strict=True):
        digest = hashlib.sha256(context + plain)
        for text in (data[start:end], *reached):
            digest.update(b"\0" + text)
        text = data[data.find(b"{", start) : end]
        idle = not (_LOOP.search(text) or (macros and macros.search(text)))
        found.append(_section(data, start, end, digest, idle=idle))
    return found


def _section(data: bytes, start: int, end: int, digest: hashlib._Hash, *, idle: bool) -> Section:
    first, last = data.count(b"\n", 0, start) + 1, data.count(b"\n", 0, end) + 1
    loops = len(_LOOP.findall(data, start, end))
    return Section(start, end, first, last, digest.hexdigest(), idle, loops)


def _functions(data: bytes) -> list[tuple[int, int]] | None:
    """Where functions are, from their types to their last braces; None for unbalanced braces."""
    found = []
    depth, begin, before, is_function = 0, None, b"", False
    for token in _TOKEN.finditer(data):
        text = token[0]
        if text[:2] in (b"//", b"/*"):
            continue
        if text.lstrip()[:1] == b"#":
            if depth == 0:
                begin = None
            continue
        if depth == 0 and begin is None:
            begin = token.start()
        if text == b"{":
            if depth == 0:
                is_function = before == b")"
            depth += 1
        elif text == b"}":
            depth -= 1
            if depth < 0:
                return None
            if depth == 0 and is_function and begin is not None:
                found.append((begin, token.end()))
            if depth == 0 and (is_function or begin is None):
                begin = None
        elif text == b";" and depth == 0:
            begin = None
        before = text
    return found if depth == 0 else None


def _outside(data: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """All that is in no function."""
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(data)]
    return b"\0".join(data[a:b].strip() for a, b in zip(starts, ends, strict=True))


def _without_comments(text: bytes) -> bytes:
    """The text with a space for each comment: what is said depends on none of them."""
    return _TOKEN.sub(lambda token: b" " if token[0][:2] in (b"//", b"/*") else token[0], text)


def _has_loops(outside: bytes) -> bool:
    """Whether there is code in no function: a block of a linkage, an odd form of definition."""
    plain = _COMMENT_OR_DIRECTIVE.sub(b"", outside)
    return re.search(rb"\b(?:for|while|do)\b", plain) is not None


def _loop_macros(outside: bytes) -> re.Pattern[bytes] | None:
    """The macros that have a loop in them, or, with headers of one's own, may have one."""
    defined = re.findall(rb"#[ \t]*define[ \t]+(\w+)((?:\\\r?\n|[^\n])*)", outside)
    names = [name for name, body in defined if re.search(rb"\b(?:for|while|do)\b", body)]
    if re.search(rb"#[ \t]*include[ \t]*\"", outside):
        names.append(rb"[A-Z_][A-Z0-9_]+[ \t]*\(|(?i:for_?each)\w*")
        return re.compile(rb"\b(?:" + b"|".join(names) + rb")")
    return re.compile(rb"\b(?:" + b"|".join(names) + rb")\b") if names else None


def _name(text: bytes) -> bytes:
    """The name of a function: what stands before the last parentheses of its head."""
    head = text[: text.find(b"{")]
    depth, name = 0, b""
    for found in re.finditer(rb"([A-Za-z_]\w*)\s*(?=\()|[()]", head):
        if found[1] is None:
            depth += 1 if found[0] == b"(" else -1
        elif depth == 0:
            name = found[1]
    return name


def _reached(texts: Sequence[bytes]) -> Iterator[tuple[bytes, ...]]:
    """For each function the texts of those that it names, directly or not, in their order."""
    places: dict[bytes, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(_name(text), []).append(place)
    names = places.keys()
    calls = [
        {p for word in names & set(_WORD.findall(text)) for p in places[word]} for text in texts
    ]
    for place in range(len(texts)):
        seen, waiting = set(), list(calls[place])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += calls[other] - seen
        yield tuple(texts[other] for other in sorted(seen - {place}))
