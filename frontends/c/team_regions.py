"""Worksharing loops whose team is formed elsewhere: in a caller, or around code kept as it is.

::

    void sweep(void) {                 each thread of the team runs sweep: what the new loop's
    #pragma omp for                    bounds, guards and statements read has to be the same in all
        for (j ..) for (i ..) ... }    of them, as another thread may now run an iteration
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.openmp.constructs import Attached, is_shared_loop
from s2s.source import Span
from s2s.source.records import dataclass

_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL"})
_PRIVATE = ("private", "firstprivate", "lastprivate", "linear", "reduction")


@dataclass
class PerThread:
    """What threads have for themselves around one worksharing loop of a function."""

    function: Node
    facts: Facts
    attached: Attached
    loop: Node

    def check(self, private: set[Decl]) -> None:
        """Raise NotLiftable where threads may see different values.

        ``private`` are scalars that each iteration sets before it reads them.
        """
        governed = self.attached.before(self.loop.span.start)
        start = governed[0].span.start if governed else self.loop.span.start
        region = Span(start, self.loop.span.end)
        for node in self.loop.walk():
            decl = node.decl
            if node.kind != "DECL_REF_EXPR" or decl is None or decl.kind not in _VARIABLES:
                continue
            if decl.thread_local:
                raise NotLiftable(node.span, f"each thread has its own '{decl.name}'")
            declared = decl.in_file and region.start <= decl.offset < region.end
            if declared or decl in private or not self.is_own(decl):
                continue
            if any(region.start <= place < region.end for place in self.facts.stores.get(decl, [])):
                raise NotLiftable(node.span, f"each thread has its own '{decl.name}'")
            if not (decl in self._asked or self._is_same(decl)):
                raise NotLiftable(node.span, f"'{decl.name}' may differ between threads")

    @property
    def waits(self) -> bool:
        """Whether all threads have waited for each other right before the loop."""
        around = self._ancestors()
        for outer, inner in zip(around[-2::-1], around[:0:-1], strict=False):
            if outer.kind != "COMPOUND_STMT":
                return False
            before = [
                c for c in outer.children
                if c.span.end <= inner.span.start and not _only_declares(c)
            ]  # fmt: skip
            start = before[-1].span.end if before else outer.span.start
            between = self.attached.standalone_between(start, inner.span.start)
            if any(d.name == "barrier" for d in between):
                return True
            if before:
                return self._ends_together(before[-1])
            governed = self.attached.before(outer.span.start)
            return bool(governed) and governed[-1].name == "parallel"
        return False

    def _ends_together(self, statement: Node) -> bool:
        governed = self.attached.before(statement.span.start)
        if not governed or governed[0].name not in ("for", "for simd", "sections", "single"):
            return False
        return governed[0].clause("nowait") is None

    @property
    def _asked(self) -> frozenset[Decl]:
        """Variables of shared loops' headers, which have to be the same in all threads."""
        loops = [
            n for n in self.loop.walk()
            if n.kind == "FOR_STMT" and is_shared_loop(self.attached.before(n.span.start))
        ]  # fmt: skip
        header = [n for loop in loops for c in loop.children[:3] for n in c.walk()]
        return frozenset(
            n.decl for n in header
            if n.decl is not None and n.decl.type.kind == "int"
            and not self.facts.stores.get(n.decl) and n.decl not in self.facts.escaped
        )  # fmt: skip

    def is_own(self, decl: Decl) -> bool:
        """Whether each thread has a variable for itself."""
        if decl.is_global or decl.is_static:
            return False
        for node in reversed(self._ancestors()):
            found = [d for d in self.attached.before(node.span.start) if "parallel" in d.name]
            if found:
                inside = decl.in_file and node.span.start <= decl.offset < node.span.end
                return inside or any(decl.name in d.listed(*_PRIVATE) for d in found)
        return True

    def _is_same(self, decl: Decl) -> bool:
        """Whether threads that are at one place have one value of a local: it is only ever set to
        what is made of globals, numbers and such locals.
        """
        seen, left = {decl}, [decl]
        while left:
            made = self._made_of(left.pop())
            if made is None:
                return False
            left += made - seen
            seen |= made
        return True

    def _made_of(self, decl: Decl) -> set[Decl] | None:
        """The locals that a local is made of; None where it may be made of anything else."""
        sources = self.facts.sources.get(decl)
        plain = decl.kind == "VAR_DECL" and decl.type.scalar and decl not in self.facts.escaped
        if not plain or not sources:
            return None
        found: set[Decl] = set()
        for node in (n for value in sources for n in value.walk()):
            if node.kind == "CALL_EXPR" or (node.decl is not None and node.decl.thread_local):
                return None
            if node.decl is not None and node.decl.kind in _VARIABLES and self.is_own(node.decl):
                found.add(node.decl)
        return found

    def _ancestors(self) -> list[Node]:
        """The statements around the loop, outermost first, and the loop itself."""
        return list(_path(self.function, self.loop))


def _only_declares(node: Node) -> bool:
    return node.kind == "DECL_STMT" and "CALL_EXPR" not in node.kinds


def _path(node: Node, target: Node) -> Iterator[Node]:
    while node is not target:
        yield node
        node = next(
            c for c in node.children
            if c is target or (c.span.start <= target.span.start and target.span.end <= c.span.end)
        )  # fmt: skip
    yield target
