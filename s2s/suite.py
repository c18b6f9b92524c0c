"""What a benchmark suite is: programs with their sizes, described by a small TOML file.

The description says how to build and run each program and where it prints its time, so that a
suite is measured as its authors wrote it. Sources that belong to others lie in a checkout of
theirs (``--root``) and stay as they are; what calls their kernels, generates inputs and prints
results is ours and lies beside the description. ``benchmarks/suite.toml`` explains the keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from s2s.diagnostics import Diagnostic, Severity, UserError

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
    folders = [root] if root and not name else _benchmark_folders()
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
    raise _error(f"{wanted}; looked for {', '.join(str(c) for c in candidates)}")


def read_suite(description: Path, *roots: Path) -> tuple[Case, ...]:
    """The cases of a description, whose sources lie in one of ``roots`` (default: beside it).

    A description with a ``marker``, a path in its checkout, takes the first of ``roots`` or of the
    folders in them where that path exists.
    """
    data = _toml(description)
    shared = {key: value for key, value in data.items() if key not in _SUITE_KEYS}
    try:
        root = _root(data, description, roots)
        release = _release(data, root)
        papers = _papers(data, description)
        cases = _table(data.get("cases", {}))
        return tuple(
            _read_case(name, {**shared, **_table(entry)}, root, description.parent, papers, release)
            for name, entry in cases.items()
        )
    except _BadValue as error:
        raise _error(f"{description}: {error}") from error


class _BadValue(Exception):
    """A key of a description is missing or has a value of the wrong kind."""


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _error(f"{path}: {error}") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _BadValue("must be a string")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise _BadValue("must be a list of strings")
    return tuple(_text(item) for item in value)


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _BadValue("must be a table")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _BadValue("must be true or false")
    return value


def _pattern(value: Any) -> re.Pattern[str]:
    return re.compile(_text(value), re.MULTILINE)


def _time_pattern(value: Any) -> re.Pattern[str]:
    pattern = _pattern(value)
    if pattern.groups != 1:
        raise _BadValue("needs one group, around the seconds")
    return pattern


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _BadValue("must be a number")
    return float(value)


def _sizes(value: Any) -> dict[str, tuple[str, ...]]:
    sizes = {name: _texts(arguments) for name, arguments in _table(value).items()}
    if set(sizes) != set(SIZES):
        raise _BadValue(f"must give {' and '.join(SIZES)}")
    return sizes


def _numbers(value: Any) -> dict[str, float]:
    return {variant: _number(speedup) for variant, speedup in _table(value).items()}


def _settings(value: Any) -> dict[str, str]:
    return {name: _text(setting) for name, setting in _table(value).items()}


_SUITE_KEYS = ("cases", "marker", "releases", "paper")
_READERS: dict[str, Callable[[Any], Any]] = {
    "suite": _text,
    "about": _text,
    "sources": _texts,
    "support": _texts,
    "drivers": _texts,
    "flags": _texts,
    "defines": _texts,
    "source_flags": _texts,
    "own_flags": _texts,
    "libraries": _texts,
    "sizes": _sizes,
    "size_flags": _sizes,
    "environment": _settings,
    "sequential": _truth,
    "time": _time_pattern,
    "exact": _pattern,
    "ignore": _pattern,
    "tolerance": _number,
    "rounding": _number,
    "published": _numbers,
    "peers": _numbers,
    "peers_from": _text,
    "baseline": _text,
    "paper_row": _text,
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
            raise _BadValue(f"case '{name}': unknown key '{key}'")
        try:
            values[key] = _READERS[key](value)
        except (_BadValue, ValueError, re.error) as error:
            raise _BadValue(f"case '{name}': {key}: {error}") from error
    if "size_flags" in values:
        values.setdefault("sizes", dict.fromkeys(SIZES, ()))
    for key in ("suite", "sources", "sizes", "time"):
        if not values.get(key):
            raise _BadValue(f"case '{name}': '{key}' is missing")
    row = values.pop("paper_row", name.replace("-", "_"))
    paper = _paper(row, _table(papers.get(values["suite"], {})).get(row))
    values["flags"] = (*values.get("flags", ()), *values.pop("defines", ()))
    for key in ("flags", "source_flags", "own_flags"):
        values[key] = _placed(values.get(key, ()), {"root": root, "beside": beside})
    for key, folder in (("sources", root), ("support", root), ("drivers", beside)):
        values[key] = _existing(name, folder, values.get(key, ()))
    return Case(name=name, paper=paper, release=release, **values)


def _placed(flags: Sequence[str], folders: Mapping[str, Path]) -> tuple[str, ...]:
    """Flags in which ``{root}`` stands for the checkout, ``{beside}`` for the description's."""
    for name, folder in folders.items():
        flags = [flag.replace(f"{{{name}}}", str(folder.absolute())) for flag in flags]
    return tuple(flags)


def _existing(name: str, folder: Path, files: Sequence[str]) -> tuple[Path, ...]:
    paths = tuple(folder / file for file in files)
    for path in paths:
        if not path.is_file():
            raise _BadValue(f"case '{name}': no such file: {path}")
    return paths


def _root(data: Mapping[str, Any], description: Path, roots: Sequence[Path]) -> Path:
    """Where the sources are. Raises UserError when none of ``roots`` holds the marker."""
    marker = data.get("marker")
    if marker is None:
        if len(roots) > 1:
            raise _error(f"{description}: several --root, and no 'marker' to choose one by")
        return roots[0] if roots else description.parent
    if not roots:
        raise _error(f"the suite '{description.stem}' needs --root with a checkout of it")
    for root in roots:
        inside = (
            sorted(child for child in root.iterdir() if child.is_dir()) if root.is_dir() else []
        )
        for candidate in (root, *inside):
            if (candidate / _text(marker)).exists():
                return candidate
    looked = ", ".join(map(str, roots))
    raise _error(f"no checkout of '{description.stem}' in {looked}: {marker} is missing there")


def _release(data: Mapping[str, Any], root: Path) -> str:
    """Which release a checkout is, by patterns in its files; empty where none is found."""
    for name, value in _table(data.get("releases", {})).items():
        file, pattern = (*_texts(value), "", "")[:2]
        path = root / file
        if path.is_file() and _pattern(pattern).search(path.read_text("utf-8", "replace")):
            return str(name)
    return ""


def _papers(data: Mapping[str, Any], description: Path) -> dict[str, Any]:
    return _toml(description.parent / _text(data["paper"])) if "paper" in data else {}


def _paper(row: str, entry: Any) -> Paper | None:
    if entry is None:
        return None
    return Paper(row, _text(_table(entry).get("found", "")), _text(entry.get("manual", "")))


def _benchmark_folders() -> list[Path]:
    """Where a checkout keeps its benchmarks: the current directory's, or that of this file."""
    return [Path("benchmarks"), Path(__file__).resolve().parent.parent / "benchmarks"]


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "bench"))
