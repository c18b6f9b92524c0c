"""Private variables that the new code could not keep as they are: they end the region."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set

from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import (
    Raw,
    RawBranch,
    RawConstruct,
    RawLeaf,
    RawLoop,
    RawSequence,
    constructs,
    leaves,
    loops,
)
from s2s.frontends.c.syntax import Decl
from s2s.source.records import dataclass

# Types whose name does not simply go before a variable, or that have none.
UNREPEATABLE = re.compile(r"\(\s*[*&^]|\[|\((unnamed|anonymous|lambda)")


@dataclass(frozen=True)
class Privacy:
    """What the loops and data-sharing clauses of a region make private. Raises NotLiftable.

    ``dead`` says whether nobody reads a variable after the region; ``carried`` are scalars of
    which each statement sees one lifetime.
    """

    lifter: Lifter
    raw: Raw
    dead: Callable[[Decl], bool]
    carried: Set[Decl]

    def check_loop_variables(self) -> None:
        """A loop variable of outside is neither read after its loop nor by other statements."""
        for loop in loops(self.raw):
            if UNREPEATABLE.search(loop.variable.type):
                text = f"the type of '{loop.decl.name}' cannot be repeated"
                raise NotLiftable(loop.header, text)
            if loop.variable.declared:
                continue
            for leaf in leaves(self.raw):
                if loop.decl in leaf.exposed and loop.decl not in leaf.context.decls:
                    raise NotLiftable(leaf.span, f"'{loop.decl.name}' is read outside of its loop")
            if not self.dead(loop.decl) and not self._listed_private(loop.decl):
                raise NotLiftable(
                    loop.header, f"the value of '{loop.decl.name}' is used after the loop"
                )

    def _listed_private(self, decl: Decl) -> bool:
        """Whether every loop over a variable is below a construct that makes it private."""

        def covered(tree: Raw, private: bool) -> bool:
            if isinstance(tree, RawConstruct):
                return covered(tree.body, private or decl.name in tree.private)
            if isinstance(tree, RawLoop):
                return (tree.decl is not decl or private) and covered(tree.body, private)
            if isinstance(tree, RawSequence):
                return all(covered(c, private) for c in tree.children)
            if isinstance(tree, RawBranch):
                return covered(tree.then, private) and (
                    tree.otherwise is None or covered(tree.otherwise, private)
                )
            return True

        return covered(self.raw, False)

    def check_clauses(self) -> None:
        """Data-sharing clauses whose variables the analyses cannot follow end the region."""
        for construct in constructs(self.raw):
            directive = construct.directive
            inside = list(leaves(construct.body))
            written = {d.name for leaf in inside for d in leaf.written}
            exposed = {d.name for leaf in inside for d in leaf.exposed - self.carried}
            iterators = {loop.decl.name for loop in loops(construct.body)}
            for name in directive.listed("firstprivate"):
                if name in written - iterators and name in exposed:
                    raise NotLiftable(directive.span, f"firstprivate '{name}' is written")
            for name in directive.listed("private", "lastprivate", "linear"):
                if name in exposed - iterators:
                    raise NotLiftable(
                        directive.span, f"private '{name}' carries a value between statements"
                    )
            self._check_last(construct, inside)
            self._check_aggregates(construct, inside)
        self._check_simd()

    def _check_last(self, construct: RawConstruct, inside: list[RawLeaf]) -> None:
        """The value of the last iteration is not carried out of the new loops."""
        last = construct.directive.listed("lastprivate", "linear")
        set_here = {d for leaf in inside for d in leaf.written}
        for decl in _in_order(set_here | {loop.decl for loop in loops(construct.body)}):
            if decl.name in last and not self.dead(decl):
                raise NotLiftable(construct.directive.span, f"'{decl.name}' is used after the loop")

    def _check_aggregates(self, construct: RawConstruct, inside: list[RawLeaf]) -> None:
        """Arrays and records of which each thread has a copy would be shared by the new code."""
        names = construct.directive.listed("private", "firstprivate", "lastprivate")
        declared = {d for leaf in inside for d in leaf.declares}
        roots = {t.root for leaf in inside for t in leaf.touches if t.root is not None}
        for root in _in_order(roots - declared):
            if root.name in names and not root.type.scalar:
                raise NotLiftable(
                    construct.directive.span, f"'{root.name}' is private and not a scalar"
                )

    def _check_simd(self) -> None:
        """A simd construct is dropped, and with it the copies that its clauses make."""
        for directive in self.lifter.attached.within(self.raw.span):
            names = directive.listed("private") if directive.name == "simd" else ()
            for decl in _in_order({d for leaf in leaves(self.raw) for d in leaf.written}):
                if decl.name in names and not self.dead(decl):
                    raise NotLiftable(directive.span, f"'{decl.name}' is used after the loop")


def _in_order(decls: Iterable[Decl]) -> list[Decl]:
    """As they are declared, so that the same one is named each time."""
    return sorted(decls, key=lambda decl: decl.offset)
