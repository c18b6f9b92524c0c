"""libclang called directly, for what is asked of each of many thousand cursors.

The Python bindings make objects for every location, name and list of children; these functions
answer the same with one call each. Cursors stay those of the bindings.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache
from typing import Any

from clang import cindex

_CONTINUE = 1
TYPE_REF = cindex.CursorKind.TYPE_REF.value
"""The number of the kind of cursors for types that are named."""


class _Text(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("flags", ctypes.c_uint))


@cache
def library() -> Any:
    """The library that the bindings use, with prototypes of our own."""
    lib = ctypes.CDLL(cindex.conf.lib._name)
    cursor, place = cindex.Cursor, cindex.SourceLocation
    position = [place, *[ctypes.c_void_p] * 4]
    prototypes = {
        "clang_visitChildren": ([cursor, _VISITOR, ctypes.py_object], ctypes.c_uint),
        "clang_getCursorLocation": ([cursor], place),
        "clang_getCursorExtent": ([cursor], cindex.SourceRange),
        "clang_getFileContents": ([*[ctypes.c_void_p] * 2, ctypes.c_void_p], ctypes.c_void_p),
        "clang_getLocationForOffset": ([*[ctypes.c_void_p] * 2, ctypes.c_uint], place),
        "clang_getCursor": ([ctypes.c_void_p, place], cursor),
        "clang_getCursorSemanticParent": ([cursor], cursor),
        "clang_getRangeStart": ([cindex.SourceRange], place),
        "clang_getRangeEnd": ([cindex.SourceRange], place),
        "clang_getInstantiationLocation": (position, None),
        "clang_getSpellingLocation": (position, None),
        "clang_getFileName": ([ctypes.c_void_p], _Text),
        "clang_getCursorSpelling": ([cursor], _Text),
        "clang_getCString": ([_Text], ctypes.c_char_p),
        "clang_disposeString": ([_Text], None),
        "clang_getCursorType": ([cursor], cindex.Type),
        "clang_getCursorReferenced": ([cursor], cursor),
        "clang_hashCursor": ([cursor], ctypes.c_uint),
        "clang_equalCursors": ([cursor, cursor], ctypes.c_uint),
        "clang_isInvalid": ([ctypes.c_int], ctypes.c_uint),
        "clang_isCursorDefinition": ([cursor], ctypes.c_uint),
        "clang_getCursorBinaryOperatorKind": ([cursor], ctypes.c_int),
        "clang_getCursorUnaryOperatorKind": ([cursor], ctypes.c_int),
        "clang_getSpecializedCursorTemplate": ([cursor], cursor),
        "clang_Cursor_getVarDeclInitializer": ([cursor], cursor),
        "clang_Cursor_Evaluate": ([cursor], ctypes.c_void_p),
        "clang_EvalResult_getKind": ([ctypes.c_void_p], ctypes.c_int),
        "clang_EvalResult_getAsLongLong": ([ctypes.c_void_p], ctypes.c_longlong),
        "clang_EvalResult_getAsDouble": ([ctypes.c_void_p], ctypes.c_double),
        "clang_EvalResult_dispose": ([ctypes.c_void_p], None),
    }
    for name, (arguments, result) in prototypes.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, result
    return lib


def _keep(child: Any, _: Any, found: list[Any]) -> int:
    found.append(child)
    return _CONTINUE


_VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, cindex.Cursor, cindex.Cursor, ctypes.py_object)
_KEEP = _VISITOR(_keep)


def children(cursor: Any) -> list[Any]:
    """The cursors right below one."""
    found: list[Any] = []
    library().clang_visitChildren(cursor, _KEEP, found)
    if found:
        unit = cursor._tu
        for child in found:
            child._tu = unit  # keeps the translation unit alive
    return found


def named(cursors: Iterable[Any]) -> dict[str, Any]:
    """Those cursors that declare functions and variables, by name."""
    return {spelling(c): c for c in cursors if kind(c) in ("FUNCTION_DECL", "VAR_DECL")}


@cache
def _kind_name(number: int) -> str:
    return str(cindex.CursorKind.from_id(number).name)


def kind(cursor: Any) -> str:
    """The name of a cursor's kind."""
    return _kind_name(cursor._kind_id)


def spelling(cursor: Any) -> str:
    """The name that a cursor has."""
    return _string(library().clang_getCursorSpelling(cursor))


def _string(text: _Text) -> str:
    lib = library()
    data = lib.clang_getCString(text)
    lib.clang_disposeString(text)
    return data.decode("utf-8", "replace") if data else ""


def file_name(handle: int) -> str:
    """The name of a file that a place is in."""
    return _string(library().clang_getFileName(handle))


def place(cursor: Any) -> tuple[int | None, int]:
    """File and offset of a cursor's location; in the text itself where a macro is used."""
    lib = library()
    location = lib.clang_getCursorLocation(cursor)
    lib.clang_getInstantiationLocation(location, _TO_HANDLE, None, None, _TO_OFFSET)
    return _handle.value, _offset.value


