"""What a kernel works on: arrays from files or random ones, and where results go."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from math import prod
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.memory import size_unknown
from s2s.simulators.aie.program import Array, Direction, Program
from s2s.simulators.aie.values import Numbers, ScalarType, VectorType
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Data = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Given:
    """What the command line says about the kernel's data; files by the array's name.

    ``size`` is for the arrays that ``sizes`` does not name.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    archive: str | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    size: int | None = None
    seed: int = 0

    def size_of(self, name: str) -> int | None:
        """Elements of an array about whose extents the kernel says nothing."""
        return self.sizes.get(name, self.size)


def data_error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "simulate"))


def prepared(program: Program, given: Given) -> dict[str, Any]:
    """A value for every parameter that is a number and every array that has to have contents.

    Raises UserError for what is missing, unknown or does not fit.
    """
    known = {p.name: p for p in (*program.parameters, *program.arrays)}
    archive = _archive(given.archive)
    for name in (*given.files, *given.numbers, *given.sizes):
        if name not in known:
            raise data_error(f"the kernel has no '{name}', only {', '.join(sorted(known))}")
    found: dict[str, Any] = {}
    for name, one in known.items():
        if isinstance(one, Array):
            contents = _contents(one, given, archive)
            if contents is not None:
                found[name] = contents
        elif name in given.numbers:
            found[name] = given.numbers[name]
        else:
            raise data_error(f"the kernel takes a number '{name}': '--value {name}=NUMBER'")
    return found


def _contents(array: Array, given: Given, archive: Mapping[str, Data]) -> Data | None:
    if array.name in given.files:
        contents = load(given.files[array.name], array.name)
    elif array.name in archive:
        contents = archive[array.name]
    elif array.initial is None and array.direction is not Direction.OUT:
        contents = _random(array, given)
    elif array.name in given.sizes and not array.extents:
        contents = _zeros(given.sizes[array.name])
    else:
        return None
    return _fitting(array, contents)


def without_extents(program: Program, given: Given) -> frozenset[str]:
    """The arrays about whose extents nothing is said: they end where the kernel stops."""
    every = (*program.parameters, *program.arrays)
    names = {one.name for one in every if isinstance(one, Array) and not one.extents}
    sized = {name for name in names if given.size_of(name) is not None}
    return frozenset(names - sized - given.files.keys() - _archive(given.archive).keys())


def _count(array: Array) -> int:
    lanes = array.element.lanes if isinstance(array.element, VectorType) else 1
    return prod(array.extents) * lanes


def _fitting(array: Array, contents: Data) -> Data:
    import numpy as np

    if array.extents and contents.size != _count(array):
        text = f"'{array.name}' has {_count(array)} elements, {contents.size} are given"
        raise data_error(text)
    if array.element.numbers is Numbers.FLOAT:  # type: ignore[union-attr]
        return np.asarray(contents, np.float64)
    if array.element.numbers is Numbers.COMPLEX:  # type: ignore[union-attr]
        return np.asarray(contents, np.complex128)
    if not np.issubdtype(contents.dtype, np.integer):
        rounded = contents.astype(np.int64)
        if not np.array_equal(rounded, contents):
            raise data_error(f"'{array.name}': the numbers given are no integers")
        contents = rounded
    low, high = bounds(array)
    if contents.size and (int(contents.min()) < low or int(contents.max()) > high):
        raise data_error(f"'{array.name}': the numbers given do not fit '{array.element}'")
    return contents


def bounds(array: Array) -> tuple[int, int]:
    """Least and greatest value of an array's elements."""
    element = array.element
    assert isinstance(element, ScalarType | VectorType)
    most = (1 << (element.bits - element.signed)) - 1
    return (-most - 1 if element.signed else 0), most


