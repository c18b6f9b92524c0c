"""Windows that are copied into columns and then multiplied (im2col), read where they come from.

``for (c...) for (r...) for (i...) col[(c * k + r) * n + i] = x[c][i + r]; for (o...) for (p < n)
for (q < m) out[o][p] += w[o][q] * col[q * n + p];`` becomes ``for (o...) for (i...) for (c...)
for (r...) out[o][i] += w[o][c * k + r] * x[c][i + r];``. Only for reading: no text is made of it.
Nothing else may name the copy, and each element of it that is read is one that was just written:
the counts of the loops that read are products of the counts of those that write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.frontends.c.confined import is_confined
from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.facts import Facts
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.copies import Copy, array_of, place_of, read_copy
from s2s.frontends.c.typed.nodes import (
    INT,
    copied,
    declaration,
    local,
    number,
    operation,
    reference,
)
from s2s.frontends.c.typed.sizes import Counted, Sizes, counted
from s2s.scop.polynomial import Polynomial
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass

_JUMPS = frozenset(
    {"BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "SWITCH_STMT",
     "WHILE_STMT", "DO_STMT", "CALL_EXPR", "LAMBDA_EXPR", "STMT_EXPR", "INDIRECT_GOTO_STMT"}
)  # fmt: skip


Chains = Mapping[Decl, tuple[Counted, ...]]


@dataclass(frozen=True)
class Columns:
    """Reads pairs of loops of a function."""

    function: Node
    facts: Facts
    buffer: SourceBuffer

    def without(self, nest: Node) -> Node:
        """A nest with the pairs in its blocks as one; itself where there are none."""
        below = nest.with_children([self.without(c) for c in nest.children])
        if below.kind != "COMPOUND_STMT":
            return below
        made: list[Node] = []
        for child in below.children:
            one = self.as_one(made[-1], child) if made else None
            made[-1:] = [one] if one is not None else [*made[-1:], child]
        return below.with_children(made)

    def as_one(self, fill: Node, use: Node) -> Node | None:
        """The second of two loops as if it read what the first one copies; None for others."""
        if fill.kind != "FOR_STMT" or use.kind != "FOR_STMT" or use.kinds & _JUMPS:
            return None
        sizes = Sizes(self.facts, known=True)
        copy = read_copy(fill, sizes)
        if copy is None or not self._is_apart(copy, fill, use):
            return None
        reading = _Reading(copy, sizes, use)
        made = reading.made()
        if made is None or not all(self._is_gone(d, use) for d in reading.left):
            return None
        return made

    def _is_apart(self, copy: Copy, fill: Node, use: Node) -> bool:
        """Whether only the two loops name the copy, and the second one changes nothing copied."""
        array, span = copy.array, Span(fill.span.start, use.span.end)
        if not self._is_confined(array, span):
            return False
        written = {_changed(n.children[0]) for n in use.walk() if n.assigns}
        own = {c.variable for c in copy.loops}
        if None in written or (copy.value.decls & written) - own:
            return False
        return all(self._is_gone(d, fill) for d in copy.left)

    def _is_confined(self, array: Decl, span: Span) -> bool:
        """Whether nothing else names an array; what it held before is not read, nor after."""
        if array.is_local and array.is_static and array.type.kind == "array":
            references = self.facts.references.get(array, [])
            inside = all(span.start <= n.span.start < span.end for n in references)
            return inside and array not in self.facts.escaped
        return is_confined(array, span, self.facts, self.buffer)

    def _is_gone(self, decl: Decl, after: Node) -> bool:
        """Whether nobody reads what a variable holds after a loop."""
        return dead_after(self.function, [after], decl)


class _Reading:
    """A nest that reads a copy, of which each element is read in one place."""

    def __init__(self, copy: Copy, sizes: Sizes, use: Node) -> None:
        self.copy, self.sizes, self.use = copy, sizes, use
        self.left: set[Decl] = set()
        """Variables of loops that are no longer there."""

    def made(self) -> Node | None:
        """The nest that reads where the copy comes from."""
        named = [n for n in self.use.walk() if n.decl is self.copy.array]
        reads = [n for n in self.use.walk() if n.kind == "ARRAY_SUBSCRIPT_EXPR"
                 and n.type.scalar and array_of(n) is self.copy.array]  # fmt: skip
        if len(named) != 1 or len(reads) != 1:
            return None
        nodes = _loops_around(self.use, reads[0])
        loops = self._counted(nodes)
        if loops is None:
            return None
        place = place_of(reads[0], self.sizes, {c.variable: c.range for c in loops})
        digits = None if place is None else self._digits(place, loops)
        if digits is None:
            return None
        self.left = {c.variable for c in loops if len(digits.get(c.variable, ())) > 1
                     and not c.declared}  # fmt: skip
        return self._rewritten(reads[0], {id(n) for n in nodes}, digits)

    def _counted(self, nodes: Sequence[Node]) -> list[Counted] | None:
        """What loops count, the outermost one first."""
        found: list[Counted] = []
        for node in nodes:
            one = counted(node, self.sizes, {c.variable: c.range for c in found})
            if one is None:
                return None
            found.append(one)
        return found

    def _digits(self, place: Polynomial, loops: Sequence[Counted]) -> Chains | None:
        """For each loop around what is read the loops that write in its iterations.

        The innermost first; None where they are not the same iterations.
        """
        strides, start = self.copy.strides(self.sizes)
        left = {w: by for w, by in strides.items() if w.count.number != 1}
        found: dict[Decl, tuple[Counted, ...]] = {}
        for loop in loops:
            step, place = place.divide(self.sizes.name(loop.variable))
            if step == Polynomial() or loop.count.number == 1:
                continue
            chain: list[Counted] = []
            reach = Polynomial.integer(1)
            while reach != loop.count:
                write = next((w for w, by in left.items() if by == step * reach), None)
                if write is None:
                    return None
                del left[write]
                chain.append(write)
                reach = reach * write.count
            found[loop.variable] = tuple(chain)
        return None if left or place != start else found

    def _rewritten(self, read: Node, around: set[int], digits: Chains) -> Node:
        """The nest with loops as they write, and in the place of what is read what was written."""
        values: dict[Decl, Node] = {
            w.variable: number(0, read.span) for w in self.copy.loops if w.count.number == 1
        }
        split: dict[Decl, list[tuple[Decl, Counted]]] = {}
        for variable, chain in digits.items():
            if len(chain) == 1:
                values[chain[0].variable] = reference(variable, read.span)
                continue
            own = [
                (local(f"{w.variable.name}_of_{variable.name}", w.variable.type, read.span), w)
                for w in chain
            ]
            values |= {w.variable: reference(decl, read.span) for decl, w in own}
            split[variable] = own
        value = _substituted(self.copy.value, values)
        nest = _Split(read, _placed(value, read), around, split).of(self.use)
        return self._with_sizes(nest)

    def _with_sizes(self, node: Node) -> Node:
        """A nest with the products that locals are where it has these."""
        if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.type.kind == "int":
            first = self.sizes.beginning(node.decl)
            value = None if first is None else self.sizes.polynomial(first, {})
            if first is not None and value is not None and value.degree > 1:
                return self._with_sizes(copied(first))
            return node
        return node.with_children([self._with_sizes(c) for c in node.children])


def _placed(value: Node, read: Node) -> Node:
    """A value in the place of another one, which a tree is searched for by its place."""
    return replace(
        value, children=[_placed(c, read) for c in value.children], span=read.span,
        _kinds=None, _decls=None, _assigned=None,
    )  # fmt: skip


def _substituted(node: Node, values: Mapping[Decl, Node]) -> Node:
    """An expression with values for variables."""
    if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.decl in values:
        return copied(values[node.decl])
    return replace(
        node, children=[_substituted(c, values) for c in node.children],
        _kinds=None, _decls=None, _assigned=None,
    )  # fmt: skip


def _loops_around(nest: Node, read: Node) -> list[Node]:
    """The loops around a node, the outermost one first."""
    found: list[Node] = []
    node = nest
    while node is not read:
        found += [node] if node.kind == "FOR_STMT" else []
        node = next(c for c in node.children if any(n is read for n in c.walk()))
    return found


def _changed(target: Node) -> Decl | None:
    """The variable, array or pointer by whose name something is changed."""
    while target.children and target.kind != "DECL_REF_EXPR":
        target = target.children[0]
    return target.decl


@dataclass(frozen=True)
class _Split:
    """Takes loops ``around`` a node apart, each into several of a part of its iterations."""

    read: Node
    value: Node
    around: set[int]
    parts: Mapping[Decl, Sequence[tuple[Decl, Counted]]]

    def of(self, node: Node) -> Node:
        if node is self.read:
            return self.value
        made = node.with_children([self.of(c) for c in node.children])
        if id(node) not in self.around:
            return made
        variable = counted_loop(node).variable
        if variable not in self.parts:
            return made
        own = self.parts[variable]
        body = _substituted(made.children[-1], {variable: _joined(own, node.span)})
        for decl, loop in own:
            body = _loop(decl, copied(loop.limit), body, node)
        return body


def _joined(parts: Sequence[tuple[Decl, Counted]], at: Span) -> Node:
    """The variable of which others are the digits, the lowest first."""
    (decl, loop), *higher = parts
    here = reference(decl, at)
    if not higher:
        return here
    scaled = operation("*", _joined(higher, at), copied(loop.limit), decl.type)
    return operation("+", scaled, here, decl.type)


def _loop(decl: Decl, limit: Node, body: Node, like: Node) -> Node:
    at, type_ = like.span, decl.type
    test = operation("<", reference(decl, at), limit, INT)
    step = Node("UNARY_OPERATOR", at, type_, [reference(decl, at)], "post++")
    start = declaration(decl, number(0, at, type_), at)
    parts = [start, test, step, body]
    return replace(like, children=parts, _kinds=None, _decls=None, _assigned=None)
