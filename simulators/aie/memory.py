"""Data memory: one buffer of bytes for each array, with its bounds and its alignment checked.

An offset is a number of bytes, or an array of them: one for each of many iterations that execute
an instruction together (``execute.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import prod
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.program import Array
from s2s.simulators.aie.values import (
    AccumulatorType,
    Numbers,
    PointerType,
    ScalarType,
    Type,
    VectorType,
    size_of,
)
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Ints = Any
    Data = np.ndarray[Any, Any]

# The alignment that vector loads and stores need, in bytes.
VECTOR_ALIGNMENT = 16
# What a pointer parameter gets whose extents nothing says: the data memory in reach of a core.
UNKNOWN_SIZE = 131072
UNKNOWN_STREAM = 8 * UNKNOWN_SIZE


class Fault(Exception):
    """The kernel does what the machine has no answer for."""


def size_unknown(array: Array) -> int:
    """Bytes of an array whose extents nothing says; a stream is in no memory."""
    return UNKNOWN_STREAM if _is_stream(array) else UNKNOWN_SIZE


def _is_stream(array: Array) -> bool:
    return "_stream_" in array.window


def data_type(kind: ScalarType | VectorType) -> np.dtype[Any]:
    """How numpy stores elements of a type; ``decoded`` makes numbers of complex ones."""
    import numpy as np

    if kind.numbers is Numbers.COMPLEX:
        half = f"int{kind.bits // 2}"
        return np.dtype([("real", half), ("imag", half)])
    if kind.numbers is Numbers.FLOAT:
        return np.dtype(f"float{kind.bits}")
    return np.dtype(f"{'int' if kind.signed else 'uint'}{kind.bits}")


def held_type(kind: ScalarType | VectorType) -> np.dtype[Any]:
    """The type of the numbers that a register holds."""
    import numpy as np

    is_complex = kind.numbers is Numbers.COMPLEX
    return np.dtype(np.complex128) if is_complex else data_type(kind)


def decoded(stored: Data) -> Data:
    """Numbers of what is stored: complex ones have parts that are integers."""
    import numpy as np

    if stored.dtype.names is None:
        return stored
    return np.asarray(stored["real"] + 1j * stored["imag"])


def encoded(numbers: Data, kind: ScalarType | VectorType) -> Data:
    """What is stored of numbers, wrapped to their type."""
    import numpy as np

    dtype = data_type(kind)
    if dtype.names is None:
        return np.asarray(numbers).astype(dtype)
    parts = np.asarray(numbers)
    stored = np.empty(parts.shape, dtype)
    stored["real"], stored["imag"] = (
        np.rint(part).astype(np.int64).astype(dtype["real"]) for part in (parts.real, parts.imag)
    )
    return stored


@dataclass(eq=False)
class Memory:
    """The bytes of one array. ``touched`` counts bytes from the start up to the last one used.

    ``defined`` says of each byte whether it was ever written; None where all of them count so.
    """

    array: Array
    data: Data
    is_given: bool = False
    defined: Data | None = None
    touched: int = 0
    _views: dict[Any, Data] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return int(self.data.size)

    def view(self, dtype: np.dtype[Any]) -> Data:
        """The memory as elements of a type; what does not fill one at the end is left out."""
        found = self._views.get(dtype)
        if found is None:
            whole = self.size // dtype.itemsize * dtype.itemsize
            found = self._views[dtype] = self.data[:whole].view(dtype)
        return found

    def check(self, offsets: Ints, kind: Type) -> None:
        """Raise Fault for an access outside the array or off its alignment."""
        import numpy as np

        size = size_of(kind)
        alignment = self._alignment(kind)
        low, high = (offsets, offsets) if isinstance(offsets, int) else _range(offsets)
        name = self.array.name
        if low < 0 or high + size > self.size:
            wrong = low if low < 0 else high
            element = wrong / size_of(self.array.element)
            text = f"element {element:g} of '{name}'" if element % 1 else f"'{name}[{element:g}]'"
            raise Fault(f"an access of {size} bytes at {text}, outside its {self.size} bytes")
        off = np.atleast_1d(np.asarray(offsets) % alignment)
        if off.any():
            wrong = int(np.broadcast_to(offsets, off.shape)[off != 0][0])
            raise Fault(
                f"a '{kind}' {wrong} bytes behind the start of '{name}':"
                f" not aligned to {8 * alignment} bits"
            )
        self.touched = max(self.touched, high + size)

    def _alignment(self, kind: Type) -> int:
        """What offsets are multiples of: those in streams, which are words, of a word."""
        if not isinstance(kind, VectorType | AccumulatorType):
            return size_of(kind)
        if isinstance(kind, VectorType) and _is_stream(self.array):
            return max(4, size_of(kind.element))
        return VECTOR_ALIGNMENT

    def holds(self, offsets: Ints) -> bool:
        """Whether places are inside the array."""
        low, high = (offsets, offsets) if isinstance(offsets, int) else _range(offsets)
        return low >= 0 and high < self.size

    def load(self, offsets: Ints, kind: ScalarType | VectorType) -> Data:
        """The elements there: shape of the offsets, and after it the lanes of a vector."""
        import numpy as np

        dtype = data_type(kind)
        view, first = self.view(dtype), offsets // dtype.itemsize
        if isinstance(kind, ScalarType):
            return decoded(np.asarray(view[first]))
        if isinstance(first, int):
            return decoded(view[first : first + kind.lanes].copy())
        return decoded(np.asarray(view[first[..., None] + np.arange(kind.lanes)]))

    def defined_at(self, offsets: Ints, kind: ScalarType | VectorType) -> Data | None:
        """Whether the elements there were written; None if all of them were."""
        import numpy as np

        if self.defined is None:
            return None
        places = np.asarray(offsets)[..., None] + np.arange(size_of(kind))
        found = self.defined[places]
        if found.all():
            return None
        return np.asarray(found.reshape(*found.shape[:-1], -1, kind.bits // 8).all(-1))

    def store(self, offsets: Ints, kind: ScalarType | VectorType, values: Data) -> None:
        import numpy as np

        if self.defined is not None:
            self.defined[np.asarray(offsets)[..., None] + np.arange(size_of(kind))] = True
        dtype = data_type(kind)
        if dtype.names is not None:
            values = encoded(values, kind)
        view, first = self.view(dtype), offsets // dtype.itemsize
        if isinstance(kind, ScalarType):
            view[first] = values
        elif isinstance(first, int):
            view[first : first + kind.lanes] = values
        else:
            view[first[..., None] + np.arange(kind.lanes)] = values

    def elements(self) -> Data:
        """The contents in the array's own shape; as far as they were used if no size is known."""
        element = self.array.element
        assert isinstance(element, ScalarType | VectorType)
        view = decoded(self.view(data_type(element)))
        extents = self.array.extents
        if not extents and self.is_given:
            return view.copy()
        if not extents:
            return view[: -(-self.touched // data_type(element).itemsize)].copy()
        lanes = (element.lanes,) if isinstance(element, VectorType) else ()
        return view[: prod(extents + lanes)].reshape(*extents, *lanes).copy()


def _range(offsets: Data) -> tuple[int, int]:
    return (int(offsets.min()), int(offsets.max())) if offsets.size else (0, 0)


def _given(numbers: Sequence[Any], element: ScalarType | VectorType) -> Data:
    import numpy as np

    exact = element.numbers is Numbers.INTEGER
    return np.array(numbers, dtype=object) if exact else np.array(numbers)


def memory_of(array: Array, given: Data | None) -> Memory:
    """Memory for an array: with what is given, the text's own elements, or zeros.

    Raises ValueError if what is given has another number of elements.
    """
    import numpy as np

    element = array.element
    if isinstance(element, AccumulatorType | PointerType):
        raise Fault(f"'{array.name}' keeps accumulators in memory, which is not simulated")
    lanes = element.lanes if isinstance(element, VectorType) else 1
    count = prod(array.extents) * lanes
    dtype = data_type(element)
    if given is not None:
        flat = encoded(np.ascontiguousarray(given), element).ravel()
        if array.extents and flat.size != count:
            text = f"'{array.name}' has {count} elements, {flat.size} were given"
            raise ValueError(text)
    elif array.initial is not None:
        flat = np.zeros(count, dtype)
        flat[: len(array.initial)] = encoded(_given(array.initial, element), element)
    else:
        flat = np.zeros(count if array.extents else size_unknown(array) // dtype.itemsize, dtype)
    known = array.is_parameter or array.is_static or array.initial is not None
    data = flat.view(np.uint8).copy()
    defined = None if known or given is not None else np.zeros(data.size, bool)
    return Memory(array, data, given is not None, defined)
