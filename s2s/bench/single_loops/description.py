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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from s2s.bench import descriptions
from s2s.bench.descriptions import BadValueError, bench_error

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


def _suite(data: Mapping[str, Any], description: Path, root: Path) -> LoopSuite:
    beside = description.parent
    name = descriptions.text(data["suite"])
    (source,) = descriptions.existing(name, root, [descriptions.text(data["source"])])
    (driver,) = descriptions.existing(name, beside, [descriptions.text(data["driver"])])
    text = source.read_text("utf-8", "replace")
    function = descriptions.pattern(data["function"])
    called = _called(data, text)
    loops = tuple(found for found, _ in called) or tuple(function.findall(text))
    places = {"root": root, "beside": beside}
    return LoopSuite(
        name=name,
        about=descriptions.text(data["about"]),
        source=source,
        driver=driver,
        function=function,
        sweeps={k: int(descriptions.number(v)) for k, v in data["sweeps"].items()},
        loops=loops,
        support=descriptions.existing(name, root, descriptions.texts(data.get("support", ()))),
        flags=descriptions.placed(descriptions.texts(data.get("flags", ())), places),
        source_flags=descriptions.placed(descriptions.texts(data.get("source_flags", ())), places),
        libraries=descriptions.texts(data.get("libraries", ())),
        calls="".join(f"LOOP({found}, {argument})\n" for found, argument in called),
        paper=_paper(data, beside),
    )


def _called(data: Mapping[str, Any], text: str) -> list[tuple[str, str]]:
    """The suite's own table of its loops: what its main calls, with the arguments."""
    if "calls" not in data:
        return []
    return [(m[1], m[2]) for m in descriptions.pattern(data["calls"]).finditer(text)]


def _paper(data: Mapping[str, Any], beside: Path) -> Mapping[str, Any]:
    if "paper" not in data:
        return {}
    return descriptions.read_toml(beside / descriptions.text(data["paper"]))


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
