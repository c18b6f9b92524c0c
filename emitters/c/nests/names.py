"""Names of the emitted C: short, as the program has them, and no two alike where both are seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from s2s.source.records import dataclass

_KEYWORDS = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef
    union unsigned void volatile while bool true false main NULL INFINITY NAN status asm typeof
    linux unix abs div exit free malloc calloc realloc qsort rand system memset memcpy sqrt sqrtf
    floor floorf ceil ceilf trunc truncf rint rintf fabs fabsf exp expf log logf pow powf sin
    sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf
    tanh tanhf asinh asinhf acosh acoshf atanh atanhf isnan isinf isfinite signbit gamma lgamma
    tgamma hypot fma fmin fmax fmod round erf erfc labs llabs ldiv imaxabs remainder cbrt ldexp
    frexp modf scalbn logb ilogb nearbyint lrint j0 j1 jn y0 y1 yn index rindex select strlen
    printf puts putc read write open close time class new delete this template operator private
    public namespace using try catch throw
    """.split()  # noqa: SIM905
)


def identifier(name: str) -> str:
    """A C identifier that looks like ``name``."""
    text = re.sub(r"\W+", "_", name.replace("$", "_"), flags=re.ASCII).strip("_") or "value"
    if text[0].isdigit():
        text = f"v{text}"
    return text


@dataclass
class Scope:
    """The C names of a program's names; ``entered`` ones are forgotten at the end of a block."""

    taken: set[str] = field(default_factory=set)
    _known: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self._known[name]

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def declare(self, name: str, *proposals: str) -> str:
        """A C name for ``name``: the first proposal that is free, else the last with a number."""
        chosen = next((p for p in map(identifier, proposals) if self._free(p)), None)
        if chosen is None:
            base = identifier(proposals[-1].removeprefix("s2s_"))
            chosen = next(c for c in map(f"{base}_{{}}".format, range(2, 1 << 30)) if self._free(c))
        self._known[name] = chosen
        self.taken.add(chosen)
        return chosen

    def _free(self, text: str) -> bool:
        return text not in self.taken and text not in _KEYWORDS and not text.startswith("s2s_")

    @contextmanager
    def entered(self) -> Iterator[None]:
        """A block: what is declared in it is free again after it."""
        taken, known = set(self.taken), dict(self._known)
        try:
            yield
        finally:
            self.taken, self._known = taken, known
