"""What a design may take of the array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from s2s.simulators.amber.machine import Array, load
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass
from s2s.tuning.clockwork.bound import Bound
from s2s.tuning.clockwork.estimate import Likely
from s2s.tuning.clockwork.measured import Measured

NAMES = ("pes", "memories", "streams", "words")


@dataclass(frozen=True)
class Limits:
    """PEs, memory tiles, lanes of streams in and out, and words of a lane in the global buffer."""

    pes: int
    memories: int
    streams: int
    words: int

    def with_values(self, values: Mapping[str, int]) -> Limits:
        """With a user's numbers. Raises UserError for another name."""
        for name in values:
            if name not in NAMES:
                text = f"no limit '{name}'; there are {', '.join(NAMES)}"
                raise UserError(Diagnostic(Severity.ERROR, text, "tune"))
        return replace(self, **values)

    def raised_to(self, own: Bound) -> Limits:
        """As much as the source's own schedule takes of streams, where that is more."""
        streams, words = max(self.streams, own.streams), max(self.words, own.words)
        return replace(self, streams=streams, words=words)

    def exceeded(self, found: Bound | Measured | Likely) -> str:
        """What is too much, with numbers; empty where nothing is."""
        return ", ".join(self._each(found))

    def excess(self, found: Bound | Measured | Likely, names: Sequence[str] = NAMES) -> float:
        """How many times too large it is in all; 1 where it fits."""
        taken = ((getattr(found, name, 0), getattr(self, name)) for name in names)
        return prod(max(1.0, number / max(most, 1)) for number, most in taken)

    def _each(self, found: Bound | Measured | Likely) -> Iterator[str]:
        for name in NAMES:
            # words of a design's buffers are no stream's
            taken = (
                0 if isinstance(found, Measured) and name == "words" else getattr(found, name, 0)
            )
            if taken > getattr(self, name):
                yield f"{taken} {name} of {getattr(self, name)}"


def limits_of(array: Array) -> Limits:
    """Those of the array."""
    return Limits(
        array["pes"], array["memory_tiles"], array["io_tiles"], array["global_buffer_words"]
    )


def array_limits(values: Mapping[str, int]) -> Limits:
    """What the array has, or the user's numbers. Raises UserError for an unknown name."""
    return limits_of(load()).with_values(values)
