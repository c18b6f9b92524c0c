"""Reading TOML files that describe benchmark suites: values of the right kind, or what is wrong.

Sources that belong to others lie in a checkout of theirs (``--root``); what is ours lies beside the
description.
"""

from __future__ import annotations

import importlib.resources
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from s2s.source.diagnostics import Diagnostic, Severity, UserError


class BadValueError(Exception):
    """A key of a description is missing or has a value of the wrong kind."""


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise bench_error(f"{path}: {error}") from error


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadValueError("must be a string")
    return value


def texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadValueError("must be a list of strings")
    return tuple(text(item) for item in value)


def table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadValueError("must be a table")
    return value


def truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadValueError("must be true or false")
    return value


def pattern(value: Any) -> re.Pattern[str]:
    return re.compile(text(value), re.MULTILINE)


def number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValueError("must be a number")
    return float(value)


def placed(flags: Sequence[str], folders: Mapping[str, Path]) -> tuple[str, ...]:
    """Flags in which ``{root}`` stands for the checkout, ``{beside}`` for the description's."""
    for name, folder in folders.items():
        flags = [flag.replace(f"{{{name}}}", str(folder.absolute())) for flag in flags]
    return tuple(flags)


def existing(name: str, folder: Path, files: Sequence[str]) -> tuple[Path, ...]:
    paths = tuple(folder / file for file in files)
    for path in paths:
        if not path.is_file():
            raise BadValueError(f"case '{name}': no such file: {path}")
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
            if (candidate / text(marker)).exists():
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
