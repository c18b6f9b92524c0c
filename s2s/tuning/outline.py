"""A program of one region: the file itself, with functions behind it that run the region alone.

What the region sees - types, macros, static functions - is the file's own. The variables around it
are declared with their own types and get values: parameters those that were chosen, arrays memory
of the extents that the region touches there, other numbers small constants. Each candidate's text
stands in a function of its own, all in one program, so that they run on the same memory and by the
same threads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from s2s.frontends.c.regions import Attempt, Function
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.scop.nodes import Array, Scop
from s2s.source import Edit, apply_edits
from s2s.tuning.errors import NotMeasurable
from s2s.tuning.sizes import Extent

_PREFIX = "s2s_"
# How the benchmark's memory is filled; see ``harness``.
_FILLS = {("float", 4): 4, ("float", 8): 8}
_PRAGMA = re.compile(r"#[ \t]*pragma(?:\\\r?\n|[^\n])*")
_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)
_HEADER = f"""
#ifdef __cplusplus
extern "C" {{
#endif
extern double {_PREFIX}now(void);
extern void *{_PREFIX}block(int, unsigned long, unsigned long, int);
extern void *{_PREFIX}table(int, long, unsigned long, int);
extern void {_PREFIX}fill(void *, unsigned long, int);
extern void {_PREFIX}set(void *, unsigned long, long);
extern double (*const {_PREFIX}candidates[])(const long *);
extern const int {_PREFIX}count;
"""
_FOOTER = """
#ifdef __cplusplus
}
#endif
"""


@dataclass
class Outline:
    """The C text that surrounds a region: definitions at file scope, values, and uses behind it.

    ``names`` are the places of values in the array that a candidate's function is called with.
    """

    function: Function
    names: list[str]
    definitions: list[str] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)

    def program(self, candidates: Sequence[bytes]) -> bytes:
        """The file with a function for each candidate behind the one that holds the region."""
        parts = [_HEADER.encode(), *(f"{line}\n".encode() for line in self.definitions)]
        for number, text in enumerate(candidates):
            parts += [self._candidate(number, text)]
        names = ", ".join(f"{_PREFIX}candidate_{n}" for n in range(len(candidates)))
        parts += [f"double (*const {_PREFIX}candidates[])(const long *) = {{{names}}};\n".encode(),
                  f"const int {_PREFIX}count = {len(candidates)};\n{_FOOTER}".encode()]  # fmt: skip
        end = self.function.node.span.end
        return apply_edits(self.function.unit.buffer.data, [Edit(end, end, b"".join(parts))])

    def _candidate(self, number: int, text: bytes) -> bytes:
        head = [f"double {_PREFIX}candidate_{number}(const long *{_PREFIX}values)", "{",
                f"    (void){_PREFIX}values;", *(f"    {line}" for line in self.setup),
                f"    const double {_PREFIX}began = {_PREFIX}now();", "    {", ""]  # fmt: skip
        # A region that is a single statement may stand in front of its semicolon.
        tail = ["", "    ;}", f"    const double {_PREFIX}took = {_PREFIX}now() - {_PREFIX}began;",
                *(f"    {line}" for line in self.uses),
                f"    return {_PREFIX}took;", "}", ""]  # fmt: skip
        return "\n".join(head).encode() + _balanced(text) + "\n".join(tail).encode()

    def values(self, point: Mapping[str, int], found: Mapping[str, Extent]) -> list[int]:
        """What to call the program with, for parameters and the extents that go with them."""
        known = dict(point)
        for name, extent in found.items():
            for place, (low, high) in enumerate(zip(extent.lows, extent.highs, strict=True)):
                known[f"{name} before {place}"] = max(0, -low)
                known[f"{name} count {place}"] = max(1, high + 1)
        return [known.get(name, 1) for name in self.names]


def outline(function: Function, attempt: Attempt, scop: Scop) -> Outline:
    """The surroundings of a region. Raises NotMeasurable with what stands in the way."""
    for array in scop.arrays.values():
        if array.external:
            raise NotMeasurable(f"it calls what is not known: '{array.spelling}'")
    result = Outline(function, scop.parameter_names())
    builder = _Builder(scop, result)
    variables = _free_variables(function, attempt)
    for decl in sorted(variables, key=_order):
        builder.declare(decl)
    builder.set_members()
    return result


def _order(decl: Decl) -> tuple[bool, bool, int]:
    """Numbers come first: sizes of types and of memory are made of them."""
    return decl.is_local, decl.type.kind not in ("int", "float"), decl.offset


@dataclass
class _Builder:
    """Writes the declarations of one region's variables into an Outline."""

    scop: Scop
    result: Outline
    blocks: int = 0

    def declare(self, decl: Decl) -> None:
        name, ctype = decl.name, decl.type
        if ctype.volatile or ctype.reference or decl.thread_local:
            raise NotMeasurable(f"'{name}' is volatile or local to a thread")
        if decl.is_global:
            self._global(decl)
        elif ctype.kind in ("int", "float"):
            self.result.setup.append(f"{_typeof(ctype)} {name} = {self._number(name, ctype)};")
        elif ctype.kind == "pointer":
            self.result.setup.append(f"{_pointer(decl)} = {self._memory(decl)};")
        elif ctype.kind == "array":
            self._local_array(name, ctype)
        elif ctype.kind == "record":
            clear = f"__builtin_memset((void *)&{name}, 0, sizeof {name});"
            self.result.setup += [f"{_typeof(ctype)} {name};", clear]
        else:
            raise NotMeasurable(f"'{name}' is of type '{ctype.spelling}'")
        self._use(name, ctype)

    def _use(self, name: str, ctype: CType) -> None:
        if ctype.scalar and ctype.size <= 8:
            self.result.uses.append(f'__asm__ volatile("" : : "g"({name}));')
        else:
            self.result.uses.append(f'__asm__ volatile("" : : "r"(&{name}) : "memory");')

    def _global(self, decl: Decl) -> None:
        name, ctype = decl.name, decl.type
        if _is_only_declared(decl):
            if ctype.kind == "array" and ctype.count is None:
                raise NotMeasurable(f"how large '{name}' is, is said elsewhere")
            self.result.definitions.append(f"{_typeof(ctype)} {name};")
        if ctype.kind == "array":
            self.result.setup.append(_filled(name, ctype))
        elif ctype.const:
            return
        elif ctype.kind in ("int", "float"):
            self.result.setup.append(f"{name} = {self._number(name, ctype)};")
        elif ctype.kind == "pointer":
            self.result.setup.append(f"{name} = {self._memory(decl)};")

    def _local_array(self, name: str, ctype: CType) -> None:
        storage = "static " if _is_constant(ctype) else ""
        self.result.setup += [f"{storage}{_typeof(ctype)} {name};", _filled(name, ctype)]

    def _number(self, name: str, ctype: CType) -> str:
        if ctype.kind == "float":
            return "0.5"
        parameter = next((p for p in self.scop.parameters if p.spelling == name), None)
        return self._value(parameter.name) if parameter else "1"

    def _value(self, name: str) -> str:
        """C text of a value that the program is called with."""
        if name not in self.result.names:
            self.result.names.append(name)
        return f"{_PREFIX}values[{self.result.names.index(name)}]"

    def _memory(self, decl: Decl) -> str:
        """C text of the address of memory for what a pointer points to."""
        name = decl.name
        behind = [a for a in self.scop.arrays.values() if a.spelling.split(".")[0] == name]
        tables = [a for a in behind if a.row_rank]
        if tables:
            return self._table(decl, tables)
        ranked = [a for a in behind if a.rank and a.base == name]
        element = decl.type.element
        # A global pointer is itself among the arrays, as a scalar that the region reads.
        vague = len([a for a in behind if not a.rank]) > decl.is_global
        sized = element is not None and element.kind in ("int", "float", "array", "record")
        if vague or not ranked or element is None or not sized:
            raise NotMeasurable(f"what '{name}' points to is not known")
        counts = [self._elements(a) for a in ranked]
        before = [self._value(f"{a.name} before 0") + _scale(a) for a in ranked]
        size = f"(unsigned long)sizeof *{name}"
        self.blocks += 1
        bytes_ = f"{_largest(counts)} * {size}, {_largest(before)} * {size}"
        block = f"{_PREFIX}block({self.blocks - 1}, {bytes_}, {_fill(element)})"
        return f"({_typeof(element)} *){block}"

    def _elements(self, array: Array) -> str:
        return self._value(f"{array.name} count 0") + _scale(array)

    def _table(self, decl: Decl, tables: list[Array]) -> str:
        """Pointers to rows, each of which has memory of its own."""
        element = decl.type.element
        row = element.element if element and element.kind == "pointer" else None
        simple = all(t.rank == 2 and t.row_rank == 1 and t.spelling == decl.name for t in tables)
        if not simple or row is None or row.kind not in ("int", "float"):
            raise NotMeasurable(f"'{decl.name}' leads to memory through several pointers")
        rows = _largest([self._value(f"{t.name} count 0") for t in tables])
        columns = _largest([self._value(f"{t.name} count 1") for t in tables])
        self.blocks += 1
        return (f"({_typeof(row)} **){_PREFIX}table({self.blocks - 1}, {rows}, "
                f"{columns} * (unsigned long)sizeof **{decl.name}, {_fill(row)})")  # fmt: skip

    def set_members(self) -> None:
        """Parameters that are no variables themselves, but members of some."""
        for parameter in self.scop.parameters:
            if not re.fullmatch(r"\w+", parameter.spelling):
                place = parameter.spelling
                self.result.setup.append(
                    f"{_PREFIX}set((void *)&({place}), sizeof({place}), "
                    f"{self._value(parameter.name)});"
                )


def _balanced(text: bytes) -> bytes:
    """A text with the other halves of conditionals that begin before it or end behind it.

    What surrounds the text was compiled, so the branch in which it begins is one that is taken.
    """
    depth = lowest = 0
    for found in _CONDITIONAL.finditer(text):
        depth += -1 if found[1] == b"endif" else 1
        lowest = min(lowest, depth)
    return b"#if 1\n" * -lowest + text + b"\n#endif\n" * (depth - lowest)


def _scale(array: Array) -> str:
    """Elements in a row of an array whose inner sizes only its subscripts show."""
    return "".join(f" * (unsigned long)({size})" for size in array.flat)


def _largest(texts: Sequence[str]) -> str:
    result = f"({texts[0]})"
    for other in texts[1:]:
        result = f"({result} > ({other}) ? {result} : ({other}))"
    return result


def _typeof(ctype: CType) -> str:
    return f"__typeof__({ctype.spelling})"


def _pointer(decl: Decl) -> str:
    """The declaration of a pointer; a parameter that is written as an array is one too."""
    element = decl.type.element
    if element is None:
        raise NotMeasurable(f"'{decl.name}' is of type '{decl.type.spelling}'")
    qualifiers = (" restrict" * decl.type.restrict).replace("restrict", "__restrict__")
    return f"{_typeof(element)} *{qualifiers} {decl.name}"


def _filled(name: str, ctype: CType) -> str:
    return f"{_PREFIX}fill((void *){name}, sizeof {name}, {_fill(ctype)});"


def _fill(ctype: CType) -> int:
    bottom = ctype.innermost()
    return _FILLS.get((bottom.kind, bottom.size), 0)


def _is_constant(ctype: CType) -> bool:
    """Whether all sizes of an array type are numbers."""
    while ctype.kind == "array" and ctype.element is not None:
        if ctype.count is None:
            return False
        ctype = ctype.element
    return True


def _is_only_declared(decl: Decl) -> bool:
    from clang.cindex import StorageClass

    cursor = decl.cursor
    external = cursor is not None and cursor.storage_class == StorageClass.EXTERN
    return external and cursor.get_definition() is None


def _free_variables(function: Function, attempt: Attempt) -> set[Decl]:
    """Variables of the region that are declared outside of it, and those that their types need."""
    locals_ = {d.name: d for d in _variables(function.node.walk()) if d.is_local}
    found: set[Decl] = set()
    pending = list(_variables(chain.from_iterable(s.walk() for s in attempt.statements)))
    pragmas = _PRAGMA.findall(function.unit.buffer.text(attempt.span))
    pending += [locals_[word] for word in _words(pragmas) if word in locals_]
    while pending:
        decl = pending.pop()
        inside = attempt.span.start <= decl.offset < attempt.span.end and decl.is_local
        if decl not in found and not inside:
            found.add(decl)
            pending += [locals_[w] for w in _words([decl.type.spelling]) if w in locals_]
    return found


def _variables(nodes: Iterable[Node]) -> Iterator[Decl]:
    for node in nodes:
        if node.decl is not None and node.decl.kind in ("VAR_DECL", "PARM_DECL"):
            yield node.decl


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from re.findall(r"[A-Za-z_]\w*", text)
