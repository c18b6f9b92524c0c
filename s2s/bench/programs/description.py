"""A suite of programs with their sizes, described by a small TOML file.

The description says how to build and run each program and where it prints its time, so that a
suite is measured as its authors wrote it. Sources that belong to others lie in a checkout of
theirs (``--root``) and stay as they are; what calls their kernels, generates inputs and prints
results is ours and lies beside the description. ``benchmarks/suite.toml`` explains the keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from s2s.bench import descriptions

SIZES = ("small", "default")


@dataclass(frozen=True)
class Paper:
    """What a paper says of a program: the letters of its transformations, and edits by hand.

    ``found`` is a word where there are no letters; ``row`` is the paper's name of the program,
    which several cases may share.
    """

    row: str
    found: str
    manual: str = ""

    @property
    def has_letters(self) -> bool:
        return self.found.isupper()


@dataclass(frozen=True, kw_only=True)
class Case:
    """A program of a suite.

    ``sources`` are transformed; ``support`` files of the suite and our ``drivers`` are compiled as
    they are, ``source_flags`` are for the first two. ``sizes`` are arguments and ``size_flags``
    compiler flags for each size. A ``sequential`` program is compared with itself on one thread.
    ``published`` holds the known speedup of a variant, ``peers`` that of other tools; ``baseline``
    says in which way the original does not run as its authors run it.
    """

    suite: str
    name: str
    sources: tuple[Path, ...]
    sizes: Mapping[str, tuple[str, ...]]
    time: re.Pattern[str]
    about: str = ""
    flags: tuple[str, ...] = ()
    source_flags: tuple[str, ...] = ()
    size_flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own_flags: tuple[str, ...] = ()
    support: tuple[Path, ...] = ()
    drivers: tuple[Path, ...] = ()
    libraries: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    sequential: bool = False
    exact: re.Pattern[str] | None = None
    ignore: re.Pattern[str] | None = None
    tolerance: float = 0.0
    rounding: float = 1e-6
    published: Mapping[str, float] = field(default_factory=dict)
    peers: Mapping[str, float] = field(default_factory=dict)
    peers_from: str = ""
    baseline: str = ""
    paper: Paper | None = None
    release: str = ""


def find_suite(name: str | None, root: Path | None) -> Path:
    """The description of a suite: a file, a folder with suite.toml, or a name in benchmarks/.

    Without a name it is ``root``'s own, or that of the checkout that s2s runs in. A name may have
    two meanings: the suite as published, for which ``root`` is needed, and our own kernels.
    """
    folders = [root] if root and not name else descriptions.benchmark_folders()
    if name is None:
        candidates = [folder / "suite.toml" for folder in folders]
    else:
        candidates = [Path(name), Path(name) / "suite.toml"]
        own = [f / n for f in folders for n in (f"{name}.toml", f"{name}/suite.toml")]
        published = [folder / "suites" / f"{name}.toml" for folder in folders]
        candidates += published + own if root else own + published
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    wanted = f"no benchmark suite '{name}'" if name else "no benchmark suite here"
    raise descriptions.bench_error(f"{wanted}; looked for {', '.join(str(c) for c in candidates)}")


def read_suite(description: Path, *roots: Path) -> tuple[Case, ...]:
    """The cases of a description, whose sources lie in one of ``roots`` (default: beside it).

    A description with a ``marker``, a path in its checkout, takes the first of ``roots`` or of the
    folders in them where that path exists.
    """
    data = descriptions.read_toml(description)
    shared = {key: value for key, value in data.items() if key not in _SUITE_KEYS}
    try:
        root = descriptions.checkout(data, description, roots)
        release = _release(data, root)
        papers = _papers(data, description)
        cases = descriptions.table(data.get("cases", {}))
        return tuple(
            _read_case(
                name,
                {**shared, **descriptions.table(entry)},
                root,
                description.parent,
                papers,
                release,
            )
            for name, entry in cases.items()
        )
    except descriptions.BadValueError as error:
        raise descriptions.bench_error(f"{description}: {error}") from error


def _time_pattern(value: Any) -> re.Pattern[str]:
    pattern = descriptions.pattern(value)
    if pattern.groups != 1:
        raise descriptions.BadValueError("needs one group, around the seconds")
    return pattern


def _sizes(value: Any) -> dict[str, tuple[str, ...]]:
    sizes = {
        name: descriptions.texts(arguments) for name, arguments in descriptions.table(value).items()
    }
    if set(sizes) != set(SIZES):
        raise descriptions.BadValueError(f"must give {' and '.join(SIZES)}")
    return sizes


def _numbers(value: Any) -> dict[str, float]:
    return {
        variant: descriptions.number(speedup)
        for variant, speedup in descriptions.table(value).items()
    }


def _settings(value: Any) -> dict[str, str]:
    return {name: descriptions.text(setting) for name, setting in descriptions.table(value).items()}


_SUITE_KEYS = ("cases", "marker", "releases", "paper")
_READERS: dict[str, Callable[[Any], Any]] = {
    "suite": descriptions.text,
    "about": descriptions.text,
    "sources": descriptions.texts,
    "support": descriptions.texts,
    "drivers": descriptions.texts,
    "flags": descriptions.texts,
    "defines": descriptions.texts,
    "source_flags": descriptions.texts,
    "own_flags": descriptions.texts,
    "libraries": descriptions.texts,
    "sizes": _sizes,
    "size_flags": _sizes,
    "environment": _settings,
    "sequential": descriptions.truth,
    "time": _time_pattern,
    "exact": descriptions.pattern,
    "ignore": descriptions.pattern,
    "tolerance": descriptions.number,
    "rounding": descriptions.number,
    "published": _numbers,
    "peers": _numbers,
    "peers_from": descriptions.text,
    "baseline": descriptions.text,
    "paper_row": descriptions.text,
}


def _read_case(
    name: str,
    entry: Mapping[str, Any],
    root: Path,
    beside: Path,
    papers: Mapping[str, Any],
    release: str,
) -> Case:
    values: dict[str, Any] = {}
    for key, value in entry.items():
        if key not in _READERS:
            raise descriptions.BadValueError(f"case '{name}': unknown key '{key}'")
        try:
            values[key] = _READERS[key](value)
        except (descriptions.BadValueError, ValueError, re.error) as error:
            raise descriptions.BadValueError(f"case '{name}': {key}: {error}") from error
    if "size_flags" in values:
        values.setdefault("sizes", dict.fromkeys(SIZES, ()))
    for key in ("suite", "sources", "sizes", "time"):
        if not values.get(key):
            raise descriptions.BadValueError(f"case '{name}': '{key}' is missing")
    row = values.pop("paper_row", name.replace("-", "_"))
    paper = _paper(row, descriptions.table(papers.get(values["suite"], {})).get(row))
    values["flags"] = (*values.get("flags", ()), *values.pop("defines", ()))
    for key in ("flags", "source_flags", "own_flags"):
        values[key] = descriptions.placed(values.get(key, ()), {"root": root, "beside": beside})
    for key, folder in (("sources", root), ("support", root), ("drivers", beside)):
        values[key] = descriptions.existing(name, folder, values.get(key, ()))
    return Case(name=name, paper=paper, release=release, **values)


def _release(data: Mapping[str, Any], root: Path) -> str:
    """Which release a checkout is, by patterns in its files; empty where none is found."""
    for name, value in descriptions.table(data.get("releases", {})).items():
        file, pattern = (*descriptions.texts(value), "", "")[:2]
        path = root / file
        if path.is_file() and descriptions.pattern(pattern).search(
            path.read_text("utf-8", "replace")
        ):
            return str(name)
    return ""


def _papers(data: Mapping[str, Any], description: Path) -> dict[str, Any]:
    return (
        descriptions.read_toml(description.parent / descriptions.text(data["paper"]))
        if "paper" in data
        else {}
    )


def _paper(row: str, entry: Any) -> Paper | None:
    if entry is None:
        return None
    return Paper(
        row,
        descriptions.text(descriptions.table(entry).get("found", "")),
        descriptions.text(entry.get("manual", "")),
    )
