"""The standard library's containers and their methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.frontends.halide.evaluate.types import CType
from s2s.frontends.halide.evaluate.values import (
    VOID,
    Number,
    Pointer,
    Ref,
    Slot,
    deref,
    number,
)
from s2s.scop.errors import Illegal

LARGEST = 1 << 20
"""More elements than this are taken for a mistake."""


class Items:
    """A vector, an array, an initializer list: ``make`` gives a new element's value."""

    words = "a container"

    def __init__(self, items: list[Any], element: CType | None, make: Callable[[], Any]) -> None:
        self.items, self.element, self.make = items, element, make

    def at(self, index: Any) -> Ref:
        place = number(index)
        if place is None or not 0 <= place < len(self.items):
            raise Illegal(f"index {place} is outside of a container of {len(self.items)} elements")
        return Slot(self.items, int(place))

    def resize(self, size: int, value: Any = None) -> None:
        if not 0 <= size <= LARGEST:
            raise Illegal(f"a container of {size} elements is too large")
        del self.items[size:]
        while len(self.items) < size:
            self.items.append(self.make() if value is None else value)


class Mapping:
    """A map: ``items`` by a plain key, each with the key's value."""

    words = "a map"

    def __init__(self, key: CType | None, make: Callable[[], Any], ordered: bool) -> None:
        self.key, self.make, self.ordered = key, make, ordered
        self.items: dict[Any, Pair] = {}

    def entry(self, key: Any) -> Pair:
        plain = plain_key(key)
        if plain not in self.items:
            self.items[plain] = Pair(key, self.make())
        return self.items[plain]

    def sequence(self) -> list[Any]:
        keys = sorted(self.items) if self.ordered else list(self.items)
        return [self.items[k] for k in keys]


class Pair:
    """``std::pair``."""

    words = "a pair"

    def __init__(self, first: Any, second: Any) -> None:
        self.fields = {"first": first, "second": second}

    @property
    def values(self) -> list[Any]:
        return list(self.fields.values())


class Tuples:
    """``std::tuple``; elements of ``tie`` are references."""

    words = "a tuple"

    def __init__(self, values: list[Any]) -> None:
        self.values = values


def plain_key(key: Any) -> Any:
    """What tells keys of a map apart, in the map's order."""
    key = deref(key)
    plain = number(key)
    if plain is not None:
        return plain
    if isinstance(key, str):
        return key
    if isinstance(key, Pair | Tuples):
        return tuple(plain_key(v) for v in key.values)
    if isinstance(key, Items):
        return tuple(plain_key(v) for v in key.items)
    raise Illegal("keys of a map or set must be numbers, strings, pairs or tuples of these")


def compared(op: str, left: Any, right: Any) -> bool:
    """Comparison of containers, pairs, and handles."""
    try:
        a, b = plain_key(left), plain_key(right)
    except Illegal:
        a, b = id(left), id(right)
        if op == "<":
            raise
        if getattr(left, "name", 0) == getattr(right, "name", 1):
            b = a
    return bool({"==": a == b, "!=": a != b, "<": a < b}[op])


def copy_value(value: Any) -> Any:
    """A copy where C++ copies values; handles of Halide's stay what they are."""
    if isinstance(value, Items):
        return Items([copy_value(v) for v in value.items], value.element, value.make)
    if isinstance(value, Pair):
        return Pair(*(copy_value(v) for v in value.values))
    if isinstance(value, Tuples):
        return Tuples([copy_value(deref(v)) for v in value.values])
    if isinstance(value, Mapping):
        made = Mapping(value.key, value.make, value.ordered)
        made.items = {k: copy_value(v) for k, v in value.items.items()}
        return made
    copy = getattr(value, "copied", None)
    return value if copy is None else copy()


def items_method(self: Items, name: str, arguments: list[Any]) -> Any:
    """A method of a vector or an array; raises KeyError for one that is not known."""
    return _ITEMS[name](self, *map(deref, arguments))


