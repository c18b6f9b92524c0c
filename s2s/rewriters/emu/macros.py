"""Text that moves to the front of a function keeps the macros that it had where it stood.

#define K 1                            #define K 1
long f(...)                            #pragma push_macro("K")
{                                      #undef K
#undef K                               #define K 2
#define K 2                            static void s2s_f_1(...) { ... K ... }
    loop with K                        #pragma pop_macro("K")
                                       long f(...)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from s2s.frontends.c.text import DirectiveLine, directives
from s2s.rewriters.emu.program import Program
from s2s.source import Span

_CHANGE = re.compile(r"(?:define|undef)\s+(\w+)")
_OPENS = re.compile(r"if(?:n?def)?\b")
_KEPT = re.compile(r"(?:define|undef|if|ifdef|ifndef|elif|else|endif)\b")


def with_macros_of(program: Program, front: int, place: Span, text: str) -> str:
    """A text for the place ``front``, with the macros known at ``place`` after it.

    Lines within ``place`` that change macros are taken to be part of the text.
    """
    lines = list(directives(program.data))
    before = [line for line in lines if front <= line.span.start < place.start]
    within = [line for line in lines if place.start <= line.span.start < place.end]
    names = _changed([*before, *within])
    if not names:
        return text
    first = "".join(f'#pragma push_macro("{name}")\n' for name in names)
    last = "".join(f'#pragma pop_macro("{name}")\n' for name in names)
    return f"{first}{_again(program, before)}{text}{last}"


def changes_of(program: Program, place: Span) -> str:
    """The lines of a piece of text that change macros, on lines of their own; '' for none."""
    lines = [d for d in directives(program.data) if place.start <= d.span.start < place.end]
    return _again(program, lines) if _changed(lines) else ""


def _changed(lines: Iterable[DirectiveLine]) -> Sequence[str]:
    found = (match[1] for line in lines if (match := _CHANGE.match(line.text)))
    return sorted(set(found))


def _again(program: Program, lines: Sequence[DirectiveLine]) -> str:
    """Lines that define macros and their conditions, each of these closed."""
    kept = [line for line in lines if _KEPT.match(line.text)]
    depth, balanced = 0, list[str]()
    for line in kept:
        if line.text.startswith("endif") and depth == 0:
            continue
        depth += bool(_OPENS.match(line.text)) - line.text.startswith("endif")
        balanced.append(program.flat.buffer.text(line.span))
    return "".join(f"{line}\n" for line in [*balanced, *["#endif"] * depth])
