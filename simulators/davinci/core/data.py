"""Arrays from files and back to them; what nobody gives is made up."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from s2s.simulators.davinci.facts import Facts
from s2s.simulators.davinci.kernel import Parameter
from s2s.simulators.davinci.kinds import NUMPY, Pointer
from s2s.simulators.davinci.problems import problem
from s2s.source import output

_LARGEST = 1 << 28
"""Elements of an array that is made up."""


def pairs(words: Sequence[str], what: str) -> dict[str, str]:
    """``NAME=VALUE`` words as a dictionary. Raises UserError."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise problem(f"'{word}' is not NAME={what}")
        found[name] = value
    return found


def make_arrays(
    parameters: Sequence[Parameter],
    facts: Facts,
    files: Mapping[str, str],
    sizes: Mapping[str, int],
    seed: int,
) -> dict[str, Any]:
    """Contents of the arrays whose extents are known; outputs begin as zeros.

    Raises UserError for a file that cannot be read or has fewer elements than it takes.
    """
    found: dict[str, Any] = {}
    arrays = [one.name for one in parameters if isinstance(one.type, Pointer)]
    for name in (*files, *sizes):
        if name not in arrays:
            raise problem(f"there is no array '{name}', only {', '.join(arrays) or 'numbers'}")
        if not 0 < sizes.get(name, 1) <= _LARGEST:
            raise problem(f"'{name}' cannot have {sizes[name]} elements")
    for one in parameters:
        if not isinstance(one.type, Pointer):
            continue
        kind = np.dtype(NUMPY[one.type.element.name])
        count = sizes.get(one.name, facts.count(one.name))
        if one.name in files:
            values = _load(files[one.name]).astype(kind).ravel()
            if count is not None and values.size != count:
                raise problem(f"'{one.name}' has {count} elements, {values.size} are given")
            found[one.name] = values
        elif one.name in facts.outputs and count is not None:
            found[one.name] = np.zeros(count, kind)
        elif count is not None:
            source = np.random.default_rng([seed, zlib.crc32(one.name.encode())])
            made = source.integers(-256, 256, count)
            found[one.name] = (made / 64 if kind.kind == "f" else made & 63).astype(kind)
    return found


def _load(path: str) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except OSError as error:
        raise problem(f"{path}: {error.strerror or error}") from None
    except (ValueError, EOFError) as error:
        raise problem(f"{path}: {error}") from None


def save(path: str, values: Any, shape: tuple[int, ...] | None) -> None:
    """Write an array as .npy."""
    if Path(path).suffix != ".npy":
        raise problem(f"{path}: arrays are written as .npy")
    stream = io.BytesIO()
    np.save(stream, values.reshape(shape) if shape else values)
    output.write_file(path, stream.getvalue())
