"""Variables that carry a value from the iteration before, computed again where they are read.

::

    for (i = 0; i < n; i++) {         a[0] = b[0] + x; x = b[0];
        a[i] = b[i] + x;          ->  for (i = 1; i < n; i++) {
        x = b[i];                         const float x_before = b[i - 1];
    }                                     a[i] = b[i] + x_before;
                                          x = b[i];
                                      }

A wrap-around variable: what it holds at the beginning of an iteration is an expression in the
iteration before, and that expression has the same value one iteration later as long as nothing in
the loop writes what it reads (forward substitution; Allen and Kennedy, "Optimizing Compilers for
Modern Architectures", sections 4.5 and 5.7). As many first iterations as an expression reaches back
run as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.facts import assigned_in, initializer
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import ElementRead, is_pure, loads, same, variables
from s2s.rewriters.idioms.events import Writes, check_straight, is_private
from s2s.rewriters.idioms.loops import (
    CountedLoop,
    Unproved,
    Unsuitable,
    counted_loop,
    statement_span,
)
from s2s.rewriters.idioms.target import Target
from s2s.rewriters.idioms.writing import Writer
from s2s.source import Edit
from s2s.source.records import dataclass

# Iterations below which the loop stays as it is.
_LEAST = 16
# How many iterations back an expression may reach, and how many elements it may load.
_DEEPEST, _MOST_LOADS = 4, 4
_NUMBERS = ("int", "float")


@dataclass(frozen=True)
class Definition:
    """The assignment of a variable: the ``place`` among the body's statements, and the value."""

    decl: Decl
    place: int
    value: Node


@dataclass(frozen=True)
class Again:
    """The C text of a value computed again, how far back it reaches, and what it loads."""

    text: str
    back: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Shift:
    """A variable with the places that read what the iteration before has left in it."""

    decl: Decl
    again: Again
    reads: tuple[Node, ...]


@dataclass(frozen=True)
class Shifts:
    """A loop with such variables; ``apart`` are pairs of elements whose memory must not overlap."""

    loop: CountedLoop
    shifts: tuple[Shift, ...]
    apart: tuple[tuple[ElementRead, ElementRead], ...]

    @property
    def first(self) -> int:
        """How many iterations have to run before all values can be computed again."""
        return max(s.again.back for s in self.shifts)

    @property
    def reason(self) -> str:
        names = ", ".join(f"'{s.decl.name}'" for s in self.shifts)
        return f"{names} computed again from the iteration before"


def find_shifts(function: Function, node: Node, target: Target) -> Shifts:
    """Recognise a loop. Raises Unsuitable."""
    if not any(_sets_scalar(s) for s in node.children[-1].statements):
        raise Unsuitable(node, "the loop sets no variable")
    loop = counted_loop(function, node)
    if loop.counter.node is not None or len(loop.inductions) != 1:
        raise Unsuitable(node, "more than the header's counter advances")
    body = loop.body.statements
    for statement in body:
        check_straight(statement)
    found = _Values(function, loop, body)
    shifts = tuple(found.shifts())
    if not shifts:
        raise Unsuitable(node, "no variable carries a value from the iteration before")
    if target.compiler == "clang" and not any(_selects(body, s) for s in shifts):
        raise Unsuitable(node, "the compiler makes vectors of such variables by itself")
    apart = tuple(_check_memory(function, loop, body, shifts))
    return Shifts(loop, shifts, apart)


def _sets_scalar(statement: Node) -> bool:
    return statement.op == "=" and statement.children[0].kind == "DECL_REF_EXPR"


