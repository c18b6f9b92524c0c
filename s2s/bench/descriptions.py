"""Reading TOML files that describe benchmark suites: values of the right kind, or what is wrong.

Sources that belong to others lie in a checkout of theirs (``--root``); what is ours lies beside the
description.
"""

from __future__ import annotations

import importlib.resources
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from s2s.source.diagnostics import Diagnostic, Severity, UserError

T = TypeVar("T")


class BadValueError(Exception):
    """A key of a description is missing or has a value of the wrong kind."""


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise bench_error(f"{path}: {error}") from error


def read(kind: Callable[..., T], table: Mapping[str, Any], **given: Any) -> T:
    """A dataclass from a table whose keys are its fields, but for those that are ``given``.

    Raises BadValueError for keys that it does not have, values of another kind than the field's,
    and what is missing or empty where there is no default.
    """
    known: Any = kind
    hints = {name: hint for name, hint in get_type_hints(known).items() if name not in given}
    values = {}
    for name, value in table.items():
        if name not in hints:
            raise BadValueError(f"unknown key '{name}'")
        try:
            values[name] = convert(hints[name], value)
        except (BadValueError, re.error) as error:
            raise BadValueError(f"{name}: {error}") from error
    for one in fields(known):
        is_wanted = one.default is MISSING and one.default_factory is MISSING
        if is_wanted and one.name in hints and not values.get(one.name):
            raise BadValueError(f"'{one.name}' is missing")
    return kind(**values, **given)


_PLAIN: dict[Any, tuple[str, Any]] = {
    str: ("a string", str),
    Path: ("a string", str),
    bool: ("true or false", bool),
    int: ("a number", int),
    float: ("a number", (int, float)),
}
"""What a plain value has to be, in words and as TOML gives it."""


def convert(hint: Any, value: Any) -> Any:
    """A value of TOML as a field with this type has it. Raises BadValueError."""
    of, arguments = get_origin(hint) or hint, get_args(hint)
    if of in (UnionType, Union):
        return convert(arguments[0], value)
    if of is tuple:
        if not isinstance(value, list):
            raise BadValueError(f"must be a list of {_PLAIN[arguments[0]][0].removeprefix('a ')}s")
        return tuple(convert(arguments[0], item) for item in value)
    if of is Mapping:
        if not isinstance(value, dict):
            raise BadValueError("must be a table")
        return {name: convert(arguments[1], item) for name, item in value.items()}
    if of is re.Pattern:
        return re.compile(convert(str, value), re.MULTILINE)
    if of is Any:
        return value
    words, accepted = _PLAIN[of]
    if not isinstance(value, accepted) or (isinstance(value, bool) and of is not bool):
        raise BadValueError(f"must be {words}")
    return of(value)


def placed(flags: Sequence[str], folders: Mapping[str, Path]) -> tuple[str, ...]:
    """Flags in which ``{root}`` stands for the checkout, ``{beside}`` for the description's."""
    for name, folder in folders.items():
        flags = [flag.replace(f"{{{name}}}", str(folder.absolute())) for flag in flags]
    return tuple(flags)


def existing(folder: Path, files: Sequence[Path]) -> tuple[Path, ...]:
    """Files in a folder. Raises BadValueError."""
    paths = tuple(folder / file for file in files)
    for path in paths:
        if not path.is_file():
            raise BadValueError(f"no such file: {path}")
    return paths


def checkout(data: Mapping[str, Any], description: Path, roots: Sequence[Path]) -> Path:
    """Where the sources are. Raises UserError when none of ``roots`` holds the marker."""
    marker = data.get("marker")
    if marker is None:
        if len(roots) > 1:
            raise bench_error(f"{description}: several --root, and no 'marker' to choose one by")
        return roots[0] if roots else description.parent
    if not roots:
        raise bench_error(f"the suite '{description.stem}' needs --root with a checkout of it")
    for root in roots:
        inside = (
            sorted(child for child in root.iterdir() if child.is_dir()) if root.is_dir() else []
        )
        for candidate in (root, *inside):
            if (candidate / convert(str, marker)).exists():
                return candidate
    looked = ", ".join(map(str, roots))
    raise bench_error(f"no checkout of '{description.stem}' in {looked}: {marker} is missing there")


def benchmark_folders() -> list[Path]:
    """Where benchmarks lie: in the current directory, or as they came with s2s."""
    return [Path("benchmarks"), Path(str(importlib.resources.files("s2s.benchmarks")))]


def find(path: str) -> Path:
    """A file or folder among the benchmarks. Raises UserError."""
    for folder in benchmark_folders():
        if (folder / path).exists():
            return folder / path
    raise bench_error(f"no benchmarks/{path} here")


def bench_error(said: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, said, "bench"))