def _span(first: Pointer, last: Pointer) -> slice:
    return slice(first.index, last.index)


def _push_back(self: Items, value: Any) -> Any:
    self.resize(len(self.items) + 1, copy_value(value))
    return Slot(self.items, len(self.items) - 1)


def _pop_back(self: Items) -> Any:
    if not self.items:
        raise Illegal("pop_back on an empty container")
    self.items.pop()
    return VOID


def _holds_containers(self: Items) -> bool:
    return self.element is not None and self.element.name.startswith("std::")


def _insert(self: Items, where: Pointer, *values: Any) -> Any:
    if len(values) == 2 and isinstance(values[0], Pointer):
        new = [copy_value(v) for v in values[0].items[_span(*values)]]
    elif len(values) == 1 and isinstance(values[0], Items) and not _holds_containers(self):
        new = list(values[0].items)
    else:
        new = [copy_value(v) for v in values]
    if len(self.items) + len(new) > LARGEST:
        raise Illegal("a container grows too large")
    self.items[where.index : where.index] = new
    return where


def _erase(self: Items, first: Pointer, last: Pointer | None = None) -> Any:
    del self.items[first.index : first.index + 1 if last is None else last.index]
    return first


def _assign(self: Items, *values: Any) -> Any:
    if isinstance(values[0], Items):
        self.items[:] = [copy_value(v) for v in values[0].items]
    elif isinstance(values[0], Pointer):
        self.items[:] = [copy_value(v) for v in values[0].items[_span(*values)]]
    else:
        self.items.clear()
        self.resize(int(number(values[0]) or 0), values[1])
    return VOID


def _fill(self: Items, value: Any) -> Any:
    self.items[:] = [copy_value(value) for _ in self.items]
    return VOID


def _resize(self: Items, size: Any, value: Any = None) -> Any:
    self.resize(int(number(size) or 0), value)
    return VOID


def _pop_front(self: Items) -> Any:
    if not self.items:
        raise Illegal("pop on an empty container")
    self.items.pop(0)
    return VOID


def _push_front(self: Items, value: Any) -> Any:
    self.items.insert(0, copy_value(value))
    return VOID


def _size(self: Items) -> Any:
    return Number(len(self.items), "unsigned long")


_ITEMS: dict[str, Callable[..., Any]] = {
    "operator[]": Items.at,
    "at": Items.at,
    "size": _size,
    "capacity": _size,
    "empty": lambda self: not self.items,
    "push_back": _push_back,
    "pop_back": _pop_back,
    "push": _push_back,
    "push_front": _push_front,
    "pop_front": _pop_front,
    "front": lambda self: self.at(0),
    "back": lambda self: self.at(len(self.items) - 1),
    "top": lambda self: self.at(len(self.items) - 1),
    "clear": lambda self: self.items.clear() or VOID,
    "reserve": lambda self, size: VOID,
    "resize": _resize,
    "insert": _insert,
    "erase": _erase,
    "assign": _assign,
    "fill": _fill,
    "data": lambda self: Pointer(None, self.items, 0),
    **dict.fromkeys(("begin", "cbegin"), lambda self: Pointer(None, self.items, 0)),
    **dict.fromkeys(("end", "cend"), lambda self: Pointer(None, self.items, len(self.items))),
    "rbegin": lambda self: Pointer(None, self.items[::-1], 0),
    "rend": lambda self: Pointer(None, self.items[::-1], len(self.items)),
}


def mapping_method(self: Mapping, name: str, arguments: list[Any]) -> Any:
    """A method of a map or a set."""
    return _MAPPING[name](self, *map(deref, arguments))


def _at(self: Mapping, key: Any) -> Any:
    if plain_key(key) not in self.items:
        raise Illegal("std::map::at: the key is not in the map")
    return Slot(self.entry(key).fields, "second")


def _find(self: Mapping, key: Any) -> Any:
    sequence = self.sequence()
    found = self.items.get(plain_key(key))
    return Pointer(None, sequence, len(sequence) if found is None else sequence.index(found))


