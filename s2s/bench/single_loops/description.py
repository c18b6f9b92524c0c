"""A suite of loops: one source file with a function for each loop, and a driver of ours.

Keys of the TOML file:

    suite, about      its name, and words
    marker            a path that a checkout has (then ``--root`` is needed)
    source            the file that is transformed, in the checkout or beside the description
    support           other files of the suite, compiled as they are
    driver            a file of ours beside the description that serves the loops by name
                      (``benchmarks/suites/loops.h``)
    flags             for all these; ``{root}`` is the checkout, ``{beside}`` our folder
    source_flags      for ``source`` and ``support`` only
    libraries         what the linker gets
    sweeps            for each size, how often a request runs a loop; also the macro SWEEPS
    function          how the definition of a loop's function begins; group 1 is its name
    calls             where the suite calls its loops; group 1 is the name, group 2 the argument.
                      They become lines ``LOOP(name, argument)`` of calls.h, for the driver
    paper             published figures, see benchmarks/published/polysimd.toml
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from s2s.bench import descriptions
from s2s.bench.descriptions import BadValueError, bench_error
from s2s.source.records import dataclass

# Our sources without a checkout, the suite as published with one.
_OWN, _PUBLISHED = "polysimd/loops.toml", "suites/tsvc.toml"

# A line in which a function's definition begins, as all of the suites' formatting has it.
_DEFINITION = re.compile(r"^[A-Za-z_][\w \t*]*?[ \t*](\w+)[ \t]*\([^;{]*\)\s*\{", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class LoopSuite:
    """A suite as described above; ``loops`` are their names in the order of the source."""

    name: str
    about: str
    source: Path
    driver: Path
    function: re.Pattern[str]
    sweeps: Mapping[str, int]
    loops: tuple[str, ...] = ()
    support: tuple[Path, ...] = ()
    flags: tuple[str, ...] = ()
    source_flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    calls: str = ""
    paper: Mapping[str, Any] = field(default_factory=dict)


def find(roots: Sequence[Path], name: str) -> LoopSuite:
    """The suite of that name: ours, or with ``roots`` the published one. Raises UserError."""
    if roots and name == "tsvc":
        return read(descriptions.find(_PUBLISHED), roots)
    return read(descriptions.find(_OWN), [])


def read(description: Path, roots: Sequence[Path]) -> LoopSuite:
    """The suite that a file describes. Raises UserError."""
    data = descriptions.read_toml(description)
    try:
        return _suite(data, description, descriptions.checkout(data, description, roots))
    except (BadValueError, KeyError, re.error, OSError) as error:
        raise bench_error(f"{description}: {error}") from error


_OTHER_KEYS = ("suite", "marker", "calls", "paper")


def _suite(data: Mapping[str, Any], description: Path, root: Path) -> LoopSuite:
    own = {key: value for key, value in data.items() if key not in _OTHER_KEYS}
    name, beside = descriptions.convert(str, data["suite"]), description.parent
    found = descriptions.read(LoopSuite, own, name=name, loops=(), calls="", paper={})
    (source,) = descriptions.existing(root, [found.source])
    text = source.read_text("utf-8", "replace")
    called = []
    if "calls" in data:
        calls = descriptions.convert(re.Pattern[str], data["calls"])
        called = [(m[1], m[2]) for m in calls.finditer(text)]
    places = {"root": root, "beside": beside}
    return replace(
        found,
        source=source,
        driver=descriptions.existing(beside, [found.driver])[0],
        loops=tuple(name for name, _ in called) or tuple(found.function.findall(text)),
        support=descriptions.existing(root, found.support),
        flags=descriptions.placed(found.flags, places),
        source_flags=descriptions.placed(found.source_flags, places),
        calls="".join(f"LOOP({name}, {argument})\n" for name, argument in called),
        paper=descriptions.read_toml(beside / data["paper"]) if "paper" in data else {},
    )


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Functions:
    """The functions of a text: for each the lines (from 1) that are its own, and its text."""

    lines: Mapping[str, range]
    texts: Mapping[str, str]

    def with_callees(self, name: str) -> tuple[str, ...]:
        """A function and those of the same text whose names it mentions, but in comments."""
        words = set(re.findall(r"\w+", _COMMENT.sub(" ", self.texts[name])))
        return (name, *(other for other in self.texts if other in words and other != name))


def functions(text: str) -> Functions:
    """The functions of a source; each goes on to where the next one begins."""
    starts = [(m[1], m.start()) for m in _DEFINITION.finditer(text)]
    ends = [start for _, start in starts[1:]] + [len(text)]
    lines, texts = {}, {}
    for (name, start), end in zip(starts, ends, strict=True):
        first = text.count("\n", 0, start) + 1
        lines[name] = range(first, first + text.count("\n", start, end) + 1)
        texts[name] = text[start:end]
    return Functions(lines, texts)