def _random(array: Array, given: Given) -> Data:
    """Elements over the range of their type, floats within -1 and 1; seed and name choose them."""
    import zlib

    import numpy as np

    element = array.element
    assert isinstance(element, ScalarType | VectorType)
    count = _count(array) if array.extents else given.size_of(array.name)
    if count is None:
        count = size_unknown(array) * 8 // element.bits
    generator = np.random.default_rng([given.seed, zlib.crc32(array.name.encode())])
    if element.numbers is Numbers.FLOAT:
        return generator.uniform(-1, 1, count).astype(np.float32)
    if element.numbers is Numbers.COMPLEX:
        most = 1 << (element.bits // 2 - 1)
        parts = generator.integers(-most, most, (2, count))
        return np.asarray(parts[0] + 1j * parts[1])
    low, high = bounds(array)
    return generator.integers(low, high, count, dtype=np.int64, endpoint=True)


def _zeros(count: int) -> Data:
    import numpy as np

    return np.zeros(count, np.int64)


# ----------------------------------------------------------------------------------------- files


def _archive(path: str | None) -> dict[str, Data]:
    import numpy as np

    if path is None:
        return {}
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, AttributeError) as problem:
        raise data_error(f"{path}: {problem}") from None


def load(path: str, name: str) -> Data:
    """The array of a .npy file, of that name in a .npz file, or the numbers of a text file."""
    import numpy as np

    suffix = os.path.splitext(path)[1]
    if suffix == ".npz":
        archive = _archive(path)
        if name not in archive:
            raise data_error(f"{path}: has no array '{name}'")
        return archive[name]
    try:
        if suffix == ".npy":
            return np.asarray(np.load(path, allow_pickle=False))
        with open(path, encoding="ascii") as file:
            words = file.read().replace(",", " ").split()
        return _of_words(words)
    except (OSError, ValueError) as problem:
        raise data_error(f"{path}: {problem}") from None


def _of_words(words: Sequence[str]) -> Data:
    """Numbers of a text: integers, floats, complex ones as Python writes them."""
    import numpy as np

    try:
        return np.array([int(word, 0) for word in words], np.int64)
    except ValueError:
        return np.array([complex(word) if "j" in word else float(word) for word in words])


def save(path: str, arrays: Mapping[str, Data]) -> None:
    """One array to .npy or text, several to .npz."""
    import io

    import numpy as np

    from s2s.source import output

    stream = io.BytesIO()
    suffix = os.path.splitext(path)[1]
    if suffix == ".npz":
        np.savez(stream, **dict(arrays))  # type: ignore[arg-type]
    elif suffix == ".npy":
        np.save(stream, next(iter(arrays.values())))
    else:
        values = next(iter(arrays.values()))
        rows = values.reshape(-1, values.shape[-1]) if values.ndim else values.reshape(1, 1)
        if rows.dtype.kind in "iu":
            np.savetxt(stream, rows, fmt="%d")
        else:
            lines = (" ".join(str(one) for one in row.tolist()) for row in rows)
            stream.write("".join(f"{line}\n" for line in lines).encode())
    output.write_file(path, stream.getvalue())


def differences(found: Mapping[str, Data], wanted: Mapping[str, Data]) -> list[str]:
    """A sentence for each array that is not as wanted; flat sizes have to agree."""
    import numpy as np

    said = []
    for name, values in wanted.items():
        if name not in found:
            said.append(f"there is no array '{name}'")
            continue
        first, second = found[name].ravel(), np.asarray(values).ravel()
        if first.size != second.size:
            said.append(f"'{name}' has {first.size} elements, not {second.size}")
        elif not np.array_equal(first, second, equal_nan=first.dtype.kind in "fc"):
            wrong = np.flatnonzero((first != second) & ~((first != first) & (second != second)))
            place = int(wrong[0])
            said.append(
                f"'{name}' differs in {wrong.size} of {first.size} elements, first in element"
                f" {place}: {first[place]}, not {second[place]}"
            )
    return said


def select_changed(program: Program, arrays: Mapping[str, Data]) -> dict[str, Data]:
    """Those arrays that the kernel writes."""
    written = [
        one.name
        for one in (*program.parameters, *program.arrays)
        if isinstance(one, Array) and one.direction is not Direction.IN
    ]
    return {name: arrays[name] for name in written}


def pairs(words: Sequence[str], what: str) -> dict[str, str]:
    """``NAME=VALUE`` words as a dictionary. Raises UserError."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise data_error(f"'{word}' is not NAME={what}")
        found[name] = value
    return found
