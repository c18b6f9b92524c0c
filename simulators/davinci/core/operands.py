"""What intrinsics take, checked as the program is read and as it runs."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.simulators.davinci.core.state import Core
from s2s.simulators.davinci.kinds import SPACES, Pointer, Scalar, Type


def takes(name: str, types: Sequence[Type], count: int) -> None:
    """Raise TypeError where an intrinsic has another number of arguments."""
    if len(types) != count:
        raise TypeError(f"'{name}' takes {count} arguments, {len(types)} are given")


def pointer(
    name: str, types: Sequence[Type], place: int, space: str, elements: Sequence[str]
) -> Scalar:
    """The element type of an address among the arguments. Raises TypeError for another one."""
    given = types[place]
    word = next(w for w, s in SPACES.items() if s == space)
    if not isinstance(given, Pointer) or given.space != space:
        raise TypeError(f"argument {place + 1} of '{name}' has to be an address in '{word}'")
    if elements and given.element.name not in elements:
        raise TypeError(
            f"argument {place + 1} of '{name}' points to '{given.element.name}'; "
            f"it takes {', '.join(elements)}"
        )
    return given.element


def counted(core: Core, line: int, name: str, repeat: int, *strides: int) -> int:
    """Say what is out of range; the repeat as the hardware would take it."""
    if not 0 <= repeat <= 255:
        core.findings.say(
            "repeat", line, f"'{name}' with repeat {repeat}; at most 255 are possible"
        )
    for stride in strides:
        if not 0 <= stride <= 255:
            core.findings.say(
                "stride", line, f"'{name}' with stride {stride}; at most 255 is possible"
            )
    return repeat & 255
