"""Loops whose body spells out several iterations, as loops over single ones.

::

    for (i = 0; i < n - 5; i += 5) {          for (; i < end; i++)
        a[i] = a[i + 1] * a[i];                   a[i] = a[i + 1] * a[i];
        a[i + 1] = a[i + 2] * a[i + 1];   ->
        ...
    }

The new loop runs the same statements in the same order. Compilers make vectors of an unrolled body
only where its statements are independent (loop rerolling, as in LLVM's pass of that name).
"""

from __future__ import annotations

from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.rewriters.expressions import ElementRead, index_of, loads, variables
from s2s.rewriters.idioms.events import check_straight, is_private
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, counted_loop
from s2s.rewriters.idioms.target import Target
from s2s.rewriters.idioms.writing import Writer
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass

_VECTOR_BYTES = 32
# Iterations of the new loop that are worth it.
_LEAST = 32


@dataclass(frozen=True)
class Reroll:
    """A loop of ``copies`` iterations in each; ``body`` are the texts of the first of them."""

    loop: CountedLoop
    copies: int
    body: tuple[str, ...]

    @property
    def step(self) -> int:
        """The counter's step in the new loop."""
        return self.loop.step // self.copies

    @property
    def reason(self) -> str:
        return f"{self.copies} iterations in the loop's body as a loop over single ones"


