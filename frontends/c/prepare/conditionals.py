"""Conditional compilation in a region: which lines the parser has taken, and under what."""

from __future__ import annotations

import re

from s2s.frontends.c.prepare.callees import Callee
from s2s.source import Edit, Span

_CONDITIONAL = re.compile(r"(?:if|ifdef|ifndef|elif|else|endif)\b")


def resolved(callee: Callee) -> list[Edit]:
    """Edits that leave of a body what the parser has seen, without the conditionals."""
    lines = [line.span for line in callee.lines if _CONDITIONAL.match(line.text)]
    if not lines:
        return []
    skipped = [s for s in callee.skipped if s in callee.inside]
    return [Edit(s.start, s.end, b"") for s in _union([*lines, *skipped])]


def _union(spans: list[Span]) -> list[Span]:
    """Spans that cover the same bytes and do not overlap."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found
