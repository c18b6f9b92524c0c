"""Loops of certain kinds: searches, maxima with their places, reductions, unrolled bodies.

A pass on the text of functions, for loops that no pass on SCoPs has taken: each transformation
recognises a kind of loop in the syntax, proves what it needs by itself, and writes new loops around
the source's own text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import ClassVar, Literal

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import free_prefix
from s2s.frontends.openmp.directives import Directive
from s2s.rewriters.idioms.lanes import find_lanes, lanes_text
from s2s.rewriters.idioms.loops import Unproved, Unsuitable, statement_span
from s2s.rewriters.idioms.reroll import find_reroll, reroll_text
from s2s.rewriters.idioms.selects import find_select, select_text
from s2s.rewriters.idioms.strips import find_strips, strip_text
from s2s.rewriters.idioms.target import Target
from s2s.rewriters.idioms.uniform import find_uniform
from s2s.rewriters.idioms.uniform_text import uniform_text
from s2s.rewriters.idioms.wrap_around import find_shifts, shifts_text
from s2s.rewriters.idioms.writing import Writer
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, Span
from s2s.source.flags import is_c90, may_reassociate
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look


@dataclass(frozen=True)
class Idioms(TextPass):
    """The pass. ``compiler`` is the family that the new text is for."""

    name: ClassVar[str] = "idioms"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST, Look.INNERMOST})
    reassociate: bool = field(
        default=False, metadata={"help": "sums and products may be regrouped"}
    )
    compiler: Literal["gcc", "clang"] = field(
        default="gcc", metadata={"help": "compiler that the new loops are for"}
    )

    def claims(self, function: Function) -> frozenset[Span]:
        """Loops that need no more than another spelling, and no other storage."""
        return frozenset(
            loop.span for loop, _ in _loops(function.body, None)
            if self._is_taken(find_reroll, function, loop)
            or self._is_taken(find_shifts, function, loop)
        )  # fmt: skip

    def _is_taken(
        self, find: Callable[[Function, Node, Target], object], function: Function, loop: Node
    ) -> bool:
        try:
            find(function, loop, self._target(function))
        except (Unsuitable, NotLiftable):
            return False
        return True

    def _target(self, function: Function) -> Target:
        fast = may_reassociate(function.unit.flags)
        return Target(self.compiler, fast, self.reassociate or fast)

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """What can be done for the innermost loops of one function that no edit covers."""
        unit = function.unit
        if unit.is_cxx or is_c90(unit.flags) or function.hidden:
            return
        target = self._target(function)
        taken = _taken(function)
        prefix = free_prefix(unit.buffer.data)
        for number, (loop, around) in enumerate(_loops(function.body, None)):
            if id(loop) in taken or any(loop.span.overlaps(s) for s in function.off):
                continue
            found = self._of(function, loop, around, target, f"{prefix}{function.node.name}"
                             f"_done{number}", prefix)  # fmt: skip
            if found is not None and not any(found.where.overlaps(_range(e)) for e in done):
                yield found

    def _of(
        self, function: Function, loop: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> Rewrite | None:  # fmt: skip
        try:
            function.attempt([loop]).check_pragmas()
        except NotLiftable:
            return None
        said: Rewrite | None = None
        for find in (
            self._reroll,
            self._shifts,
            self._lanes,
            self._select,
            self._strips,
            self._uniform,
        ):
            try:
                text, reason = find(function, loop, around, target, label, prefix)
                span = statement_span(function, loop)
                return Rewrite(loop.span, reason, (Edit(span.start, span.end, text),))
            except Unproved as problem:
                said = Rewrite(problem.node.span, problem.reason)
            except (Unsuitable, NotLiftable):
                continue
        return said

    def _reroll(
        self, function: Function, node: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> tuple[bytes, str]:  # fmt: skip
        found = find_reroll(function, node, target)
        return reroll_text(found, Writer(function, found.loop, prefix)), found.reason

    def _shifts(
        self, function: Function, node: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> tuple[bytes, str]:  # fmt: skip
        found = find_shifts(function, node, target)
        return shifts_text(found, Writer(function, found.loop, prefix)), found.reason

    def _lanes(
        self, function: Function, node: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> tuple[bytes, str]:  # fmt: skip
        found = find_lanes(function, node, target)
        return lanes_text(found, Writer(function, found.loop, prefix)), found.reason

    def _select(
        self, function: Function, node: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> tuple[bytes, str]:  # fmt: skip
        found = find_select(function, node)
        arrays = target.compiler == "gcc" and not target.fast
        text = select_text(found, Writer(function, found.loop, prefix), arrays=arrays)
        return text, f"a selection among {len(found.ways)} values"

    def _strips(
        self, function: Function, node: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> tuple[bytes, str]:  # fmt: skip
        found = find_strips(function, node, around, target)
        text = strip_text(found, Writer(function, found.loop, prefix), label)
        return text, f"strips of {found.size} iterations in which nothing happens are passed over"

    def _uniform(
        self, function: Function, node: Node, around: Node | None, target: Target, label: str,
        prefix: str,
    ) -> tuple[bytes, str]:  # fmt: skip
        found = find_uniform(function, node, target)
        return uniform_text(found, Writer(function, found.loop, prefix)), found.reason


def _range(edit: Edit) -> Span:
    return Span(edit.start, edit.end)


def _loops(node: Node, around: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """The loops below a statement that hold no other loop, each with the loop around it."""
    for child in node.children:
        if not child.is_loop:
            yield from _loops(child, around)
        elif any(n.is_loop for n in child.walk() if n is not child):
            yield from _loops(child, child)
        elif child.kind in ("FOR_STMT", "WHILE_STMT"):
            yield child, around


def _taken(function: Function) -> set[int]:
    """Loops that belong to an OpenMP directive."""
    found: set[int] = set()
    for loop in function.node.walk():
        directives = function.attached.before(loop.span.start)
        if not loop.is_loop or not directives:
            continue
        found.add(id(loop))
        if any(_takes_several(d) for d in directives):
            found |= {id(n) for n in loop.walk() if n.is_loop}
    return found


def _takes_several(directive: Directive) -> bool:
    return any(True for clause in directive.clauses if clause.name in ("collapse", "ordered"))
