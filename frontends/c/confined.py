"""Whether the elements of a local array are named in one part of a function only."""

from __future__ import annotations

import re

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import SourceBuffer, Span

_FREED = re.compile(rb"(?:free\s*\(\s*|!\s*|sizeof\s*\(?\s*\*\s*)$")
_SET = re.compile(rb"\s*(?:=[^=]|==|!=)")


def is_confined(decl: Decl, span: Span, facts: Facts, buffer: SourceBuffer) -> bool:
    """Whether a local array's elements are named in a part of a function only.

    It may be allocated and freed outside of it.
    """
    if not decl.is_local or decl.is_static or decl.kind != "VAR_DECL" or decl in facts.escaped:
        return False
    outside = [
        n for n in facts.references.get(decl, [])
        if not span.start <= n.span.start < span.end
    ]  # fmt: skip
    if decl.type.kind == "array":
        return not outside
    return facts.owns_allocation(decl) and all(_is_bookkeeping(n, buffer) for n in outside)


def _is_bookkeeping(reference: Node, buffer: SourceBuffer) -> bool:
    """Whether a pointer is set, compared or freed where it is named."""
    data, span = buffer.data, reference.span
    before, behind = data[max(0, span.start - 40) : span.start], data[span.end : span.end + 40]
    freed = _FREED.search(before) and behind.lstrip()[:1] in (b")", b"|", b"&")
    return not reference.in_macro and bool(freed or _SET.match(behind))
