"""Vector loops for a compiler that does not listen to OpenMP.

::

    #pragma omp simd               ->      #pragma GCC ivdep
    for (...) a[i] = f(b[i]);              for (...) a[i] = f(b[i]);

Without ``-fopenmp`` or ``-fopenmp-simd`` gcc warns of the first one and ignores it; the second one
tells it as well that no iteration waits for another. What is different is that ``omp simd`` gives
each lane its own copy of what the body declares. Numbers are in registers anyway, but lanes would
share an array on the stack: there the loop has no pragma.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.unit import Unit
from s2s.source import Edit
from s2s.source.compiler import has_directives, hears_simd

_PRAGMA = re.compile(rb"^([ \t]*)#pragma omp simd(\r?\n)", re.MULTILINE)
_UNHEARD = rb"#pragma GCC ivdep"
_QUALIFIED = rb"(?:(?:const|static|volatile|register|unsigned|signed|short|long|struct|union)\s+)*"
_DECLARED = re.compile(
    rb"(?:^|[;{}])\s*(" + _QUALIFIED + rb"[A-Za-z_]\w*)(?:\s*\*\s*|\s+)+([A-Za-z_]\w*)\s*[^;{}]*"
)
_LATER = re.compile(rb",\s*\**\s*([A-Za-z_]\w*)\s*(\[?)")
_NO_TYPES = frozenset({b"return", b"else", b"goto", b"case", b"do", b"typedef"})
_NUMBER = re.compile(
    rb"(?:(?:const|register|unsigned|signed|short|long|char|int|float|double|_Bool|bool"
    rb"|size_t|ptrdiff_t|u?int(?:8|16|32|64)_t)\s*)+"
)


def heard_pragmas(
    unit: Unit, edits: Sequence[Edit], *, parallel: bool, heard: bool | None
) -> list[Edit]:
    """The edits with pragmas that the compiler hears.

    ``heard``: whether it hears OpenMP's. Where nobody knows, it does if its flags say so, if a
    source has such directives, or if loops that threads share are added.
    """
    if heard is None:
        heard = parallel or has_directives(unit.buffer.data) or hears_simd(unit.flags)
    if heard or b"#pragma omp simd" in unit.buffer.data:
        return list(edits)
    return [replace(e, text=_PRAGMA.sub(lambda m: _spelled(m, unit), e.text)) for e in edits]


def _spelled(found: re.Match[bytes], unit: Unit) -> bytes:
    indent, ending = found.groups()
    body = _statement(found.string[found.end() :])
    return indent + _UNHEARD + ending if _keeps_numbers(body, unit) else b""


def _statement(text: bytes) -> bytes:
    """The loop that a text begins with."""
    depth = 0
    for sign in re.finditer(rb"[(){};]", text):
        if sign[0] in b"({":
            depth += 1
        elif sign[0] in b")}":
            depth -= 1
        if depth == 0 and sign[0] in b"};":
            return text[: sign.end()]
    return text


def _keeps_numbers(body: bytes, unit: Unit) -> bool:
    """Whether all that a loop declares are numbers whose addresses nobody takes."""
    start = body.find(b"{")
    inside = body[start:] if start >= 0 else b""
    position = 0
    while found := _DECLARED.search(inside, position):
        position = found.end()
        type_, name = found.groups()
        if type_ in _NO_TYPES:
            continue
        if b"[" in found[0].partition(b"=")[0] or not _is_number(type_, unit):
            return False
        # What stands after a comma may be an argument: then the loop has no pragma either.
        later = _LATER.findall(found[0])
        if any(bracket for _, bracket in later):
            return False
        names = (name, *(other for other, _ in later))
        if any(re.search(rb"&\s*" + each + rb"\b", inside) for each in names):
            return False
    return True


def _is_number(type_: bytes, unit: Unit) -> bool:
    if _NUMBER.fullmatch(type_):
        return True
    last = re.escape(type_.split()[-1])
    plain = rb"(?:(?:const|unsigned|signed|short|long|char|int|float|double)[ \t]+)+"
    made = rb"^[ \t]*(?:typedef[ \t]+" + plain + last + rb"[ \t]*;|#[ \t]*define[ \t]+" + last
    made += rb"[ \t]+(?:float|double|int|long)[ \t]*$)"
    return re.search(made, unit.buffer.data, re.MULTILINE) is not None
