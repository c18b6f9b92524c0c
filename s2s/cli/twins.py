"""Commands of a build that differ in what they write, or in where their code may lie.

Libraries are compiled twice, for archives and to be shared. Where nothing comes of a source for one
of the two, nothing comes of it for the other, unless a text that is read asks which one it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence

from s2s.cli.config_files import NO_CONFIG, candidates
from s2s.cli.remembered import (
    NOTHING,
    contents,
    first_folder,
    kept_files,
    place_of,
    recall,
    split,
)

_POSITION = frozenset({"-fPIC", "-fpic", "-fPIE", "-fpie", "-DPIC"})
_POSITION_WORDS = re.compile(rb"\b(?:PIC|__PIC__|__pic__|__PIE__|__pie__)\b")
_WRITTEN = frozenset({"-MD", "-MMD", "-MP"})
_WRITTEN_TO = frozenset({"-o", "-MF", "-MT", "-MQ"})


def find_twin(argv: Sequence[str]) -> str:
    """Where it is kept that nothing comes of such commands; empty where it is not remembered."""
    own, command = split(argv)
    if any(word[:1] == "@" for word in command):
        return ""
    words = list(_deciding(command))
    try:
        parts = [os.fsencode(word) for word in (*own, "--", *words)]
        parts += [contents(word) for word in words if os.path.isfile(word)]
        if NO_CONFIG not in own:
            parts += [data for _, data in candidates(first_folder(command))]
    except OSError:
        return ""
    return place_of("cc-twins", parts)


def _deciding(command: Sequence[str]) -> Iterator[str]:
    """The words of a command without those that differ between twins."""
    words = iter(command)
    for word in words:
        if word in _WRITTEN_TO:
            next(words, None)
        elif word not in _POSITION | _WRITTEN and not word.startswith(("-o", "-MF", "-MT", "-MQ")):
            yield word


def shared(place: str, twin: str, find_out: Callable[[], bytes | None]) -> bytes | None:
    """What is remembered of a command at ``place``: found out, unless its twins have told."""
    if not (place and twin):
        return find_out()
    if recall(twin) == NOTHING:
        _copy(twin, place)
        return NOTHING
    told = find_out()
    if told == NOTHING and recall(place) == NOTHING and not _tell_apart(place):
        _copy(place, twin)
    return told


def _tell_apart(place: str) -> bool:
    """Whether a text that was read asks for where code may lie."""
    try:
        return any(_POSITION_WORDS.search(contents(path)) for path in kept_files(place))
    except OSError:
        return True


def _copy(known: str, other: str) -> None:
    """Write beside and move into place, so that others see all of it or nothing."""
    temporary = f"{other}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(other), exist_ok=True)
        with open(temporary, "xb") as stream:
            stream.write(contents(known))
        os.replace(temporary, other)
    except OSError:
        if os.path.exists(temporary):
            os.unlink(temporary)