def _insert_pair(self: Mapping, *values: Any) -> Any:
    key, value = values if len(values) == 2 else (values[0], VOID)
    if isinstance(key, Pair) and len(values) == 1:
        key, value = key.values
    new = plain_key(key) not in self.items
    if new:
        self.items[plain_key(key)] = Pair(key, copy_value(value))
    return Pair(_find(self, key), new)


def _erase_key(self: Mapping, key: Any) -> Any:
    return Number(int(self.items.pop(plain_key(key), None) is not None), "unsigned long")


_MAPPING: dict[str, Callable[..., Any]] = {
    "operator[]": lambda self, key: Slot(self.entry(key).fields, "second"),
    "at": _at,
    "size": lambda self: Number(len(self.items), "unsigned long"),
    "empty": lambda self: not self.items,
    "count": lambda self, key: Number(int(plain_key(key) in self.items), "unsigned long"),
    "contains": lambda self, key: plain_key(key) in self.items,
    "find": _find,
    "begin": lambda self: Pointer(None, self.sequence(), 0),
    "end": lambda self: Pointer(None, self.sequence(), len(self.items)),
    "insert": _insert_pair,
    "emplace": _insert_pair,
    "erase": _erase_key,
    "clear": lambda self: self.items.clear() or VOID,
}


_LONGEST = 1 << 20


def string_method(target: Any, name: str, arguments: list[Any]) -> Any:
    """A method of a string; ``target`` may be a place for those that change it."""
    text = deref(target)
    arguments = [deref(a) for a in arguments]
    if name in _CHANGING:
        if not isinstance(target, Ref):
            raise Illegal(f"std::string::{name} on a value")
        changed = _CHANGING[name](text, *arguments)
        if len(changed) > _LONGEST:
            raise Illegal("a string grows too long")
        target.set(changed)
        return target
    return _STRING[name](text, *arguments)


def _letters(value: Any) -> str:
    return value if isinstance(value, str) else chr(int(number(value) or 0) & 0x7F)


def _place(found: int) -> Number:
    return Number(found if found >= 0 else (1 << 64) - 1, "unsigned long")


def _letter(text: str, index: Any) -> Number:
    place = int(number(index) or 0)
    if not 0 <= place < len(text):
        raise Illegal(f"index {place} is outside of a string of {len(text)} characters")
    return Number(ord(text[place]), "char")


def _substr(text: str, start: Any = 0, count: Any = None) -> str:
    first = int(number(start) or 0)
    if first > len(text):
        raise Illegal("substr past the end of a string")
    return text[first:] if count is None else text[first : first + int(number(count) or 0)]


_STRING: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("size", "length"), lambda s: Number(len(s), "unsigned long")),
    "empty": lambda s: not s,
    **dict.fromkeys(("c_str", "data"), lambda s: s),
    **dict.fromkeys(("operator[]", "at"), _letter),
    "back": lambda s: _letter(s, len(s) - 1),
    "front": lambda s: _letter(s, 0),
    "substr": _substr,
    "find": lambda s, what, start=0: _place(s.find(_letters(what), int(number(start) or 0))),
    "rfind": lambda s, what, start=None: _place(s.rfind(_letters(what))),
    "compare": lambda s, other: (s > other) - (s < other),
    "begin": lambda s: Pointer(None, [Number(ord(c), "char") for c in s], 0),
    "end": lambda s: Pointer(None, [Number(ord(c), "char") for c in s], len(s)),
}
_CHANGING: dict[str, Callable[..., str]] = {
    "operator=": lambda s, other: _letters(other),
    "operator+=": lambda s, other: s + _letters(other),
    "append": lambda s, other: s + _letters(other),
    "push_back": lambda s, other: s + _letters(other),
    "pop_back": lambda s: s[:-1],
    "clear": lambda s: "",
    "reserve": lambda s, n: s,
    "erase": lambda s, start=0, n=None: s[: number(start)] + ("" if n is None else s[start + n :]),
}
