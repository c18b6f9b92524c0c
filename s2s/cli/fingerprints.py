"""What code hosts know a remark by when lines move: a hash of what stands at its line.

It is the one that GitHub computes where a log has none (and warns of where a log has another):
a polynomial over the 100 UTF-16 units from the line's first one on that is no blank, modulo 2**64,
with a line end for each of CR, LF and CRLF, 65535 at the end of the file and zeros after it; then
the number of the line among those with the same hash.
"""

from __future__ import annotations

from functools import lru_cache

_BLOCK = 100
_FACTOR = 37
_MASK = (1 << 64) - 1
_END_OF_FILE = 65535
_TAB, _LINE_FEED, _RETURN, _SPACE = 9, 10, 13, 32
_POWER = pow(_FACTOR, _BLOCK, 1 << 64)


@lru_cache(maxsize=64)
def line_hashes(text: str) -> tuple[str, ...]:
    """The fingerprints of all lines, the first at place 0."""
    units, starts = _units(text)
    sums = [0]
    for unit in (*units, *(0,) * _BLOCK):
        sums.append((sums[-1] * _FACTOR + unit) & _MASK)
    counts: dict[int, int] = {}
    found = []
    for start in starts:
        value = (sums[start + _BLOCK] - sums[start] * _POWER) & _MASK
        counts[value] = counts.get(value, 0) + 1
        found.append(f"{value:x}:{counts[value]}")
    return tuple(found)


def _units(text: str) -> tuple[list[int], list[int]]:
    """The units that count, and where among them each line begins."""
    data = text.encode("utf-16-le", "surrogatepass")
    units: list[int] = []
    starts: list[int] = []
    is_new, was_return = True, False
    for place in range(0, len(data) + 2, 2):
        unit = data[place] | data[place + 1] << 8 if place < len(data) else _END_OF_FILE
        if unit in (_SPACE, _TAB) or (was_return and unit == _LINE_FEED):
            was_return = False
            continue
        was_return = unit == _RETURN
        unit = _LINE_FEED if was_return else unit
        if is_new:
            starts.append(len(units))
        is_new = unit == _LINE_FEED
        units.append(unit)
    return units, starts
