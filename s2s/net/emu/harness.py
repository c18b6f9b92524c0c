"""C that calls functions with made-up arguments: memory of all shapes that their types say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit
from s2s.source.records import dataclass

_KINDS = {"FLOAT": "d", "DOUBLE": "d"}
_INTEGERS = (
    "BOOL", "CHAR_U", "UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG", "CHAR_S", "SCHAR", "SHORT",
    "INT", "LONG", "LONGLONG", "ENUM",
)  # fmt: skip
_HOST = ("FILE", "struct _IO_FILE")


class NotDriven(Exception):
    """A type that nothing can be made up for."""


@dataclass
class Harness:
    """The text for some functions; ``why`` says which have none."""

    unit: Unit
    why: dict[str, str] = field(default_factory=dict)
    _makers: dict[str, str] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _offsets: frozenset[str] = frozenset()

    def text(self, names: Sequence[str]) -> tuple[str, list[str]]:
        """The harness, and the functions that it calls, in its order."""
        called: list[str] = []
        bodies: list[str] = []
        for cursor in self.unit.functions():
            name = clang.spelling(cursor)
            if name in names and name != "main":
                try:
                    bodies.append(self._driver(cursor, len(called)))
                    called.append(name)
                except NotDriven as problem:
                    self.why[name] = str(problem)
        listed = ", ".join(f"s2s_drive_{n}" for n in range(len(called)))
        last = f"void (*const s2s_drive_functions[])(void) = {{ {listed or '0'} }};\n"
        last += f"const int s2s_drive_functions_count = {len(called)};\n"
        return _FIRST + "".join([*self._texts, *bodies]) + last, called

    def _driver(self, cursor: Any, number: int) -> str:
        node = self.unit.convert(cursor)
        self._offsets = frozenset(_offset_arrays(node))
        lines = [*self._globals(node)]
        given = []
        for place, parameter in enumerate(c for c in clang.children(cursor) if _is_parameter(c)):
            lines += self._argument(parameter, place)
            given.append(f"p{place}")
        if clang.type_of(cursor).is_function_variadic():
            raise NotDriven("it takes any number of arguments")
        call = f"{clang.spelling(cursor)}({', '.join(given)})"
        lines += ["s2s_drive_everywhere();", "s2s_drive_call();"]
        lines += self._call(cursor.result_type.get_canonical(), call)
        inside = "".join(f"    {line}\n" for line in lines)
        return f"static void s2s_drive_{number}(void)\n{{\n{inside}}}\n"

    def _call(self, result: Any, call: str) -> list[str]:
        kind = result.kind.name
        if kind == "VOID":
            return [f"{call};", "s2s_drive_done();"]
        of, element = "x", "0"
        letter = {"f": "d"}.get(_letter(result), _letter(result))
        if kind == "POINTER":
            pointee = result.get_pointee().get_canonical()
            if pointee.kind.name in (*_INTEGERS, *_KINDS):
                of, element = _KINDS.get(pointee.kind.name, "i"), "sizeof *r"
            letter = "p"
        return [
            f"__auto_type r = {call};",
            f"s2s_drive_result((void *)&r, sizeof r, '{letter}', {element}, '{of}');",
            "s2s_drive_done();",
        ]

    def _globals(self, node: Node) -> Iterator[str]:
        """Values for the global variables that a function may read; those that it writes count."""
        for decl in _global_variables(self.unit, node):
            if decl.type.const or decl.cursor is None:
                continue
            type_ = clang.type_of(decl.cursor).get_canonical()
            yield from self._fill(type_, decl.name, decl.name, "S2S_SIZE", "S2S_ALL", 0)
            kind = _letter(type_)
            yield f"s2s_drive_region((void *)&{decl.name}, sizeof {decl.name}, '{kind}');"

    def _argument(self, parameter: Any, place: int) -> Iterator[str]:
        type_ = clang.type_of(parameter).get_canonical()
        name, kind = clang.spelling(parameter), type_.kind.name
        if kind in _INTEGERS:
            yield f"__typeof__({type_.spelling}) p{place};"
            yield f"s2s_drive_parameter((void *)&p{place}, sizeof p{place}, {place});"
        elif kind in ("POINTER", *_ARRAYS):
            pointee = type_.get_pointee() if kind == "POINTER" else type_.element_type
            made = self._made(pointee.get_canonical(), name, "S2S_ALL", 0)
            yield f"void *p{place} = {made};"
        else:
            yield f"__typeof__({type_.spelling}) p{place};"
            yield from self._fill(type_, f"p{place}", name, "S2S_SIZE", "S2S_ALL", 0)

    def _made(self, pointee: Any, name: str, extent: str, depth: int) -> str:
        """An expression for new memory of a type, filled."""
        while pointee.kind.name in _ARRAYS:
            pointee = pointee.element_type.get_canonical()
        kind, spelling = pointee.kind.name, _unqualified(pointee)
        role = "S2S_OFFSETS" if name in self._offsets else "S2S_BELOW"
        if depth > 3:
            return "0"
        if kind == "VOID":
            return f"s2s_drive_integers_at(s2s_drive_count({extent}), 8, S2S_BELOW)"
        if kind in _INTEGERS:
            return f"s2s_drive_integers_at(s2s_drive_count({extent}), sizeof({spelling}), {role})"
        if kind in _KINDS:
            return f"s2s_drive_numbers_at(s2s_drive_count({extent}), sizeof({spelling}))"
        if kind == "POINTER":
            return self._pointers(pointee, name, extent, depth)
        if kind == "RECORD" and spelling not in _HOST:
            return self._records(pointee, spelling, extent, depth)
        raise NotDriven(f"'{name}' is of the type '{spelling} *'")

    def _pointers(self, pointee: Any, name: str, extent: str, depth: int) -> str:
        below = pointee.get_pointee().get_canonical()
        inner = "S2S_ROW" if extent != "S2S_FEW" and depth < 2 else "S2S_FEW"
        if below.kind.name == "RECORD" and _unqualified(below) not in _HOST:
            pool = self._pool(below, _unqualified(below))
            element = f"{pool}() + i % s2s_drive_count(S2S_ROW)"
        else:
            element = self._made(below, name, inner, depth + 1)
        maker = self._maker(f"pointers {element} {inner}", (
            f"    long count = s2s_drive_count({inner});\n"
            "    void **all = s2s_drive_new(count, sizeof *all, 'x');\n"
            f"    for (long i = 0; i < count; i++)\n        all[i] = {element};\n"
            "    return all;\n"
        ), "void *")  # fmt: skip
        return f"{maker}()"

    def _records(self, record: Any, spelling: str, extent: str, depth: int) -> str:
        if extent != "S2S_FEW":
            return f"{self._pool(record, spelling)}()"
        if depth > 2:
            return "0"
        fields = "".join(self._fields(record, "all[i]", depth + 1, spelling, "S2S_SMALL"))
        maker = self._maker(f"few {spelling} {depth}", (
            f"    {spelling} *all = s2s_drive_new(8, sizeof *all, 'x');\n"
            f"    for (long i = 0; i < 8; i++) {{\n{fields}    }}\n    return all;\n"
        ), "void *")  # fmt: skip
        return f"{maker}()"

    def _pool(self, record: Any, spelling: str) -> str:
        """The function that gives all objects of a structure; the first one is about the size."""
        key = f"pool {spelling}"
        if key in self._makers:
            return self._makers[key]
        name = self._makers[key] = f"s2s_pool_{len(self._makers)}"
        self._texts.append(f"static {spelling} *{name}(void);\n")
        first = "".join(self._fields(record, "all[i]", 0, spelling, "S2S_SIZE"))
        rest = "".join(self._fields(record, "all[i]", 1, spelling, "S2S_SMALL"))
        self._texts.append(
            f"static {spelling} *{name}(void)\n{{\n    static {spelling} *all;\n"
            "    if (all)\n        return all;\n    long count = s2s_drive_count(S2S_ROW);\n"
            "    all = s2s_drive_new(count, sizeof *all, 'x');\n"
            f"    for (long i = 0; i < 1; i++) {{\n{first}    }}\n"
            f"    for (long i = 1; i < count; i++) {{\n{rest}    }}\n    return all;\n}}\n"
        )
        return name

    def _fields(
        self, record: Any, place: str, depth: int, spelling: str, role: str
    ) -> Iterator[str]:
        for one in record.get_fields():
            name = clang.spelling(one)
            type_ = clang.type_of(one).get_canonical()
            if one.is_bitfield():
                yield f"        {place}.{name} = s2s_drive_below(2);\n"
                continue
            pointee = type_.get_pointee().get_canonical() if type_.kind.name == "POINTER" else None
            if pointee is not None and pointee.kind.name == "RECORD" and depth >= 0:
                yield f"        {self._link(pointee, f'{place}.{name}', depth, spelling)}\n"
                continue
            inner = "S2S_ROW" if depth == 0 else "S2S_FEW"
            for line in self._fill(type_, f"{place}.{name}", name, role, inner, depth):
                yield f"        {line}\n"

    def _link(self, pointee: Any, place: str, depth: int, inside: str) -> str:
        """A pointer to the next object of its kind, to any of those known, or to an own list."""
        spelling = _unqualified(pointee)
        if spelling in _HOST:
            raise NotDriven(f"a field of the type '{spelling} *'")
        if spelling == inside:
            pool = f"{self._pool(pointee, spelling)}()"
            return (
                f"s2s_drive_set(&{place}, i + 1 < s2s_drive_count(S2S_ROW) ? {pool} + i + 1 : 0);"
            )
        if f"pool {spelling}" in self._makers:
            pool = f"{self._pool(pointee, spelling)}()"
            some = "s2s_drive_below(s2s_drive_size())"
            return f"s2s_drive_set(&{place}, {pool} + {some});"
        extent = "S2S_ROW" if depth == 0 else "S2S_FEW"
        return f"s2s_drive_set(&{place}, {self._records(pointee, spelling, extent, depth)});"

    def _fill(
        self, type_: Any, place: str, name: str, role: str, extent: str, depth: int
    ) -> Iterator[str]:
        """Statements that give a variable or a field a value."""
        kind = type_.kind.name
        count = "1"
        if kind in _ARRAYS:
            while type_.kind.name in _ARRAYS:
                type_ = type_.element_type.get_canonical()
            kind = type_.kind.name
            count = f"sizeof({place}) / sizeof({_unqualified(type_)})"
            role = "S2S_OFFSETS" if name in self._offsets else "S2S_BELOW"
        spelling = _unqualified(type_)
        if kind in _INTEGERS:
            yield f"s2s_drive_integers((void *)&{place}, {count}, sizeof({spelling}), {role});"
        elif kind in _KINDS:
            yield f"s2s_drive_numbers((void *)&{place}, {count}, sizeof({spelling}));"
        elif kind == "POINTER" and count == "1":
            made = self._made(type_.get_pointee().get_canonical(), name, extent, depth)
            yield f"s2s_drive_set(&{place}, {made});"
        elif (
            kind == "RECORD"
            and count == "1"
            and clang.kind(type_.get_declaration()) != "UNION_DECL"
        ):
            yield from (t.strip() for t in self._fields(type_, place, depth, spelling, role))
        else:
            raise NotDriven(f"'{name}' is of the type '{spelling}'")

    def _maker(self, key: str, body: str, result: str) -> str:
        if key not in self._makers:
            self._makers[key] = f"s2s_make_{len(self._makers)}"
            self._texts.append(f"static {result} {self._makers[key]}(void)\n{{\n{body}}}\n")
        return self._makers[key]


_ARRAYS = ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY")
_FIRST = """
#undef main
#include <driving.h>
#ifdef S2S_NET_SOURCE
static void s2s_drive_everywhere(void) {}
static void s2s_drive_done(void) {}
#else
#define s2s_drive_everywhere s2s_net_everywhere
#define s2s_drive_done s2s_net_last
#endif
static void s2s_drive_set(void *place, const void *value)
{
    __builtin_memcpy(place, &value, sizeof value);
}
__attribute__((unused)) static void *s2s_drive_integers_at(long count, unsigned long size, int role)
{
    void *all = s2s_drive_new(count, size, 'i');
    s2s_drive_integers(all, count, size, role);
    return all;
}
__attribute__((unused)) static void *s2s_drive_numbers_at(long count, unsigned long size)
{
    void *all = s2s_drive_new(count, size, size == 4 ? 'f' : 'd');
    s2s_drive_numbers(all, count, size);
    return all;
}
"""


def _is_parameter(cursor: Any) -> bool:
    return clang.kind(cursor) == "PARM_DECL"


def _unqualified(type_: Any) -> str:
    words = str(type_.spelling).split()
    if type_.kind.name != "POINTER":
        words = [w for w in words if w not in ("const", "volatile", "restrict", "__restrict")]
    return " ".join(words)


def _letter(type_: Any) -> str:
    """How a value is printed: as a number, as an integer, or as what its bits look like."""
    while type_.kind.name in _ARRAYS:
        type_ = type_.element_type.get_canonical()
    if type_.kind.name == "FLOAT":
        return "f"
    return "d" if type_.kind.name == "DOUBLE" else "i" if type_.kind.name in _INTEGERS else "x"


def find_exported(unit: Unit, names: Sequence[str]) -> list[str]:
    """The functions with external linkage that reach some, themselves among them."""
    return [
        clang.spelling(cursor)
        for cursor in unit.functions()
        if cursor.storage_class.name != "STATIC"
        and any(node.name in names for node in _reached(unit, unit.convert(cursor)))
    ]


def _reached(unit: Unit, node: Node) -> list[Node]:
    """A function and those that it calls, directly or not."""
    known = unit.functions_by_name
    found = {node.name: node}
    waiting = [node]
    while waiting:
        for one in waiting.pop().walk():
            decl = one.decl
            if one.kind != "DECL_REF_EXPR" or decl is None or decl.name in found:
                continue
            if decl.kind == "FUNCTION_DECL" and decl.name in known:
                found[decl.name] = unit.convert(known[decl.name])
                waiting.append(found[decl.name])
    return list(found.values())


def _global_variables(unit: Unit, node: Node) -> list[Decl]:
    """The program's own global variables that a function reaches."""
    found = {
        one.decl.name: one.decl
        for function in _reached(unit, node)
        for one in function.walk()
        if one.kind == "DECL_REF_EXPR"
        and one.decl is not None
        and one.decl.kind == "VAR_DECL"
        and one.decl.is_global
        and one.decl.in_file
    }
    return list(found.values())


def _offset_arrays(node: Node) -> Iterator[str]:
    """Arrays that are read at ``i + 1`` beside ``i``: where rows begin."""
    for one in node.walk():
        if one.kind != "ARRAY_SUBSCRIPT_EXPR" or one.type.kind != "int":
            continue
        base, index = (child.bare for child in one.children)
        is_sum = index.kind == "BINARY_OPERATOR" and index.op == "+"
        if is_sum and base.name and any(child.bare.value == 1 for child in index.children):
            yield base.name
