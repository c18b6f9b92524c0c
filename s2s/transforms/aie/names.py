"""Names of a kernel's loops, pointers and registers that none of its arrays has.

A user's array may be called ``y`` or ``acc0``; inside of ``for (int y = 0; ...)`` it could not be
named any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import KernelLoop, KernelNest, Pointer, Register, Widen

_ARRAY = "array"
"""The field of a pointer that names an array, all others name what is local."""


def unlike(name: str, taken: Collection[str]) -> str:
    """The name, or one that is like it, which no array has."""
    while name in taken:
        name += "_"
    return name


def with_own_names(nests: Sequence[KernelNest], arrays: Collection[str]) -> tuple[KernelNest, ...]:
    """Nests in which nothing has the name of an array."""
    local = {name for nest in nests for name in _defined(nest)}
    taken = {*local, *arrays}
    names = {name: unlike(name, taken) for name in local & set(arrays)}
    return tuple(_renamed(nest, names) for nest in nests) if names else tuple(nests)


def _defined(value: Any) -> Iterator[str]:
    """What a nest, or a part of one, declares."""
    if isinstance(value, tuple):
        for one in value:
            yield from _defined(one)
    elif is_dataclass(value):
        if isinstance(value, KernelLoop | Pointer | Register | Widen):
            yield value.name
        for field in fields(value):
            if field.name == "accumulator":
                yield getattr(value, field.name)
            yield from _defined(getattr(value, field.name))


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A nest, or a part of one, with other names."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_renamed(one, names) for one in value)
    if is_dataclass(value) and not isinstance(value, type | Type):
        changed = {
            field.name: _renamed(getattr(value, field.name), names)
            for field in fields(value)
            if field.name != _ARRAY
        }
        return replace(value, **changed)
    return value
