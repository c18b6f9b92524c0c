"""What a benchmark suite is: programs with their sizes, described by a small TOML file.

The description says how to build and run each program and where it prints its time, so that a
suite is measured as its authors wrote it. ``benchmarks/suite.toml`` explains the keys.
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


@dataclass(frozen=True, kw_only=True)
class Case:
    """A program of a suite; ``published`` holds the known speedup of a variant, if any."""

    suite: str
    name: str
    sources: tuple[Path, ...]
    sizes: Mapping[str, tuple[str, ...]]
    time: re.Pattern[str]
    about: str = ""
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    exact: re.Pattern[str] | None = None
    ignore: re.Pattern[str] | None = None
    tolerance: float = 0.0
    published: Mapping[str, float] = field(default_factory=dict)


def find_suite(name: str | None, root: Path | None) -> Path:
    """The description of a suite: a file, a folder with suite.toml, or a name in benchmarks/.

    Without a name it is ``root``'s own, or that of the checkout that s2s runs in.
    """
    folders = [root] if root and not name else _benchmark_folders()
    if name is None:
        candidates = [folder / "suite.toml" for folder in folders]
    else:
        candidates = [Path(name), Path(name) / "suite.toml"]
        for folder in folders:
            candidates += [folder / f"{name}.toml", folder / name / "suite.toml"]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    wanted = f"no benchmark suite '{name}'" if name else "no benchmark suite here"
    raise _error(f"{wanted}; looked for {', '.join(str(c) for c in candidates)}")


def read_suite(description: Path, root: Path | None = None) -> tuple[Case, ...]:
    """The cases of a description, whose sources lie in ``root`` (default: beside it)."""
    try:
        data = tomllib.loads(description.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _error(f"{description}: {error}") from error
    shared = {key: value for key, value in data.items() if key != "cases"}
    try:
        cases = _table(data.get("cases", {}))
        return tuple(
            _read_case(name, {**shared, **_table(entry)}, root or description.parent)
            for name, entry in cases.items()
        )
    except _BadValue as error:
        raise _error(f"{description}: {error}") from error


class _BadValue(Exception):
    """A key of a description is missing or has a value of the wrong kind."""


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


def _published(value: Any) -> dict[str, float]:
    return {variant: _number(speedup) for variant, speedup in _table(value).items()}


_READERS: dict[str, Callable[[Any], object]] = {
    "suite": _text,
    "about": _text,
    "sources": _texts,
    "flags": _texts,
    "libraries": _texts,
    "sizes": _sizes,
    "time": _time_pattern,
    "exact": _pattern,
    "ignore": _pattern,
    "tolerance": _number,
    "published": _published,
}


def _read_case(name: str, entry: Mapping[str, Any], root: Path) -> Case:
    values: dict[str, Any] = {}
    for key, value in entry.items():
        if key not in _READERS:
            raise _BadValue(f"case '{name}': unknown key '{key}'")
        try:
            values[key] = _READERS[key](value)
        except (_BadValue, ValueError, re.error) as error:
            raise _BadValue(f"case '{name}': {key}: {error}") from error
    for key in ("suite", "sources", "sizes", "time"):
        if not values.get(key):
            raise _BadValue(f"case '{name}': '{key}' is missing")
    values["sources"] = tuple(root / source for source in values["sources"])
    for source in values["sources"]:
        if not source.is_file():
            raise _BadValue(f"case '{name}': no such file: {source}")
    return Case(name=name, **values)


def _benchmark_folders() -> list[Path]:
    """Where a checkout keeps its benchmarks: the current directory's, or that of this file."""
    return [Path("benchmarks"), Path(__file__).resolve().parent.parent / "benchmarks"]


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "bench"))
