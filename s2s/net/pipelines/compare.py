"""Whether two arrays of values are the same."""

from __future__ import annotations

import numpy as np

from s2s.net.pipelines.arrays import Values, widened
from s2s.scop.expressions import Type

_CLOSE = {16: 1e-2, 32: 1e-5, 64: 1e-12}
_ROUNDED = 100
"""How much more may differ where sums were taken in another order."""
_FEW = 0.05


def differing(type: Type, have: Values, want: Values, loose: bool) -> str:
    """What differs, empty if nothing does.

    Integers are equal; with ``loose`` (sums of floats were reordered on the way) a few may be one
    more or less. Of floats the last digits may differ.
    """
    if type.code == "bfloat":
        have = widened(have)
    wrong = ~_near(type, have, want, loose)
    if not wrong.any():
        return ""
    if loose and type.is_integer and wrong.mean() <= _FEW:
        off = np.abs(have.astype(np.float64) - want.astype(np.float64))
        if (off <= 1).all():
            return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    share = f"{np.count_nonzero(wrong)} of {wrong.size} elements differ"
    return f"{share}, the first is {have[place]} instead of {want[place]}"


def _near(type: Type, have: Values, want: Values, loose: bool) -> Values:
    if not type.is_float:
        return np.asarray(have == want)
    have, want = have.astype(np.float64), want.astype(np.float64)
    same = (have == want) | (np.isnan(have) & np.isnan(want))
    with np.errstate(all="ignore"):
        close = _CLOSE[type.bits] * (_ROUNDED if loose else 1)
        size = np.abs(want)
        finite = size[np.isfinite(size)]
        scale = float(np.median(finite)) if finite.size else 0.0
        return np.asarray(same | (np.abs(have - want) <= close * (size + 0.01 * scale)))
