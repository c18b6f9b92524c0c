"""The compiler's atomic functions as Emu's operations.

__sync_fetch_and_add(&x, y)                  becomes   ATOMIC_ADDMS(&x, y)
__sync_bool_compare_and_swap(&x, a, b)       becomes   (ATOMIC_CAS(&x, b, a) == a)
__atomic_store_n(&x, y, __ATOMIC_RELEASE)    becomes   (FENCE(), (void)(*(&x) = y))

Clang shows ``__atomic_*`` as nodes without a name, and their arguments in an order of its own, so
names and arguments are read from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.emitters.emu.atomics import Cell, Helper, Wanted, fetch, swap
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import marks, read_parenthesized
from s2s.rewriters.emu.program import Program
from s2s.source import Span
from s2s.source.records import dataclass

_NAME = re.compile(rb"(?:__sync|__atomic|__c11_atomic|atomic)_\w+")
_PREFIX = re.compile(r"^(?:__sync_|__atomic_|__c11_atomic_|atomic_)|(?:_n|_\d+|_explicit)$")
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "nand"}
_OLD = re.compile(rf"fetch_(?:and_)?({'|'.join(_OPERATORS)})")
_NEW = re.compile(rf"({'|'.join(_OPERATORS)})_(?:and_)?fetch")
_EXCHANGES = ("lock_test_and_set", "exchange")
_FENCES = ("synchronize", "thread_fence", "signal_fence")
_COMPARES = ("compare_exchange", "compare_exchange_strong", "compare_exchange_weak")
# Those whose values lie where further arguments point.
_BY_ADDRESS = tuple(f"__atomic_{w}" for w in ("load", "store", "exchange", "compare_exchange"))
_SIMPLE = re.compile(r"\(*-?\s*\w+\)*")


@dataclass(frozen=True, eq=False)
class AtomicCall:
    """A use of one of the compiler's atomic functions: ``name`` as it stands in the text."""

    node: Node
    name: str
    given: tuple[Span, ...]

    @property
    def what(self) -> str:
        """The operation without prefixes, and what follows the name for sizes and orders."""
        name = self.name
        while (shorter := _PREFIX.sub("", name)) != name:
            name = shorter
        return name

    @property
    def pointer(self) -> Node | None:
        """The address that it works on."""
        children = self.node.children
        if self.node.kind == "CALL_EXPR":
            children = children[1:]
        return children[0].uncast if children else None


def atomic_call(program: Program, node: Node) -> AtomicCall | None:
    """The atomic function that a node calls, if it calls one of the compiler's."""
    if node.kind not in ("CALL_EXPR", "UNEXPOSED_EXPR"):
        return None
    match = _NAME.match(program.data, node.span.start)
    if match is None or (node.decl is not None and node.decl in program.functions):
        return None
    inside = read_parenthesized(program.data, match.end())
    if inside is None or inside.end >= node.span.end + 1:
        return None
    return AtomicCall(node, match.group().decode(), tuple(_arguments(program.data, inside)))


def _arguments(data: bytes, span: Span) -> Iterator[Span]:
    start = span.start
    if not data[start : span.end].strip():
        return
    for place, mark in marks(data, span):
        if mark == b",":
            yield Span(start, place)
            start = place + 1
    yield Span(start, span.end)


@dataclass(frozen=True)
class Builtins:
    """Rewrites atomic functions; ``helpers`` gets what the program then needs."""

    program: Program
    remote: bool
    helpers: set[Helper]

    def rewrite(self, node: Node) -> None:
        """Rewrite a node if it is such a call. Raises Refused for those without a counterpart."""
        call = atomic_call(self.program, node)
        if call is None:
            return
        text = self._text(call)
        if text is None:
            raise self.program.refused(node.span, f"'{call.name}'")
        self.program.rewriting.replace(node.span, text)

    def _text(self, call: AtomicCall) -> str | None:
        what = call.what
        if what in _FENCES:
            return "FENCE()"
        cell = self._cell(call)
        given = [self.program.rewriting.text(span).strip() for span in call.given]
        if cell is None or not given:
            return None
        place = given[0]
        if call.name in _BY_ADDRESS:
            return None
        if what == "load":
            return f"(*({place}))"
        if what in ("store", "lock_release", "clear"):
            value = given[1] if what == "store" else "0"
            return f"(FENCE(), (void)(*({place}) = {value}))"
        if what in _EXCHANGES:
            text = fetch("=", cell, place, given[1], Wanted.OLD, self.helpers)
            return self._valued(call, cell, text)
        if what == "test_and_set":
            return f"({fetch('=', cell, place, '1', Wanted.OLD, self.helpers)} != 0)"
        return self._updated(call, cell, given) or self._compared(call, cell, given)

    def _updated(self, call: AtomicCall, cell: Cell, given: list[str]) -> str | None:
        before, after = _OLD.fullmatch(call.what), _NEW.fullmatch(call.what)
        match = before or after
        if match is None or cell.kind != "int":
            return None
        wanted = Wanted.OLD if before else Wanted.NEW
        if self._is_unused(call.node):
            wanted = Wanted.NOTHING if self.remote else Wanted.OLD
        op = _OPERATORS[match[1]]
        return self._valued(call, cell, fetch(op, cell, given[0], given[1], wanted, self.helpers))

    def _compared(self, call: AtomicCall, cell: Cell, given: list[str]) -> str | None:
        if call.what == "val_compare_and_swap":
            return self._valued(call, cell, swap(cell, given[0], given[1], given[2], self.helpers))
        if call.what == "bool_compare_and_swap":
            if _SIMPLE.fullmatch(given[1]):
                return f"({swap(cell, given[0], given[1], given[2], self.helpers)} == {given[1]})"
            helper = Helper("swapped", cell.spelling, cell.kind, cell.size)
            self._need(helper, cell)
            return f"{helper.name}({given[0]}, {given[1]}, {given[2]})"
        if call.what in _COMPARES:
            helper = Helper("exchanged", cell.spelling, cell.kind, cell.size)
            self._need(helper, cell)
            return f"{helper.name}({given[0]}, {given[1]}, {given[2]})"
        return None

    def _need(self, helper: Helper, cell: Cell) -> None:
        self.helpers.add(helper)
        swap(cell, "", "", "", self.helpers)

    def _valued(self, call: AtomicCall, cell: Cell, text: str) -> str:
        """The value in the cell's type, which Emu's operations give as a long."""
        whole = text.startswith("ATOMIC_") and cell.spelling != "long"
        if self._is_unused(call.node) or not whole:
            return text
        return f"(({cell.spelling}){text})"

    def _cell(self, call: AtomicCall) -> Cell | None:
        pointer = call.pointer
        element = pointer.type.element if pointer is not None else None
        if element is None or element.kind not in ("int", "pointer"):
            return None
        if element.size not in (1, 2, 4, 8) or "_Atomic" in element.canonical:
            return None
        spelling = element.canonical.replace("volatile ", "").replace("const ", "")
        if element.kind == "pointer":
            spelling = "void *"
        return Cell(spelling, element.kind, element.size, element.signed)

    def _is_unused(self, node: Node) -> bool:
        """Whether it is a statement of its own, in a block or under a condition."""
        above = self.program.parents[id(node)]
        if above.kind == "IF_STMT":
            return any(child is node for child in above.children[1:])
        if above.is_loop:
            return above.children[-1] is node and above.kind != "DO_STMT"
        return above.kind == "COMPOUND_STMT"
