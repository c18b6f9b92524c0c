"""What a region sees around it, where it runs alone.

The variables are declared with their own types and get values: parameters those that were chosen,
pointers memory for what the region touches there, other numbers small constants. A pointer that is
a copy of another one is made the same copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from s2s.frontends.c.regions import Attempt, Function
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.scop.nodes import Array, Scop
from s2s.source.records import dataclass
from s2s.tuning.errors import NotMeasurable
from s2s.tuning.outline import PREFIX, Outline

# How the benchmark's memory is filled; see ``harness``.
_FILLS = {("float", 4): 4, ("float", 8): 8}
_PRAGMA = re.compile(r"#[ \t]*pragma(?:\\\r?\n|[^\n])*")


def outline(function: Function, attempt: Attempt, scop: Scop) -> Outline:
    """The surroundings of a region. Raises NotMeasurable with what stands in the way."""
    for array in scop.arrays.values():
        if array.external:
            raise NotMeasurable(f"it calls what is not known: '{array.spelling}'")
    result = Outline(function, scop.parameter_names())
    builder = _Builder(scop, result)
    variables = _free_variables(function, attempt, scop)
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
            copied = _copied(decl, self.scop)
            value = self._text(copied) if copied else self._memory(decl)
            self.result.setup.append(f"{_pointer(decl)} = {value};")
        elif ctype.kind == "array":
            self._local_array(name, ctype)
        elif ctype.kind == "record":
            clear = f"__builtin_memset((void *)&{name}, 0, sizeof {name});"
            self.result.setup += [f"{_typeof(ctype)} {name};", clear]
        else:
            raise NotMeasurable(f"'{name}' is of type '{ctype.spelling}'")
        self._use(name, ctype)

    def _text(self, node: Node) -> str:
        return f"({self.result.function.unit.buffer.text(node.span)})"

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
        return f"{PREFIX}values[{self.result.names.index(name)}]"

    def _memory(self, decl: Decl) -> str:
        """C text of the address of memory for what a pointer points to."""
        name = decl.name
        behind = [a for a in self.scop.arrays.values() if _root(a) == name]
        tables = [a for a in behind if a.row_rank]
        if tables:
            return self._table(decl, tables)
        ranked = [a for a in behind if a.rank]
        element = decl.type.element
        # A global pointer is itself among the arrays, as a scalar that the region reads.
        vague = len(behind) - len(ranked) > decl.is_global
        sized = element is not None and element.kind in ("int", "float", "array", "record")
        if vague or not ranked or element is None or not sized:
            raise NotMeasurable(f"what '{name}' points to is not known")
        bottom = element.innermost()
        counts = _largest(
            [f"{self._value(f'{a.name} elements')} * {_size(bottom, a)}" for a in ranked]
        )
        before = _largest(
            [f"{self._value(f'{a.name} before')} * {_size(bottom, a)}" for a in ranked]
        )
        self.blocks += 1
        block = f"{PREFIX}block({self.blocks - 1}, {counts}, {before}, {_fill(element)})"
        return f"({_typeof(element)} *){block}"

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
        return (f"({_typeof(row)} **){PREFIX}table({self.blocks - 1}, {rows}, "
                f"{columns} * (unsigned long)sizeof **{decl.name}, {_fill(row)})")  # fmt: skip

    def set_members(self) -> None:
        """Parameters that are no variables themselves, but members of some."""
        for parameter in self.scop.parameters:
            if not re.fullmatch(r"\w+", parameter.spelling):
                place = parameter.spelling
                self.result.setup.append(
                    f"{PREFIX}set((void *)&({place}), sizeof({place}), "
                    f"{self._value(parameter.name)});"
                )


def _size(bottom: CType, array: Array) -> str:
    """Bytes of an element; of a structure, as the compiler has it."""
    if bottom.kind == "record":
        return f"(unsigned long)sizeof({_typeof(bottom)})"
    return f"{max(bottom.size, array.element_size, 1)}ul"


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
    return f"{PREFIX}fill((void *){name}, sizeof {name}, {_fill(ctype)});"


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


def _free_variables(function: Function, attempt: Attempt, scop: Scop) -> set[Decl]:
    """Variables that the region or the declaration of another one needs, declared outside of it."""
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
            copied = _copied(decl, scop)
            pending += _variables(copied.walk()) if copied else []
    return found


def _copied(decl: Decl, scop: Scop) -> Node | None:
    """The initializer of a local pointer whose memory goes by another pointer's name."""
    named = any(_root(array) == decl.name for array in scop.arrays.values())
    node = decl.node
    if named or decl.is_global or decl.type.kind != "pointer" or decl.kind != "VAR_DECL":
        return None
    values = [n for n in node.children if n.type.kind == "pointer"] if node else []
    return values[-1] if values else None


def _root(array: Array) -> str:
    """The name of the variable through which an array is reached."""
    return array.spelling.split(".")[0]


def _variables(nodes: Iterable[Node]) -> Iterator[Decl]:
    for node in nodes:
        if node.decl is not None and node.decl.kind in ("VAR_DECL", "PARM_DECL"):
            yield node.decl


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from re.findall(r"[A-Za-z_]\w*", text)
