"""The steps that arrays take where they cross to a device and back, as a manifest has them.

Layouts are spelled with letters: ``NCHW``, ``NHWC``, ``NC1HWC0``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

Step = Mapping[str, Any]


@dataclass
class Borders:
    """The steps of a region's arguments; ``scales`` are those of the call that is running."""

    steps: Mapping[str, Sequence[Step]]
    scales: dict[str, float] = field(default_factory=dict)

    def to_device(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        """Arrays as the device takes them. Those whose scales follow from others come last."""
        self.scales.clear()
        names = sorted(arrays, key=self._follows)
        return {name: self._through(name, arrays[name]) for name in names}

    def _follows(self, name: str) -> bool:
        return any(isinstance(step.get("scale"), list) for step in self.steps.get(name, ()))

    def _through(self, name: str, array: Array) -> Array:
        for step in self.steps.get(name, ()):
            array = self._step(name, array, step)
        return array

    def _step(self, name: str, array: Array, step: Step) -> Array:
        import numpy as np

        match step["step"]:
            case "layout":
                return _arranged(array, step)
            case "pad":
                return np.pad(array, [tuple(pair) for pair in step["widths"]])
        scale = self.scales[name] = self._scale(array, step)
        most = _largest(step)
        found = np.clip(np.rint(array.astype(np.float64) / scale), -most - 1, most)
        return np.asarray(found.astype(step["type"]))

    def _scale(self, array: Array, step: Step) -> float:
        import numpy as np

        given = step["scale"]
        if isinstance(given, list):
            return float(np.prod([self.scales[name] for name in given]))
        if given is not None:
            return float(given)
        largest = float(np.abs(array.astype(np.float64)).max(initial=0.0))
        return largest / _largest(step) or 1.0

    def from_device(self, name: str, made: Array, array: Array) -> None:
        """What a device leaves, in the host's own array."""
        import numpy as np

        steps = self.steps.get(name, ())
        before = [array]
        scales = dict(self.scales)
        for step in steps[:-1]:
            before.append(self._step(name, before[-1], step))
        self.scales.update(scales)
        for step, whole in reversed([*zip(steps, before, strict=False)]):
            match step["step"]:
                case "layout":
                    made = _arranged_back(made, step, whole)
                case "pad":
                    ends = zip(step["widths"], made.shape, strict=True)
                    made = made[tuple(slice(low, size - high) for (low, high), size in ends)]
                case _:
                    made = made.astype(np.float64) * self.scales[name]
        array[...] = made.astype(array.dtype)


def _largest(step: Step) -> int:
    """The largest integer that a step may leave."""
    import numpy as np

    bits = int(step.get("bits", 0))
    return (1 << (bits - 1)) - 1 if bits else int(np.iinfo(step["type"]).max)


def _letters(layout: str) -> list[str]:
    return re.findall(r"[A-Z][01]?", layout)


def _arranged(array: Array, step: Step) -> Array:
    import numpy as np

    have, want, c0 = step["have"], _letters(step["want"]), int(step["c0"])
    names = list(have)
    if "C1" in want:
        place = names.index("C")
        missing = -array.shape[place] % c0
        widths = [(0, missing if k == place else 0) for k in range(array.ndim)]
        array = np.pad(array, widths)
        shape = array.shape
        array = array.reshape(*shape[:place], shape[place] // c0, c0, *shape[place + 1 :])
        names[place : place + 1] = ["C1", "C0"]
    return np.ascontiguousarray(array.transpose([names.index(one) for one in want]))


def _arranged_back(made: Array, step: Step, before: Array) -> Array:
    have, want = step["have"], _letters(step["want"])
    names = list(have)
    if "C1" in want:
        place = names.index("C")
        names[place : place + 1] = ["C1", "C0"]
    array = made.transpose([want.index(one) for one in names])
    if "C1" in want:
        shape = array.shape
        array = array.reshape(*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :])
        array = array[tuple(slice(0, size) for size in before.shape)]
    return array