class _Values:
    """What the variables of a loop's body hold, as expressions of the counter."""

    def __init__(self, function: Function, loop: CountedLoop, body: list[Node]) -> None:
        self.function = function
        self.loop = loop
        self.body = body
        self.assigned = assigned_in([loop.body])
        self.definitions = {
            d.decl: d for d in self._definitions()
            if self.assigned.get(d.decl, 1) == 1 and is_private(function, d.decl)
        }  # fmt: skip

    def _definitions(self) -> Iterator[Definition]:
        for place, statement in enumerate(self.body):
            if _sets_scalar(statement):
                target, value = statement.children
                if target.decl is not None and target.decl.type.kind in _NUMBERS:
                    yield Definition(target.decl, place, value)
            elif statement.kind == "DECL_STMT":
                for child in statement.children:
                    value_ = initializer(child) if child.kind == "VAR_DECL" else None
                    if (
                        value_ is not None
                        and child.decl is not None
                        and child.type.kind in _NUMBERS
                    ):
                        yield Definition(child.decl, place, value_)

    def shifts(self) -> Iterator[Shift]:
        """The variables that are read before they are set. Raises Unsuitable."""
        header = variables(self.loop.header.condition_node)
        for decl, definition in self.definitions.items():
            reads = tuple(
                n for statement in self.body[: definition.place + 1] for n in statement.walk()
                if n.kind == "DECL_REF_EXPR" and n.decl is decl
            )  # fmt: skip
            target = self.body[definition.place].children[0]
            reads = tuple(n for n in reads if n is not target)
            if not reads:
                continue
            if decl in header or any(n.in_macro for n in reads):
                raise Unsuitable(reads[0], f"'{decl.name}' decides how long the loop runs")
            yield Shift(decl, self._again(definition, 1), reads)
        for statement in self.body:
            for node in statement.walk():
                self._check_read(node)

    def _check_read(self, node: Node) -> None:
        """No other variable carries a value from iteration to iteration."""
        decl = node.decl
        if node.kind != "DECL_REF_EXPR" or decl is None or decl in self.definitions:
            return
        if self.assigned.get(decl) and decl is not self.loop.counter.decl:
            raise Unsuitable(node, f"'{decl.name}' is set in other ways, too")

    def _again(self, definition: Definition, back: int) -> Again:
        """The value that an assignment has had ``back`` iterations before. Raises Unsuitable."""
        value, buffer = definition.value, self.function.unit.buffer
        if back > _DEEPEST:
            raise Unsuitable(value, f"'{definition.decl.name}' depends on its own past")
        if not is_pure(value) or any(n.in_macro and _names(n) for n in value.walk()):
            raise Unsuitable(value, "the value cannot be computed again")
        edits, deepest, nodes = [], back, [value]
        alone = {id(n.children[-1]) for n in value.walk() if n.kind == "ARRAY_SUBSCRIPT_EXPR"}
        for node in value.walk():
            if node.kind != "DECL_REF_EXPR" or node.decl is None:
                continue
            text, reach, more = self._operand(node.decl, definition, back)
            if text is not None:
                text = text if id(node) in alone or node is value else f"({text})"
                edits.append(
                    Edit(node.span.start, node.span.end, text.encode("utf-8", "surrogateescape"))
                )
            deepest, nodes = max(deepest, reach), [*nodes, *more]
        return Again(buffer.edited(value.span, edits), deepest, tuple(nodes))

    def _operand(
        self, decl: Decl, definition: Definition, back: int
    ) -> tuple[str | None, int, tuple[Node, ...]]:
        """A variable in a value: its text, if that is another one, and how far back it reaches."""
        if decl is self.loop.counter.decl:
            step = self.loop.step * back
            return f"{decl.name} {'-' if step > 0 else '+'} {abs(step)}", back, ()
        if decl not in self.definitions:
            return None, back, ()
        other = self.definitions[decl]
        again = self._again(other, back if other.place < definition.place else back + 1)
        kept = other.value.type.canonical == decl.type.canonical
        text = again.text if kept else f"({decl.type.spelling})({again.text})"
        return text, again.back, again.nodes


def _names(node: Node) -> bool:
    return node.kind == "DECL_REF_EXPR" and node.decl is not None


def _subscripts(shift: Shift) -> bool:
    """Whether a variable is an integer, so that subscripts may follow it."""
    return shift.decl.type.kind == "int"


def _selects(body: list[Node], shift: Shift) -> bool:
    """Whether a variable is in a subscript: the compilers do not see which elements follow it."""
    return any(
        shift.decl in variables(node.children[-1])
        for statement in body for node in statement.walk()
        if node.kind == "ARRAY_SUBSCRIPT_EXPR"
    )  # fmt: skip


def _check_memory(
    function: Function, loop: CountedLoop, body: list[Node], shifts: tuple[Shift, ...]
) -> Iterator[tuple[ElementRead, ElementRead]]:
    """Pairs of elements to compare as the code runs. Raises Unsuitable.

    Nothing in the loop may write what is loaded again, and the loop has to walk along memory.
    """
    writes = Writes.of(body)
    if writes.anything or not writes.arrays:
        raise Unsuitable(loop.node, "the loop writes no arrays, or unknown memory")
    stepping = {loop.counter.decl, *(s.decl for s in shifts if _subscripts(s))}
    stores = list(_stores(body, stepping))
    again = [n for s in shifts for n in s.again.nodes]
    if not all(_is_object(s.root) for s in stores):
        _check_values(function, [*again, loop.bound_node])
    elements = [e for n in again for e in loads(n, stepping)]
    if len(elements) > _MOST_LOADS:
        raise Unsuitable(loop.node, "more would be computed again than is gained")
    for element in elements:
        if element is None:
            raise Unsuitable(loop.node, "what would be computed again is not understood")
        for store in stores:
            if store.root is element.root:
                raise Unsuitable(element.node, f"the loop changes '{store.root.name}'")
            if not (_is_object(store.root) and _is_object(element.root)):
                counter = loop.counter.decl
                yield _comparable(store, counter), _comparable(element, counter)
    _check_vectors(loop, body, stores, stepping)