def find_reroll(function: Function, node: Node, target: Target) -> Reroll:
    """Recognise a loop. Raises Unsuitable."""
    if any(child.op in INCREMENTS for child in node.children[:-1]):
        raise Unsuitable(node, "the loop advances by one")
    loop = counted_loop(function, node)
    if loop.counter.node is not None or len(loop.inductions) != 1 or abs(loop.step) < 2:
        raise Unsuitable(node, "the loop advances by one")
    body = loop.body.statements
    for statement in body:
        check_straight(statement)
    _check_bound(function, loop)
    compare = _Copies(function.unit.buffer, loop.counter.decl)
    if len(body) == 1:
        return _of_sum(function, loop, body[0], compare, target)
    for copies in range(len(body), 1, -1):
        if len(body) % copies == 0 and loop.step % copies == 0:
            size = len(body) // copies
            if compare.repeats(body, size, loop.step // copies):
                _check_gain(loop, body, body[:size], loop.step // copies)
                _check_compiler(body, copies, target)
                writer = Writer(function, loop, "")
                return Reroll(loop, copies, tuple(writer.text(s) for s in body[:size]))
    raise Unsuitable(node, "the body does not repeat itself")


def _check_bound(function: Function, loop: CountedLoop) -> None:
    """The bound keeps its value while the loop runs. Raises Unsuitable."""
    assigned = assigned_in([loop.body])
    for decl in variables(loop.bound_node):
        if decl in assigned or not is_private(function, decl):
            raise Unsuitable(loop.node, f"'{decl.name}' may change in the loop")


@dataclass(frozen=True)
class _Copies:
    """Compares pieces of syntax that may be the same but for the counter's value."""

    buffer: SourceBuffer
    counter: Decl

    def repeats(self, body: list[Node], size: int, step: int) -> bool:
        """Whether statements ``size`` places apart are the same, one ``step`` further on."""
        return all(
            self.ahead(body[place % size], body[place], place // size * step)
            for place in range(size, len(body))
        )

    def ahead(self, first: Node, other: Node, distance: int) -> bool:
        """Whether ``other`` is ``first`` with the counter ``distance`` further on."""
        if first.type.kind == "int" and other.type.kind == "int":
            left, right = (index_of(n, {self.counter}) for n in (first, other))
            if left is not None and right is not None and left.variable is not None:
                known = left.constant is not None and right.constant is not None
                return known and (right.variable, right.coefficient, right.constant) == (
                    left.variable, left.coefficient,
                    (left.constant or 0) + left.coefficient * distance,
                )  # fmt: skip
        if first.kind == "FLOATING_LITERAL" or first.in_macro:
            text, again = (self.buffer.text(n.span) for n in (first, other))
            return text == again and self.counter not in variables(first)
        if (first.kind, first.op, first.name, first.value, first.decl) != (
            other.kind, other.op, other.name, other.value, other.decl,
        ):  # fmt: skip
            return False
        if first.decl is self.counter or len(first.children) != len(other.children):
            return False
        pairs = zip(first.children, other.children, strict=True)
        return all(self.ahead(a, b, distance) for a, b in pairs)


def _check_gain(loop: CountedLoop, body: list[Node], group: list[Node], step: int) -> None:
    """The statements depend on each other, and the new loop becomes a vector loop."""
    if step not in (1, -1):
        raise Unsuitable(loop.node, "the new loop would not walk along memory")
    counter = loop.counter.decl
    stores = [_store(s, counter) for s in group]
    tied = False
    for statement in group:
        for element in loads(statement, {counter}):
            if element is None:
                raise Unsuitable(statement, "vectors of scattered elements gain nothing")
            if any(abs(i.coefficient) > 1 for i in element.indices):
                raise Unsuitable(statement, "the new loop would not walk along memory")
            for store in stores:
                tied |= _meets(loop, store, element, step)
    if not tied:
        raise Unsuitable(loop.node, "compilers make vectors of the body as it is")


def _check_compiler(body: list[Node], copies: int, target: Target) -> None:
    """Of a body that spells whole vectors out clang makes them, whatever it carries."""
    sizes = {s.children[0].type.size for s in body}
    whole = all(size and copies * size % _VECTOR_BYTES == 0 for size in sizes)
    if target.compiler == "clang" and whole and copies & (copies - 1) == 0:
        raise Unsuitable(body[0], "the compiler makes vectors of the body as it is")


def _store(statement: Node, counter: Decl) -> ElementRead:
    target = statement.children[0] if statement.op in ASSIGNMENTS else None
    if target is None or target.kind != "ARRAY_SUBSCRIPT_EXPR":
        raise Unsuitable(statement, "the statement does not store one element")
    (found, *_) = [*loads(target, {counter})]
    if found is None or found.indices[-1].variable is None:
        raise Unsuitable(statement, "what the statement writes is not understood")
    return found


def _meets(loop: CountedLoop, store: ElementRead, element: ElementRead, step: int) -> bool:
    """Whether an iteration touches what another one stores. Raises Unsuitable where it waits."""
    if element.node is store.node or element.root is not store.root:
        return False
    first, second = element.indices[-1], store.indices[-1]
    known = first.constant is not None and second.constant is not None
    if not known or first.coefficient != second.coefficient:
        raise Unsuitable(loop.node, f"the loop may carry elements of '{store.root.name}'")
    ahead = ((first.constant or 0) - (second.constant or 0)) * second.coefficient * step
    if ahead < 0:
        raise Unsuitable(loop.node, f"the loop carries elements of '{store.root.name}'")
    return ahead > 0


def _of_sum(
    function: Function, loop: CountedLoop, statement: Node, compare: _Copies, target: Target
) -> Reroll:
    """``s = s + a[i] + a[i + 1] + ...``: the terms are added one after the other."""
    if not target.reassociate or statement.op not in ("=", "+="):
        raise Unsuitable(statement, "the body does not repeat itself")
    into, value = statement.children
    terms = list(_terms(value))
    if statement.op == "=":
        first, *terms = terms
        if first.decl is not into.decl or first.kind != "DECL_REF_EXPR":
            raise Unsuitable(statement, "the body does not repeat itself")
    copies = len(terms)
    plain = into.kind == "DECL_REF_EXPR" and into.decl not in (None, loop.counter.decl)
    if not plain or copies < 2 or loop.step != copies or into.decl in _named(terms):
        raise Unsuitable(statement, "the body does not repeat itself")
    if not all(compare.ahead(terms[0], t, k) for k, t in enumerate(terms)):
        raise Unsuitable(statement, "the body does not repeat itself")
    text = function.unit.buffer.text(Span(terms[0].span.start, terms[0].span.end))
    return Reroll(loop, copies, (f"{into.name} += {text};",))


def _terms(value: Node) -> list[Node]:
    """The terms of a sum as C adds them, from the left."""
    if value.op == "+" and value.kind == "BINARY_OPERATOR":
        left, right = value.children
        return [*_terms(left), right]
    return [value]


def _named(terms: list[Node]) -> set[Decl]:
    return set().union(*(variables(t) for t in terms))


def reroll_text(found: Reroll, writer: Writer) -> bytes:
    """The loop over single iterations, which ends where the source's would; that one if short."""
    loop, p, name = found.loop, writer.prefix, found.loop.counter.decl.name
    size, sign = abs(loop.step), "+" if loop.step > 0 else "-"
    whole = loop.distance() if "=" in loop.relation else f"{loop.distance()} - 1"
    count = f"({whole}) / {size} + 1"
    relation = "<" if loop.step > 0 else ">"
    lines = [
        "{",
        f"/* s2s: {found.reason} */",
        writer.init(),
        f"if (({writer.condition()}) && {loop.more(-(-_LEAST // size))}) {{",
        f"const {loop.counter.decl.type.spelling} {p}end = {name} {sign} "
        f"({loop.counter.decl.type.spelling})({size} * ({count}));",
        f"for (; {name} {relation} {p}end; {name} {sign}= {abs(found.step)}) {{",
        *found.body,
        "}",
        "} else {",
        *writer.rest(),
        "}",
        "}",
    ]
    return writer.assembled([line for line in lines if line])
