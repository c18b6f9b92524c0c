"""The nests of one function, and what takes their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.rewriters.hit_lists.gain import check_strides, check_work
from s2s.rewriters.hit_lists.nests import find_nest
from s2s.rewriters.hit_lists.proof import Prover
from s2s.rewriters.hit_lists.writing import Text
from s2s.rewriters.idioms.loops import Unsuitable, statement_span
from s2s.rewriters.text_pass import Rewrite
from s2s.source import Edit

# Statements into whose middle something may jump, past a declaration.
_ENTERED = frozenset({"LABEL_STMT", "SWITCH_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"})


def rewrites(
    function: Function, loops: Iterable[Node], done: Sequence[Edit], prefix: str
) -> Iterator[Rewrite]:
    """What can be done for these loops, and why not more."""
    places = {e.start for e in done}
    for number, loop in enumerate(loops):
        taken = any(e.start < loop.span.end and loop.span.start < e.end for e in done)
        if taken or any(loop.span.overlaps(s) for s in function.off):
            continue
        found = _Found(function, loop, prefix, number, places)
        said = found.rewrite()
        if said is not None:
            places |= {e.start for e in said.edits}
            yield said


class _Found:
    """One loop, with the loops around it; at ``places`` something is put in already."""

    def __init__(
        self, function: Function, loop: Node, prefix: str, number: int, places: Set[int]
    ) -> None:  # fmt: skip
        self.function = function
        self.loop = loop
        self.prefix = prefix
        self.number = number
        self.places = places
        self.around = _around(function.body, loop)

    def rewrite(self) -> Rewrite | None:
        """The nest of two loops, or the loop alone; a reason where it is one of the kind."""
        try:
            nest = find_nest(self.function, self.loop, None)
            check_work(nest, nest.terms)
        except (Unsuitable, NotLiftable):
            return None
        problem: Unsuitable | NotLiftable | None = None
        for outer in filter(None, (self._only_around(), self.loop)):
            try:
                return self._of(outer)
            except (Unsuitable, NotLiftable) as reason:
                problem = reason
        if isinstance(problem, Unsuitable):
            return Rewrite(problem.node.span, problem.reason)
        return None

    def _only_around(self) -> Node | None:
        """The loop around that has nothing else in it."""
        parents = [n for n in self.around if n.kind != "COMPOUND_STMT" or len(n.children) != 1]
        if not parents or parents[-1].kind != "FOR_STMT":
            return None
        between = self.around[self.around.index(parents[-1]) + 1 :]
        outer = parents[-1]
        inside = between[0] if between else self.loop
        return outer if outer.children[-1] is inside else None

    def _of(self, outer: Node) -> Rewrite:
        function = self.function
        attached = function.attached
        if any(attached.within(outer.span)) or self._takes(outer):
            raise Unsuitable(outer, "directives say how the loop runs")
        text_of_nest = function.unit.buffer.data[outer.span.start : outer.span.end]
        if b"_Pragma" in text_of_nest:
            raise Unsuitable(outer, "the loop has pragmas")
        function.attempt([outer]).check_pragmas()
        nest = find_nest(function, self.loop, None if outer is self.loop else outer)
        place = self._lasting(outer)
        wait = f"{self.prefix}wait{self.number}"
        text = Text(function, nest, self.prefix, wait, lasts=place is not None)
        proof = Prover(function, nest, text.names()).prove()
        check_work(nest, proof.terms)
        check_strides(nest, proof)
        span = statement_span(function, outer)
        edits = [Edit(span.start, span.end, text.edit(proof).encode("utf-8", "surrogateescape"))]
        if place is not None:
            edits.insert(0, Edit(place, place, self._declared(wait, place)))
        few = len(proof.terms) < len(nest.terms)
        picks = f"{len(proof.terms)} of {len(nest.terms)} terms pick" if few else (
            "the condition picks")  # fmt: skip
        words = f"iterations of '{nest.counters[-1].name}' that {picks} are listed"
        return Rewrite(outer.span, f"{words} before their work", tuple(edits))

    def _takes(self, loop: Node) -> bool:
        """Whether a directive is about a loop, alone or with the loops around."""
        before = self.function.attached.before
        place = self.around.index(loop) if loop in self.around else len(self.around)
        return bool(before(loop.span.start)) or any(
            clause.name in ("collapse", "ordered", "sizes")
            for node in self.around[:place]
            for directive in before(node.span.start)
            for clause in directive.clauses
        )

    def _declared(self, wait: str, place: int) -> bytes:
        data = self.function.unit.buffer.data
        line = data[self.function.unit.buffer.line_start(place) : place]
        return f"int {wait} = 0;\n".encode() + (line if not line.strip() else b"")

    def _lasting(self, outer: Node) -> int | None:
        """A place for a variable that outlives the nest, in the same thread: before a loop."""
        found: int | None = None
        attached = self.function.attached
        if any(n.kind in _ENTERED for n in self.function.body.walk()):
            return None
        place = self.around.index(outer) if outer in self.around else len(self.around)
        parents = [self.function.body, *self.around[:place]]
        for parent, node in zip(parents[-2::-1], parents[:0:-1], strict=True):
            if attached.before(node.span.start) or (node.is_loop and self._takes(node)):
                break
            if node.is_loop and parent.kind == "COMPOUND_STMT":
                try:
                    self.function.attempt([node]).check_pragmas()
                except NotLiftable:
                    break
                if node.span.start not in self.places:
                    found = node.span.start
        return found


def _around(body: Node, loop: Node) -> list[Node]:
    """The statements around a loop, the outermost one first."""
    found: list[Node] = []
    node = body
    while node is not loop:
        inner = next((c for c in node.children if _holds(c, loop)), None)
        if inner is None:
            return []
        if inner is not loop:
            found.append(inner)
        node = inner
    return found


def _holds(node: Node, loop: Node) -> bool:
    return node is loop or (
        node.span.start <= loop.span.start
        and loop.span.end <= node.span.end
        and any(n is loop for n in node.walk())
    )