def _check_values(function: Function, nodes: list[Node]) -> None:
    """No store through a pointer changes a variable. Raises Unproved."""
    for node in nodes:
        for decl in variables(node):
            if decl.type.kind != "array" and not is_private(function, decl):
                raise Unproved(node, f"the loop may change '{decl.name}'")


def _stores(body: list[Node], stepping: set[Decl]) -> Iterator[ElementRead]:
    for statement in body:
        for node in statement.walk():
            if node.assigns:
                target = node.children[0]
                if target.kind == "DECL_REF_EXPR":
                    continue
                (store, *rest) = [*loads(target, stepping)] or [None]
                if store is None or rest or target.kind != "ARRAY_SUBSCRIPT_EXPR":
                    raise Unsuitable(target, "what the loop writes is not understood")
                yield store


def _is_object(decl: Decl) -> bool:
    """Whether a variable is an array itself: it overlaps no other one."""
    return decl.type.kind == "array"


def _comparable(element: ElementRead, counter: Decl) -> ElementRead:
    known = len(element.indices) == 1 and element.indices[0].variable in (None, counter)
    if not known or element.guarded:
        raise Unproved(element.node, f"'{element.root.name}' may overlap what the loop writes")
    return element


def _check_vectors(
    loop: CountedLoop, body: list[Node], stores: list[ElementRead], stepping: set[Decl]
) -> None:
    """The loop becomes a vector loop once its variables carry nothing. Raises Unsuitable."""
    for statement in body:
        for element in loads(statement, stepping):
            if element is None or any(abs(i.coefficient) > 1 for i in element.indices):
                raise Unsuitable(statement, "the loop does not walk along memory")
            if any(i.variable is not None for i in element.indices[:-1]):
                raise Unsuitable(statement, "the loop does not walk along memory")
            for store in stores:
                if store.root is element.root and not same(store.node, element.node):
                    raise Unsuitable(statement, f"the loop carries elements of '{store.root.name}'")


# -- the new text -------------------------------------------------------------------------------


def shifts_text(found: Shifts, writer: Writer) -> bytes:
    """The first iterations, the new loop, and the source's loop where the guard says no."""
    loop, p = found.loop, writer.prefix
    increment = loop.header.increment
    guard = " && ".join([f"({writer.condition()})", loop.more(_LEAST), *_apart(found, writer)])
    step = f", {increment}" if increment else ""
    lines = [
        "{",
        f"/* s2s: {found.reason} */",
        writer.init(),
        f"if ({guard}) {{",
        f"for (int {p}n = 0; {p}n < {found.first} && ({writer.condition()}); {p}n++{step})",
        "    " + writer.body(),
        f"for (; {writer.condition()}; {increment}) {{",
        *(f"const {s.decl.type.spelling} {p}{s.decl.name} = {s.again.text};" for s in found.shifts),
        *_statements(found, writer),
        "}",
        "} else {",
        *writer.rest(),
        "}",
        "}",
    ]
    return writer.assembled([line for line in lines if line])


def _statements(found: Shifts, writer: Writer) -> Iterator[str]:
    edits = [
        Edit(n.span.start, n.span.end, f"{writer.prefix}{s.decl.name}".encode())
        for s in found.shifts for n in s.reads
    ]  # fmt: skip
    for statement in found.loop.body.statements:
        span = statement_span(writer.function, statement)
        inside = [e for e in edits if span.start <= e.start and e.end <= span.end]
        yield writer.buffer.edited(span, inside)


def _apart(found: Shifts, writer: Writer) -> Iterator[str]:
    """Conditions that no element loaded again lies in what the loop writes."""
    said = set()
    for store, element in found.apart:
        first, second = (_range(e, found.loop, writer) for e in (store, element))
        text = f"({first[1]} < {second[0]} || {second[1]} < {first[0]})"
        if text not in said:
            said.add(text)
            yield text


def _range(element: ElementRead, loop: CountedLoop, writer: Writer) -> tuple[str, str]:
    """Addresses of the first and the last byte that an element's subscripts may reach."""
    (index,) = element.indices
    name = element.root.name
    begin, end = f"(const char *)&{name}[", "]"
    if index.variable is None:
        text = writer.buffer.text(element.node.children[-1].span)
        low = high = text
    else:
        low, high = (_at(element, loop, writer, side) for side in ("", f"({loop.bound})"))
        if index.coefficient * loop.step < 0:
            low, high = high, low
    size = f"sizeof({name}[0])"
    return f"{begin}{low}{end}", f"{begin}{high}{end} + {size} - 1"


def _at(element: ElementRead, loop: CountedLoop, writer: Writer, value: str) -> str:
    """A subscript's text with ``value`` for the counter."""
    subscript = element.node.children[-1]
    name = loop.counter.decl
    edits = [
        Edit(n.span.start, n.span.end, value.encode("utf-8", "surrogateescape"))
        for n in subscript.walk()
        if value and n.kind == "DECL_REF_EXPR" and n.decl is name
    ]  # fmt: skip
    return writer.buffer.edited(subscript.span, edits)
