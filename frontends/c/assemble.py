"""From a raw tree to a SCoP: names, isl sets and maps, aliases, run-time assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

import islpy as isl

from s2s.frontends.c.arrays import Aliases, Memory, group
from s2s.frontends.c.assumptions import Assumptions, parameter_context
from s2s.frontends.c.carried import Lifetime, describe, keep_apart
from s2s.frontends.c.flat import split_flat_subscripts
from s2s.frontends.c.idle import drop_idle, only_reads
from s2s.frontends.c.isl_texts import read_parameters
from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.order import possible_order
from s2s.frontends.c.private import Privacy
from s2s.frontends.c.raw import Raw, RawLeaf, constructs, leaves, loops
from s2s.frontends.c.region_memory import RegionMemory
from s2s.frontends.c.region_statements import RegionStatements
from s2s.frontends.c.scalars import merge_declarations, merge_private, private_scalars
from s2s.frontends.c.separate import declaration, keep_separate
from s2s.frontends.c.sunk import Sinker
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.tags import distinct_tags, tag_base
from s2s.frontends.c.team_regions import PerThread
from s2s.frontends.c.text import has_whole_conditionals
from s2s.frontends.c.timeline import Timeline
from s2s.frontends.c.touch import WORLD, Touch
from s2s.scop.nodes import Around, Array, Scop
from s2s.scop.texts import Carried
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.typed.leaves import TypedLeaves


@dataclass
class Assembler:
    """Builds the SCoP of one lifted region. Raises NotLiftable.

    With ``apart``, statements that share a private scalar are not merged (see ``carried``); with
    ``separate`` no statements are, and all scalars are memory (see ``separate``).
    """

    lifter: Lifter
    raw: Raw
    function: Node
    strict_aliasing: bool = True
    apart: bool = False
    separate: bool = False
    texts: bool = True
    """Whether statements are to be moved as text, or are read as typed stores alone."""
    rows: bool = False
    """Whether typed stores may be to rows that pointers in memory lead to."""
    in_rows: bool = True
    """Whether inner subscripts have to stay in their rows."""
    hoisted: frozenset[Decl] = frozenset()
    """Scalars whose declarations became assignments."""
    lifetimes: dict[str, Lifetime] = field(default_factory=dict)
    timeline: Timeline = field(default_factory=Timeline)
    team: Around | None = None
    outlined: bool = False
    """See ``Scop.outlined``."""
    unmerged: bool = False
    """Whether the region is the same with and without ``separate``: it sets no variables."""

    def run(self) -> Scop:
        self._tidy()
        self._merge()
        self._check_text()
        self._check_private()
        self.private = self._private_scalars()
        if self.lifter.in_team:
            self._check_team()
        self.aliases = Aliases(self.lifter.facts, self.strict_aliasing)
        self._group()
        self.memory = RegionMemory(
            self.lifter, self.raw, self.function, self.aliases, self.memories, self.hoisted
        )
        self._check_parameters()
        self.space = "[" + ", ".join(self.lifter.affine.parameters) + "] -> "
        tree = self.timeline.tree(self.raw, [])
        parameters = self.lifter.affine.settled_parameters()
        self.context = parameter_context(parameters.values(), self.space)
        nodes, assigned = self.lifter.affine.parameter_nodes, self.lifter.facts.assigned
        moving = {
            name for name, node in nodes.items() if node.decl is not None and node.decl in assigned
        }
        for memory in self.memories.values():
            products = self.lifter.affine.equal_products
            split_flat_subscripts(memory, parameters, self.context, products, moving)
        self.assumptions = Assumptions(
            self.lifter.affine.requirements,
            self.raw.span,
            self.function,
            self.space,
            self.context,
            self.lifter.affine.products,
        ).run(self._bounded(), self._runs())
        self.assumptions = self.assumptions.intersect(self._readable())
        if not self.timeline.statements:
            raise NotLiftable(self.raw.span, "the region has no statements")
        making = self._making()
        statements = tuple(making.statement(*item) for item in self.timeline.statements)
        idle = {name for leaf, name, _ in self.timeline.statements if self._is_idle(leaf)}
        statements, tree = drop_idle(statements, tree, idle)
        if not statements:
            raise NotLiftable(self.raw.span, "the statements have no effect")
        distinct = distinct_tags(self.raw)
        return Scop(
            span=self.raw.span,
            parameters=tuple(parameters.values()),
            context=self.context,
            assumptions=self.assumptions,
            arrays={
                **{m.name: self._array(m) for m in self.memories.values()},
                **{n: _carried_array(n, item) for n, item in self.lifetimes.items()},
            },
            statements=statements,
            tree=tree,
            may_alias=self._alias_pairs(),
            steady=frozenset(self.memory.steady),
            points={
                name: making.pseudo(name, *item) for name, item in self.timeline.points.items()
            },
            starts={n: making.pseudo(f"C{n}", *item) for n, item in self.timeline.starts.items()},
            distinct_tags=distinct,
            tags={base: tag_base(self.raw, base, self.space) for pair in distinct for base in pair},
            guards=making.guards(),
            order=possible_order(self.raw, statements, self.space),
            divisible=tuple((length.isl(), size.isl()) for length, size in self.lifter.divisible),
            preamble=(*self.lifter.hoisted.lines, *sorted(declaration(d) for d in self.hoisted)),
            carried=self._carried(),
            team=self.team,
            outlined=self.outlined,
        )

    # -- scalars ----------------------------------------------------------------------------

    def _dead(self, decl: Decl) -> bool:
        if decl in self.lifter.facts.escaped:
            return False
        return dead_after(self.function, self.lifter.region, decl)

    def _tidy(self) -> None:
        """Leave out what declares or sets what nothing needs, and copies of pointers."""
        self.raw = self.lifter.tidied(self.raw)

    def _is_idle(self, leaf: RawLeaf) -> bool:
        return only_reads(leaf)

    def _check_team(self) -> None:
        """A team that is formed elsewhere sees one value of all that the region reads."""
        if self.separate:
            raise NotLiftable(self.raw.span, "threads have locals of their own")
        (loop,) = self.lifter.region
        threads = PerThread(self.function, self.lifter.facts, self.lifter.attached, loop)
        threads.check(self.private | {found.decl for found in loops(self.raw)})
        self.team = Around.WAITS if threads.waits else Around.RUNS

    def _private_scalars(self) -> set[Decl]:
        return private_scalars(self.raw, self._dead)

    def _merge(self) -> None:
        parts = [] if constructs(self.raw) or self.lifter.in_team else list(leaves(self.raw))
        self.unmerged = bool(parts) and not any(leaf.declares or leaf.written for leaf in parts)
        if self.separate:
            self.raw, self.hoisted = keep_separate(self.raw, self.lifter, texts=self.texts)
            return
        if self.apart:
            self.raw, found = keep_apart(self.raw, self.lifter, self._dead)
            names = self.lifter.affine.fresh_name
            self.lifetimes = {names(item.decl.name): item for item in found}
            return
        if self.lifter.in_team or constructs(self.raw):
            self.raw = Sinker(self.lifter, self._dead).sink(self.raw)
        self.raw = merge_declarations(self.raw)
        self.raw = merge_private(self.raw, self._dead)

    def _carried(self) -> dict[str, Carried]:
        found = {}
        for array, lifetime in self.lifetimes.items():
            users = lifetime.decl
            members = [
                (leaf, name) for leaf, name, _ in self.timeline.statements
                if lifetime.holds(leaf) and users in leaf.references | leaf.declares
            ]  # fmt: skip
            found[array] = describe(lifetime, array, members, self.raw, self.lifter)
        return found

    def _check_text(self) -> None:
        """Statements move with their text: it has no part of some conditional compilation."""
        data = self.lifter.buffer.data
        for leaf in leaves(self.raw) if self.texts else ():
            if not has_whole_conditionals(data[leaf.span.start : leaf.span.end]):
                raise NotLiftable(leaf.span, "conditional compilation overlaps a statement")

    def _check_private(self) -> None:
        """Loop variables and variables of clauses that the new code cannot keep."""
        carried = {lifetime.decl for lifetime in self.lifetimes.values()}
        privacy = Privacy(self.lifter, self.raw, self._dead, carried)
        privacy.check_loop_variables()
        privacy.check_clauses()

    # -- arrays -----------------------------------------------------------------------------

    def _touches(self) -> list[Touch]:
        return [
            t for leaf in leaves(self.raw) for t in leaf.touches
            if not self._is_internal(t, leaf)
        ]  # fmt: skip

    def _is_internal(self, touch: Touch, leaf: RawLeaf) -> bool:
        """Touches of what lives and dies inside one execution of a leaf."""
        root = touch.root
        if root is None or "*" in touch.key:
            return False
        if self.lifetimes and any(root is item.decl for item in self.lifetimes.values()):
            return True
        if root in leaf.declares:
            return root not in self.hoisted
        if touch.is_scalar and root in self.private:
            return True
        # An iterator of a loop around, read as a plain value: not memory.
        return touch.is_scalar and any(root is d for d in leaf.context.decls)

    def _group(self) -> None:
        touches = self._touches()
        written = {t.root for t in touches if t.write and t.is_scalar}
        # Scalars that nobody in the region may write order nothing.
        self.constant = {
            t.root for t in touches
            if t.is_scalar and t.root is not None and t.root.is_local
            and t.root not in written and t.root not in self.lifter.facts.escaped
        }  # fmt: skip
        touches = [t for t in touches if not (t.is_scalar and t.root in self.constant)]
        stores_pointers = any(
            t.write and (t.key == WORLD or (t.type.kind == "pointer" and "*" in t.key))
            for t in touches
        )

        def changed(decl: Decl) -> bool:
            if decl in self.lifter.assigned and self._moves(decl, touches):
                return True
            return stores_pointers and (decl.is_global or decl in self.lifter.facts.escaped)

        parameters = frozenset(self.lifter.affine.parameters)
        names = self.lifter.affine.fresh_name
        self.memories = group(touches, changed, parameters, names)

    def _bounded(self) -> list[Memory]:
        """The arrays whose subscripts stay below sizes."""
        return list(self.memories.values()) if self.in_rows else []

    def _moves(self, pointer: Decl, touches: Sequence[Touch]) -> bool:
        """Whether a pointer that the region sets may lead to several places meanwhile."""
        return True

    def _check_parameters(self) -> None:
        """Raise NotLiftable where what is written may be a parameter; Changing for elements."""
        self.memory.check_parameters()

    def _readable(self) -> isl.Set:
        """Where the source reads all that is read in front of the new code."""
        found = isl.Set(f"{self.space}{{ : }}")
        for parameter in self.lifter.affine.parameters.values():
            if parameter.readable:
                found = found.intersect(isl.Set(f"{self.space}{{ : {parameter.readable} }}"))
        return found

    def _alias_pairs(self) -> frozenset[frozenset[str]]:
        return self.memory.alias_pairs()

    def _array(self, memory: Memory) -> Array:
        return self.memory.array(memory)

    # -- isl --------------------------------------------------------------------------------

    def _runs(self) -> isl.Set:
        """Parameters for which the region executes a statement."""
        found = isl.Set(f"{self.space}{{ : false }}")
        for leaf, _, _ in self.timeline.statements:
            names = ", ".join(v.name for v in leaf.context.iterators)
            domain = f"{self.space}{{ [{names}] : {leaf.context.formula} }}"
            found = found.union(read_parameters(domain))
        return found.coalesce()

    def _making(self) -> RegionStatements:
        return RegionStatements(
            self.lifter, self.space, self.timeline.statements, self.timeline.length, self.memories,
            self.private, self.constant, self.hoisted, self.lifetimes, self.texts,
            self._is_internal, lambda leaf, domain: self.typed_leaves.store(leaf, domain),
        )  # fmt: skip

    @cached_property
    def typed_leaves(self) -> TypedLeaves:
        """Reads statements as typed stores, once the region has been assembled."""
        from s2s.frontends.c.typed.leaves import TypedLeaves

        return TypedLeaves(self.lifter, self.memories.values(), texts=self.texts, rows=self.rows)


def _carried_array(name: str, lifetime: Lifetime) -> Array:
    rank = len(lifetime.context.iterators)
    return Array(
        name, lifetime.decl.name, rank, sizes=(None,) * rank, element_size=lifetime.decl.type.size
    )
