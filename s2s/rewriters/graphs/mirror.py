"""Expressions of an edge as the vertex at its other end says them.

::

    v pulls from u:  dist[u] + w[e]          next[v]
    u pushes to v:   dist[i] + out_w[e]      next[out_nbr[e]]

The loop's own vertex becomes the neighbour and the neighbour its own; attributes of the edge are
those of the other list.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from s2s.frontends.c.graph_loops import EdgeLoop, Of, VertexLoop
from s2s.frontends.c.graph_pragmas import Graph, item_of, start_of
from s2s.frontends.c.places import (
    Address,
    Field,
    Index,
    Number,
    Place,
    Shifted,
    Term,
    ValueAt,
    Written,
    is_lvalue,
)
from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.refused import Refused
from s2s.rewriters.graphs.relisted import element_of, renamed
from s2s.source.records import dataclass

_LEAVES = frozenset({"DECL_REF_EXPR", "FLOATING_LITERAL"})


@dataclass
class Mirror:
    """Writes the expressions of ``edges``, in ``loop``, for the loop over the other lists.

    ``here`` and ``there`` name pointers to the new loop's own vertex and its neighbour; whether
    they are needed shows when all is written.
    """

    loop: VertexLoop
    edges: EdgeLoop
    graph: Graph
    here: str
    there: str
    needs_here: bool = False
    needs_there: bool = False

    @cached_property
    def items(self) -> dict[str, str]:
        """The items of the lists, and what they are in the other ones."""
        return self.graph.flipped(self.loop.item(self.edges.ends[0]))

    @cached_property
    def _neighbour(self) -> str:
        return self.graph.lists(self.loop.item(self.edges.ends[0]))[1]

    # -- expressions ------------------------------------------------------------------------

    def value(self, node: Node) -> str:
        """C text of an expression's value. Raises Refused where it cannot be said."""
        return self._text(node)

    def side(self, node: Node) -> frozenset[Of]:
        """Whose values an expression is made of, in the loop as it is."""
        found: set[Of] = set()
        self._sides(node, found)
        return frozenset(found)

    def _sides(self, node: Node, found: set[Of]) -> None:
        decl = node.decl if node.kind == "DECL_REF_EXPR" else None
        source = self.loop.places.source(decl) if decl is not None else None
        if source is not None and not self._is_vertex(node):
            self._sides(source, found)
        elif is_lvalue(node) and node.value is None:
            found.add(self._of(node)[0])
        else:
            for child in node.children:
                self._sides(child, found)

    def _of(self, node: Node) -> tuple[Of, Term | None]:
        """Whose a read value is; of a vertex's number or pointer, that of the vertex."""
        if self._is_vertex(node):
            return self._vertex(node), None
        shift = self._shift(self.loop.places.place(node))
        if shift is not None:
            return shift[1], None
        return self.loop.whose(self.loop.places.place(node), self.edges)

    def _is_vertex(self, node: Node) -> bool:
        return self._vertex(node) in (Of.OWN, Of.NEIGHBOUR)

    def _vertex(self, node: Node) -> Of:
        """Whose number or pointer a value is, OTHER if it is none."""
        term = self.loop.places.term(node)
        if not isinstance(term, ValueAt):
            return Of.OTHER
        if term.place == Place(self.loop.iterator):
            return Of.OWN
        return Of.NEIGHBOUR if self._is_neighbour(term.place) else Of.OTHER

    def _is_neighbour(self, place: Place) -> bool:
        of, _ = self.loop.whose(place, self.edges)
        return of is Of.EDGE and self.loop.item(place) == self._neighbour

    def _text(self, node: Node) -> str:
        if node.in_macro and node.value is None and node.kind not in _LEAVES:
            raise Refused(node.span, "a macro makes part of an expression")
        if is_lvalue(node) and node.value is None:
            return self._read(node)
        buffer = self.loop.function.unit.buffer
        text, position = "", node.span.start
        for child in node.children if node.value is None else ():
            if child.span.start < position:
                continue
            text += buffer.text(replace(node.span, start=position, end=child.span.start))
            text += self._text(child)
            position = child.span.end
        return text + buffer.text(replace(node.span, start=position))

    def _read(self, node: Node) -> str:
        decl = node.decl if node.kind == "DECL_REF_EXPR" else None
        if decl is not None and self._vertex(node) is Of.OTHER:
            source = self.loop.places.source(decl)
            if source is not None:
                return self._converted(decl.type.canonical, source)
        return self.place(node)

    def _converted(self, target: str, source: Node) -> str:
        words = [w for w in target.split() if w != "const"]
        own = [w for w in source.type.canonical.split() if w != "const"]
        text = self._text(source)
        return f"({text})" if words == own else f"(({' '.join(words)})({text}))"

    # -- places -----------------------------------------------------------------------------

    def place(self, node: Node) -> str:
        """C text of an lvalue, and of a vertex's number or pointer."""
        vertex = self._vertex(node)
        if vertex is Of.OWN:
            return self.number_there(node)
        if vertex is Of.NEIGHBOUR:
            if node.type.kind == "pointer":
                return self._pointer_here()
            return self.loop.iterator.name
        place = self.loop.places.place(node)
        of, subject = self.loop.whose(place, self.edges)
        shift = self._shift(place)
        if shift is not None:
            return self._print(self._shifted(place, *shift, node), node)
        if of is Of.SHARED:
            return self._print(place, node)
        if of is Of.EDGE and self.loop.item(place) in self.items:
            return self._print(self._relisted(place), node)
        if of in (Of.OWN, Of.NEIGHBOUR) and isinstance(subject, ValueAt):
            return self._property(place, subject, of, node)
        shown = self.loop.function.unit.buffer.text(node.span)
        raise Refused(node.span, f"'{shown}' is neither of a vertex nor of a known list of edges")

    def _shift(self, place: Place) -> tuple[int, Of] | None:
        """Where a place selects an element next to a vertex's, and whose; None for others."""
        steps = [i for i, s in enumerate(place.steps) if isinstance(s, Index)]
        last = place.steps[steps[-1]] if steps else None
        term = last.term if isinstance(last, Index) else None
        if not isinstance(term, Shifted) or not isinstance(term.term, ValueAt):
            return None
        before = Place(place.root, place.steps[: steps[-1]])
        if self.loop.whose(before, self.edges)[0] is not Of.SHARED:
            return None
        if term.term.place == Place(self.loop.iterator):
            return steps[-1], Of.OWN
        found = self._is_neighbour(term.term.place)
        return (steps[-1], Of.NEIGHBOUR) if found else None

    def _shifted(self, place: Place, position: int, of: Of, node: Node) -> Place:
        """The element next to that of the vertex at the other end."""
        number = self.number_there(node) if of is Of.OWN else self.loop.iterator.name
        index = place.steps[position]
        assert isinstance(index, Index) and isinstance(index.term, Shifted)
        by = index.term.offset
        text = f"{number} {'+' if by > 0 else '-'} {abs(by)}"
        steps = (*place.steps[:position], replace(index, term=Written(text)))
        return Place(place.root, (*steps, *place.steps[position + 1 :]))

    def number_there(self, node: Node) -> str:
        """The number of the new loop's neighbour."""
        item = next((p for p in self._neighbours()), None)
        if item is None or item.type.kind != "int":
            raise Refused(node.span, "the edges do not have their other end's number")
        return self._print(self._relisted(self.loop.places.place(item)), item)

    def _neighbours(self) -> list[Node]:
        """The places in the text that load an edge's other end."""
        return [
            a.node for a in self.loop.accesses
            if a.edges is self.edges and a.place.steps and self._is_neighbour(a.place)
        ]  # fmt: skip

    def neighbour_there(self, node: Node) -> str:
        """A pointer to the new loop's neighbour."""
        for item in self._neighbours():
            if item.type.kind == "pointer":
                return self._print(self._relisted(self.loop.places.place(item)), item)
        table = self._table(node)
        number = Index(Written(self.number_there(node)), True)
        return self._print(replace(table, steps=(*table.steps[:-1], number)), node)

    def pointer_here(self, node: Node) -> str:
        """A pointer to the new loop's own vertex."""
        return self._print(self._table(node), node)

    def table_type(self, node: Node) -> str:
        """The type of the pointers to vertices."""
        table = self._table(node)
        found = [a.node for a in self.loop.accesses if a.place == table]
        if not found:
            raise Refused(node.span, "the array of the vertices is not declared")
        words = [w for w in found[0].type.canonical.split() if w not in ("const", "restrict")]
        return " ".join(words)

    def _pointer_here(self) -> str:
        self.needs_here = True
        return self.here

    def _table(self, node: Node) -> Place:
        table = self._found_table()
        if table is None:
            raise Refused(node.span, "the array of the vertices is not declared")
        return table

    def _found_table(self) -> Place | None:
        """The own vertex's element of the table of vertices, where the loop has it."""
        for access in self.loop.accesses:
            subject = access.subject
            if access.of is not Of.OWN or not isinstance(subject, ValueAt):
                continue
            if subject.place.steps and self.loop.item(subject.place) == self.graph.table:
                return subject.place
        return None

    def _property(self, place: Place, subject: ValueAt, of: Of, node: Node) -> str:
        """A member or an element of the vertex at the other end."""
        position = self._position(place, subject)
        rest = place.steps[position + 1 :]
        pointed = place.steps[position]
        assert isinstance(pointed, Index)
        if pointed.term == Number(0) and pointed.pointer:
            self._check_object(subject.place, of, node)
            if of is Of.OWN:
                self.needs_there = True
                return self._behind(self.there, rest, node)
            return self._behind(self._pointer_here(), rest, node)
        if of is Of.NEIGHBOUR and not self._is_neighbour(subject.place):
            raise Refused(node.span, "an edge's attribute selects an element")
        number = self.number_there(node) if of is Of.OWN else self.loop.iterator.name
        steps = (*place.steps[:position], Index(Written(number), pointed.pointer), *rest)
        return self._print(Place(place.root, steps), node)

    def _check_object(self, place: Place, of: Of, node: Node) -> None:
        """Whether a pointer is the one to a vertex of the declared table."""
        known = self.graph.table is not None and (
            self.loop.item(place) == self.graph.table
            or (of is Of.NEIGHBOUR and self._is_neighbour(place))
        )
        if not known:
            raise Refused(node.span, "a pointer that may not lead to a vertex of the graph")

    def _position(self, place: Place, subject: ValueAt) -> int:
        for position in reversed(range(len(place.steps))):
            step = place.steps[position]
            if not isinstance(step, Index):
                continue
            whole = ValueAt(Place(place.root, place.steps[:position]))
            if step.term == subject or (step.term == Number(0) and step.pointer
                                        and whole == subject):  # fmt: skip
                return position
        raise AssertionError("a vertex's place has the vertex in it")

    def _relisted(self, place: Place) -> Place:
        """An edge's place in the lists of the other direction."""
        edges = frozenset(e.iterator for e in self.loop.edge_loops)
        origin = self.loop.places.origin(place)
        other = dict(self.graph.arrays).get(self.loop.item(place))
        if other is not None:
            return element_of(other, place)
        item, start = self.items[item_of(origin, edges)], start_of(origin, edges)
        own = start_of(place, edges)
        if (
            own is not None
            and start is not None
            and (len(place.steps) - own == len(origin.steps) - start)
        ):
            return renamed(place, own, item)
        return renamed(origin, start, item)

    def end(self, term: Term) -> str:
        """A bound of the loop over the other lists."""
        if isinstance(term, Number):
            return str(term.value)
        if isinstance(term, ValueAt):
            item = self.loop.item(term.place)
            if item in self.items:
                return self._print(self._relisted(term.place), self.edges.node)
        raise Refused(self.edges.node.span, "the edges' bounds are not declared")

    # -- text -------------------------------------------------------------------------------

    def _behind(self, pointer: str, steps: tuple[Index | Field, ...], node: Node) -> str:
        if not steps or not isinstance(steps[0], Field):
            raise Refused(node.span, "a pointer to a vertex leads to something else")
        return f"{pointer}->{steps[0].name}{self._steps(steps[1:], node)}"

    def _print(self, place: Place, node: Node) -> str:
        if place.root is None:
            raise Refused(node.span, "an access that is not understood")
        counters = (self.loop.iterator, self.edges.iterator)
        if place.root not in counters and place.root.name in {d.name for d in counters}:
            raise Refused(node.span, f"'{place.root.name}' is also what a loop counts")
        table = self._found_table()
        object_ = (*table.steps, Index(Number(0), True)) if table is not None else ()
        own = len(object_)
        if table is not None and place.root is table.root and place.steps[:own] == object_:
            return self._behind(self._pointer_here(), place.steps[own:], node)
        return place.root.name + self._steps(place.steps, node)

    def _steps(self, steps: tuple[Index | Field, ...], node: Node) -> str:
        text, position = "", 0
        while position < len(steps):
            step = steps[position]
            following = steps[position + 1] if position + 1 < len(steps) else None
            if isinstance(step, Field):
                text += f".{step.name}"
            elif step.pointer and step.term == Number(0) and isinstance(following, Field):
                text += f"->{following.name}"
                position += 1
            else:
                text += f"[{self._term(step.term, node)}]"
            position += 1
        return text

    def _term(self, term: Term, node: Node) -> str:
        if isinstance(term, Written):
            return term.text
        if isinstance(term, Number):
            return str(term.value)
        if isinstance(term, ValueAt):
            return self._print(term.place, node)
        if isinstance(term, Shifted):
            return f"{self._term(term.term, node)} {'+' if term.offset > 0 else '-'} " + str(
                abs(term.offset)
            )
        if isinstance(term, Address):
            return f"&{self._print(term.place, node)}"
        raise Refused(node.span, "a subscript that is not understood")
