"""What is emitted for a schedule of a source, once for all that is made wrong in it."""

from __future__ import annotations

from s2s.emitters.c import region
from s2s.emitters.c.guard import Emission
from s2s.emitters.c.region import Rewritten
from s2s.scop.nodes import Scop

_printed: dict[tuple[object, ...], Rewritten] = {}


def printed(scop: Scop, emission: Emission, *asked: object) -> Rewritten:
    """The text for a schedule; ``asked`` is what else it depends on."""
    key = (emission.buffer.data, repr(scop.target), *asked)
    if key not in _printed:
        _printed[key] = region.emit(scop, emission)
    return _printed[key]
