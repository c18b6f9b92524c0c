"""Cursors of libclang as syntax.

libclang is spoken to here, in ``clang`` and in ``parse`` only.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.syntax import BINARY, TYPE_PARTS, UNARY, CType, Decl, Node
from s2s.source import Span

# Statements and expressions that have no name.
_NAMELESS = frozenset(
    {"COMPOUND_STMT", "INTEGER_LITERAL", "FLOATING_LITERAL", "FOR_STMT", "IF_STMT", "DECL_STMT",
     "ARRAY_SUBSCRIPT_EXPR", "BINARY_OPERATOR"}
)  # fmt: skip
_LEAVES = frozenset({"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL"})
# References to what is declared so are spelled as it is.
_PLAINLY_NAMED = frozenset({"VAR_DECL", "PARM_DECL"})
_TRANSPARENT = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})
_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL", "FIELD_DECL"})


class Converter:
    """Turns cursors of one translation unit into nodes, sharing types and declarations."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.thread_private: frozenset[str] = frozenset()
        self._types: dict[tuple[int, int | None], CType] = {}
        self._decls: dict[int, Decl] = {}
        self._usrs: dict[tuple[str, str, int], Decl] = {}
        self._globals: dict[str, Decl] = {}
        self._files: dict[int | None, str] = {None: ""}

    def convert(self, cursor: Any) -> Node:
        kind = clang.kind(cursor)
        children: list[Node] = []
        named: list[str] = []
        # Most nodes are leaves of these kinds, and to ask for nothing takes a while, too.
        for below in () if kind in _LEAVES else clang.children(cursor):
            if below._kind_id == clang.TYPE_REF:
                named.append(clang.spelling(below))
            else:
                children.append(self.convert(below))
        if (
            kind in _TRANSPARENT
            and len(children) == 1
            and children[0].kind != "CXX_BOOL_LITERAL_EXPR"
        ):
            return self._through(cursor, kind, children[0])
        start, end, in_macro = clang.extent(cursor)
        node = Node(kind, Span(start, end), self.type_of(cursor), children, in_macro=in_macro)
        if named:
            node.type_names = tuple(named)
        self._fill(cursor, kind, node)
        decl = node.decl
        if kind not in _NAMELESS:
            plain = decl is not None and kind == "DECL_REF_EXPR" and decl.kind in _PLAINLY_NAMED
            node.name = decl.name if plain and decl is not None else clang.spelling(cursor)
        if decl is not None and decl.kind == "PARM_DECL" and kind in ("PARM_DECL", "DECL_REF_EXPR"):
            node.type = decl.type
        return node

    def _through(self, cursor: Any, kind: str, child: Node) -> Node:
        """Drop parentheses and implicit casts; the latter leave their type where it matters.

        A conversion between integers of different width or sign, or between arithmetic kinds, is
        kept as a CAST node so that no analysis takes a wrapped value for the plain one.
        """
        if kind == "PAREN_EXPR":
            start, end, _ = clang.extent(cursor)
            child.span = Span(start, end)
            return child
        target = self.type_of(cursor)
        source = child.type
        arithmetic = {"int", "float"}
        if target.kind in arithmetic and source.kind in arithmetic:
            same = (target.kind, target.size, target.signed) == (
                source.kind,
                source.size,
                source.signed,
            )
            if not same:
                return Node("IMPLICIT_CAST", child.span, target, [child], in_macro=child.in_macro)
        return child

    def _fill(self, cursor: Any, kind: str, node: Node) -> None:
        if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            number = clang.library().clang_getCursorBinaryOperatorKind(cursor)
            node.op = (BINARY[number] if number < len(BINARY) else None) or ""
        elif kind == "UNARY_OPERATOR":
            number = clang.library().clang_getCursorUnaryOperatorKind(cursor)
            node.op = (UNARY[number] if number < len(UNARY) else None) or ""
        elif kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR"):
            node.decl = self.decl_of(clang.find_referenced(cursor))
        elif kind in _VARIABLES:
            node.decl = self.decl_of(cursor)
            if node.decl is not None:
                node.decl.node = node
            if node.children and node.type.kind in ("array", "pointer"):
                listed = sum(c.kind not in TYPE_PARTS for c in node.children)
                node.dimensions = listed - clang.is_initialized(cursor)
        if kind in ("INTEGER_LITERAL", "CHARACTER_LITERAL", "CXX_UNARY_EXPR", "DECL_REF_EXPR"):
            node.value = self._constant(cursor, kind, node)
        elif kind == "FLOATING_LITERAL":
            node.real = clang.evaluate_real(cursor)

    def _constant(self, cursor: Any, kind: str, node: Node) -> int | None:
        if kind == "DECL_REF_EXPR":
            if node.decl is None or node.decl.kind != "ENUM_CONSTANT_DECL":
                return None
            return int(node.decl.cursor.enum_value)
        return clang.evaluate(cursor)

    def decl_of(self, cursor: Any) -> Decl | None:
        if cursor is None:
            return None
        hashed = clang.hashed(cursor)
        if hashed in self._decls:
            return self._decls[hashed]
        if cursor.kind.is_invalid():
            return None
        file, offset = clang.place(cursor)
        name = self.file_name(file)
        key = (cursor.get_usr(), name, offset)
        decl = self._usrs.get(key) or self._globals.get(key[0])
        if decl is None:
            parent = cursor.semantic_parent
            storage = cursor.storage_class.name
            is_global = parent is None or parent.kind.name in (
                "TRANSLATION_UNIT", "NAMESPACE", "STRUCT_DECL", "CLASS_DECL", "UNION_DECL",
                "LINKAGE_SPEC", "UNEXPOSED_DECL", "CLASS_TEMPLATE",
            )  # fmt: skip
            decl = Decl(
                name=cursor.spelling,
                kind=cursor.kind.name,
                type=_adjusted(self.type_of(cursor), cursor.kind.name),
                usr=key[0],
                offset=offset,
                is_global=is_global or storage == "EXTERN",
                is_static=storage == "STATIC",
                in_file=name == self.path,
                thread_local=cursor.tls_kind.name != "NONE" or self._is_thread_private(cursor),
                cursor=cursor,
            )
            self._usrs[key] = decl
            if key[0] and decl.is_global and decl.kind != "FIELD_DECL":
                self._globals[key[0]] = decl  # redeclarations of one global share an entry
        self._decls[hashed] = decl
        return decl

    def _is_thread_private(self, cursor: Any) -> bool:
        lasting = cursor.storage_class.name in ("STATIC", "EXTERN") or (
            cursor.semantic_parent is not None
            and "FUNCTION" not in cursor.semantic_parent.kind.name
        )
        return lasting and cursor.spelling in self.thread_private

    def file_name(self, handle: int | None) -> str:
        """The name of a file, empty for none."""
        if handle not in self._files:
            assert handle is not None
            self._files[handle] = clang.file_name(handle)
        return self._files[handle]

    def type_of(self, cursor: Any) -> CType:
        return self._type(clang.type_of(cursor))

    def _type(self, handle: Any) -> CType:
        key = handle._kind_id, handle.data[0]  # names of types have scopes
        known = self._types.get(key)
        if known is None:
            known = self._types[key] = self._make_type(handle)
        return known

    def _make_type(self, handle: Any) -> CType:
        canonical = handle.get_canonical()
        name = clang.type_kind(canonical)
        spelling = canonical.spelling if clang.has_plain_names(handle) else handle.spelling
        flags = {
            "volatile": canonical.is_volatile_qualified()
            or "volatile" in canonical.spelling.split(),
            "restrict": handle.is_restrict_qualified() or canonical.is_restrict_qualified(),
            "const": canonical.is_const_qualified(),
            "canonical": canonical.spelling,
        }
        size = max(canonical.get_size(), 0) if name in _SIZED else 0
        if name in _INTEGERS:
            signed = name in _SIGNED
            return CType(spelling, "int", size, signed, character=name in _CHARACTERS, **flags)
        if name == "ENUM":
            return CType(spelling, "int", size, False, **flags)
        if name in ("FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "HALF", "FLOAT16"):
            return CType(spelling, "float", size, **flags)
        if name in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
            element = self._type(canonical.get_pointee())
            return CType(
                spelling,
                "pointer",
                size or 8,
                element=element,
                reference=name != "POINTER",
                **flags,
            )
        if name in ("CONSTANTARRAY", "VARIABLEARRAY", "INCOMPLETEARRAY", "DEPENDENTSIZEDARRAY"):
            count = canonical.element_count if name == "CONSTANTARRAY" else None
            element = self._type(canonical.get_array_element_type())
            # Qualifiers in a parameter's outermost brackets are those of the pointer that it is.
            flags["restrict"] = bool(_RESTRICT_BRACKETS.match(canonical.spelling))
            return CType(spelling, "array", size, element=element, count=count, **flags)
        if name == "VECTOR":
            element = self._type(canonical.element_type)
            count = canonical.element_count
            return CType(spelling, "vector", size, element=element, count=count, **flags)
        if name == "RECORD":
            record = canonical.get_declaration()
            kind = "union" if record.kind.name == "UNION_DECL" else "record"
            return CType(spelling, kind, size, record=record, **flags)
        return CType(spelling, "void" if name == "VOID" else "other", size, **flags)


# libclang aborts when it is asked for the size of some dependent types.
_SIZED_KINDS = (
    "BOOL CHAR_S CHAR_U SCHAR UCHAR SHORT USHORT INT UINT LONG ULONG LONGLONG ULONGLONG INT128 "
    "UINT128 WCHAR CHAR16 CHAR32 ENUM FLOAT DOUBLE LONGDOUBLE FLOAT128 HALF FLOAT16 POINTER RECORD "
    "VECTOR"
)
_SIZED = frozenset(_SIZED_KINDS.split())
_CHARACTERS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR"})
_SIGNED = frozenset({"CHAR_S", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128"})
_INTEGERS = (
    _CHARACTERS | _SIGNED
    | {"BOOL", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128", "WCHAR", "CHAR16", "CHAR32"}
)  # fmt: skip


_RESTRICT_BRACKETS = re.compile(r"[\w\s]*\[(?:\w+ )*restrict\b")


def _adjusted(type_: CType, kind: str) -> CType:
    """The type of a declaration; a parameter declared as an array is a pointer (C11 6.7.6.3)."""
    if kind != "PARM_DECL" or type_.kind != "array" or type_.element is None:
        return type_
    return replace(type_, kind="pointer", size=8, count=None)