def extent(cursor: Any) -> tuple[int, int, bool]:
    """First and last offset, and whether the first token stands in a macro's body."""
    lib = library()
    whole = lib.clang_getCursorExtent(cursor)
    least, most = _main_text(cursor._tu)
    begin, end = whole.begin_int_data, whole.end_int_data
    if least <= begin <= most and least <= end <= most:
        return begin - least, end - least, False
    first = lib.clang_getRangeStart(whole)
    start = _expanded(first)
    end = _expanded(lib.clang_getRangeEnd(whole))
    return start, end, _spelled(first) != start


def _main_text(unit: Any) -> tuple[int, int]:
    """The numbers by which the library knows the first and last place of the main file's text.

    What a macro makes, and what another file has, is outside of them (clang's ``SourceLocation``).
    """
    known: tuple[int, int] | None = getattr(unit, "_main_text", None)
    if known is None:
        size = ctypes.c_size_t()
        file = cindex.conf.lib.clang_getFile(unit, unit.spelling)
        known = (1, 0)
        if file and library().clang_getFileContents(unit, file, ctypes.byref(size)):
            first = library().clang_getLocationForOffset(unit, file, 0)
            known = first.int_data, first.int_data + size.value
        unit._main_text = known
    return known


def outermost_at(unit: Any, offset: int) -> Any | None:
    """The cursor at file level that a place in the main file's text is in, if the library tells."""
    lib = library()
    file = cindex.conf.lib.clang_getFile(unit, unit.spelling)
    if not file:
        return None
    found = None
    cursor = lib.clang_getCursor(unit, lib.clang_getLocationForOffset(unit, file, offset))
    while not lib.clang_isInvalid(cursor._kind_id) and kind(cursor) != "TRANSLATION_UNIT":
        cursor._tu = unit
        found, cursor = cursor, lib.clang_getCursorSemanticParent(cursor)
    return found


# Where the library writes its answers: making objects for each call would take longer than it.
_handle, _offset = ctypes.c_void_p(), ctypes.c_uint()
_TO_HANDLE, _TO_OFFSET = ctypes.byref(_handle), ctypes.byref(_offset)


def _expanded(location: Any) -> int:
    library().clang_getInstantiationLocation(location, None, None, None, _TO_OFFSET)
    return _offset.value


def _spelled(location: Any) -> int:
    library().clang_getSpellingLocation(location, None, None, None, _TO_OFFSET)
    return _offset.value


def type_of(cursor: Any) -> Any:
    """The bindings' type of a cursor."""
    found = library().clang_getCursorType(cursor)
    found._tu = cursor._tu
    return found


_FLOAT16 = 32


def type_kind(handle: Any) -> str:
    """The name of a type's kind; the bindings have none for some that the library knows."""
    if handle._kind_id == _FLOAT16:
        return "FLOAT16"
    try:
        return str(handle.kind.name)
    except ValueError:
        return "UNEXPOSED"


def has_plain_names(handle: Any) -> bool:
    """Whether no typedef on the way to a type's canonical form has attributes, which it loses."""
    name = type_kind(handle)
    if name in ("TYPEDEF", "ELABORATED"):
        declared = handle.get_declaration()
        if kind(declared) != "TYPEDEF_DECL":
            return True
        if any(kind(child).endswith("_ATTR") for child in children(declared)):
            return False
        return has_plain_names(declared.underlying_typedef_type)
    if name == "POINTER":
        return has_plain_names(handle.get_pointee())
    return "ARRAY" not in name or has_plain_names(handle.get_array_element_type())


def find_referenced(cursor: Any) -> Any | None:
    """What a cursor refers to, None for nothing."""
    lib = library()
    found = lib.clang_getCursorReferenced(cursor)
    if lib.clang_isInvalid(found._kind_id):
        return None
    found._tu = cursor._tu
    return found


def is_initialized(cursor: Any) -> bool:
    """Whether a variable has an initializer, which is the last of its children then."""
    lib = library()
    return not lib.clang_isInvalid(lib.clang_Cursor_getVarDeclInitializer(cursor)._kind_id)


def hashed(cursor: Any) -> int:
    return int(library().clang_hashCursor(cursor))


def same(first: Any, second: Any) -> bool:
    return bool(library().clang_equalCursors(first, second))


def is_definition(cursor: Any) -> bool:
    return bool(library().clang_isCursorDefinition(cursor))


def is_instance(cursor: Any) -> bool:
    """Whether a function is an instance of a template, whose body is not to be looked at."""
    lib = library()
    template = lib.clang_getSpecializedCursorTemplate(cursor)
    return not lib.clang_isInvalid(template._kind_id)


def evaluate(cursor: Any) -> int | None:
    """The value of an integer constant expression, None where it is not one."""
    lib = library()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if lib.clang_EvalResult_getKind(result) != 1:
            return None
        return int(lib.clang_EvalResult_getAsLongLong(result))
    finally:
        lib.clang_EvalResult_dispose(result)


def evaluate_real(cursor: Any) -> float | None:
    """The value of a floating-point constant expression, None where it is not one."""
    lib = library()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if lib.clang_EvalResult_getKind(result) != 2:
            return None
        return float(lib.clang_EvalResult_getAsDouble(result))
    finally:
        lib.clang_EvalResult_dispose(result)
