"""Syntax as the interpreter walks it: cursors with what is asked of them remembered."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from clang import cindex

from s2s.frontends.c import clang

# What only names a type or a namespace inside of an expression or a declaration.
_NAMES = frozenset(
    {"TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF", "OVERLOADED_DECL_REF", "MEMBER_REF"}
)


_T = TypeVar("_T")


class lazy(Generic[_T]):
    """A property that is computed once; without the lock of functools' one."""

    def __init__(self, compute: Callable[[Any], _T]) -> None:
        self.compute, self.name = compute, compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[_T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.compute(instance)
        return value


class Node:
    """A cursor. ``parts`` are the nodes below without those that only name types."""

    def __init__(self, cursor: Any) -> None:
        self.cursor = cursor
        self.kind = clang.kind(cursor)

    @lazy
    def children(self) -> list[Node]:
        return [Node(c) for c in clang.children(self.cursor)]

    @lazy
    def parts(self) -> list[Node]:
        return [c for c in self.children if c.kind not in _NAMES]

    @lazy
    def name(self) -> str:
        return clang.spelling(self.cursor)

    @lazy
    def type(self) -> str:
        """The canonical type's spelling."""
        return str(self.cursor.type.get_canonical().spelling)

    @lazy
    def referenced(self) -> Node | None:
        found = clang.find_referenced(self.cursor)
        if found is None:
            return None
        known = _declarations.setdefault(clang.hashed(found), [])
        for node in known:
            if clang.same(node.cursor, found):
                return node
        known.append(Node(found))
        return known[-1]

    @lazy
    def definition(self) -> Node | None:
        found = self.cursor.get_definition()
        return None if found is None else Node(found)

    @lazy
    def template(self) -> Node | None:
        """The template that a declaration is an instance of."""
        lib = clang.library()
        found = lib.clang_getSpecializedCursorTemplate(self.cursor)
        if lib.clang_isInvalid(found._kind_id):
            return None
        found._tu = self.cursor._tu
        return Node(found)

    @lazy
    def key(self) -> tuple[object, ...]:
        """Tells declarations apart."""
        return (*self.place, clang.hashed(self.cursor))

    @lazy
    def place(self) -> tuple[str, int]:
        """The file and the offset where the name stands."""
        handle, offset = clang.place(self.cursor)
        return _file_name(handle), offset

    @lazy
    def extent(self) -> tuple[int, int]:
        start, end, _ = clang.extent(self.cursor)
        return start, end

    @lazy
    def scope(self) -> str:
        """The name of what a declaration stands in: a class or a namespace."""
        parent = self.cursor.semantic_parent
        return "" if parent is None else str(parent.spelling)

    @lazy
    def operator(self) -> str:
        """The spelling of a unary or binary operator."""
        lib = clang.library()
        if self.kind in ("UNARY_OPERATOR",):
            return _UNARY[int(lib.clang_getCursorUnaryOperatorKind(self.cursor))]
        return _BINARY[int(lib.clang_getCursorBinaryOperatorKind(self.cursor))]

    @lazy
    def tokens(self) -> list[str]:
        return [t.spelling for t in self.cursor.get_tokens()]


_declarations: dict[int, list[Node]] = {}
_files: dict[int, str] = {}


def forget() -> None:
    """A new translation unit is read: nodes and files of the last one are gone."""
    _declarations.clear()
    _files.clear()


def _file_name(handle: int | None) -> str:
    if handle is None:
        return ""
    known = _files.get(handle)
    if known is None:
        known = _files[handle] = clang.file_name(handle)
    return known


_BINARY = (
    *("", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "=="),
    *("!=", "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&="),
    *("^=", "|=", ","),
)
_UNARY = (
    *("", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!", "__real", "__imag"),
    *("__extension__", "co_await"),
)


def literal(node: Node) -> int | float | str | None:
    """The value of a literal or of a constant expression that libclang can evaluate."""
    lib = cindex.conf.lib
    lib.clang_EvalResult_getAsDouble.restype = _DOUBLE
    lib.clang_EvalResult_getAsDouble.argtypes = [_POINTER]
    mine = clang.library()
    result = mine.clang_Cursor_Evaluate(node.cursor)
    if not result:
        return None
    try:
        kind = mine.clang_EvalResult_getKind(result)
        if kind == 1:
            return int(mine.clang_EvalResult_getAsLongLong(result))
        if kind == 2:
            return float(lib.clang_EvalResult_getAsDouble(result))
        return None
    finally:
        mine.clang_EvalResult_dispose(result)


_DOUBLE, _POINTER = ctypes.c_double, ctypes.c_void_p
