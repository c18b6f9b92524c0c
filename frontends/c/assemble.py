"""From a raw tree to a SCoP: names, isl sets and maps, aliases, run-time assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import islpy as isl

from s2s.frontends.c.affine import Context
from s2s.frontends.c.arrays import Aliases, Memory, as_memory, group
from s2s.frontends.c.assignments import assignment_of, names, places, value_type
from s2s.frontends.c.assumptions import Assumptions, parameter_context
from s2s.frontends.c.carried import Lifetime, describe, keep_apart
from s2s.frontends.c.confined import is_confined
from s2s.frontends.c.copies import rename
from s2s.frontends.c.fixed_places import is_constant, places_in, pointers_to, spelled
from s2s.frontends.c.flat import split_flat_subscripts
from s2s.frontends.c.idle import drop_idle, only_reads
from s2s.frontends.c.isl_texts import read_map, read_parameters, read_relation, read_set
from s2s.frontends.c.lift import Checks, Lifter
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.not_liftable import Changing, NotLiftable
from s2s.frontends.c.order import possible_order
from s2s.frontends.c.private import UNREPEATABLE, Privacy
from s2s.frontends.c.raw import (
    Raw,
    RawLeaf,
    constructs,
    leaves,
    loops,
)
from s2s.frontends.c.scalars import merge_declarations, merge_private, private_scalars
from s2s.frontends.c.separate import assignments, declaration, keep_separate
from s2s.frontends.c.sunk import Sinker
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.tags import distinct_tags, tag_base
from s2s.frontends.c.team_regions import PerThread
from s2s.frontends.c.text import has_whole_conditionals
from s2s.frontends.c.timeline import Timeline
from s2s.frontends.c.touches import SPELLINGS, WORLD, Touch
from s2s.scop.nodes import Access, Around, Array, Scop, Statement
from s2s.scop.polynomial import Polynomial
from s2s.scop.texts import Carried, Choice
from s2s.source import Edit, Span

if TYPE_CHECKING:
    from s2s.frontends.c.typed.leaves import TypedLeaves
    from s2s.scop.nest import Store

_CONTROL = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT", "IF_STMT", "CALL_EXPR"})


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
    steady: set[tuple[str, str]] = field(default_factory=set)
    """See ``Scop.steady``."""

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
        self._check_parameters()
        self.space = "[" + ", ".join(self.lifter.affine.parameters) + "] -> "
        tree = self.timeline.tree(self.raw, [])
        parameters = self.lifter.affine.settled_parameters()
        self.context = parameter_context(parameters.values(), self.space)
        for memory in self.memories.values():
            split_flat_subscripts(memory, self.space, self.context)
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
        self.length = self.timeline.length
        statements = tuple(self._statement(*item) for item in self.timeline.statements)
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
            steady=frozenset(self.steady),
            points={name: self._pseudo(name, *item) for name, item in self.timeline.points.items()},
            starts={n: self._pseudo(f"C{n}", *item) for n, item in self.timeline.starts.items()},
            distinct_tags=distinct,
            tags={base: tag_base(self.raw, base, self.space) for pair in distinct for base in pair},
            guards=self._guards(),
            order=possible_order(self.raw, statements, self.space),
            divisible=tuple((length.isl(), size.isl()) for length, size in self.lifter.divisible),
            preamble=(*self.lifter.hoisted.lines, *sorted(declaration(d) for d in self.hoisted)),
            carried=self._carried(),
            team=self.team,
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

    def _carrier(self, root: Decl | None, leaf: RawLeaf) -> str | None:
        """The array that a scalar of which a leaf sees one lifetime is."""
        for name, lifetime in self.lifetimes.items():
            if lifetime.decl is root and lifetime.holds(leaf):
                return name
        return None

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
        written = [m for m in self.memories.values() if any(t.write for t in m.touches)]
        changing: dict[tuple[Decl, str], tuple[Span, str]] = {}
        for name, node in self.lifter.affine.parameter_nodes.items():
            found = places_in(node)
            if found is None:
                raise NotLiftable(node.span, f"'{name}' is not understood")
            for path in found:
                assert path.root is not None
                others = list(self._may_store(path, name, written))
                if others and not self._keep_apart(path, others):
                    _, other = others[0]
                    spelling = self.lifter.affine.parameters[name].spelling
                    why = f"'{spelling}' may change while the loops run: {_where_written(other)}"
                    if not _has_index(path):
                        raise NotLiftable(node.span, why)
                    changing.setdefault((path.root, path.key), (node.span, why))
        if changing:
            raise Changing(*next(iter(changing.values())), frozenset(changing))

    def _may_store(
        self, path: Path, name: str, written: Sequence[Memory]
    ) -> Iterator[tuple[Path, Memory]]:
        """What is written that may be a place or a pointer on the way to it, and which of them."""
        if is_constant(path):
            return
        places = [p for p in (path, *pointers_to(path.node)) if p.root is not None]
        for other in written:
            for place in places:
                if self.aliases.may_alias(as_memory(place, name), other):
                    yield place, other

    def _keep_apart(self, path: Path, others: Sequence[tuple[Path, Memory]]) -> bool:
        """Whether the guard can check that nothing is written where a value is read from early."""
        if self.lifter.checks < (Checks.ELEMENTS if _has_index(path) else Checks.MEMBERS):
            return False
        found = {(_address_of(place), other.name) for place, other in others}
        if any(not place for place, _ in found):
            return False
        if any(self._base(m) is None and self._member_of(m) is None for _, m in others):
            return False
        self.steady |= found
        return True

    def _readable(self) -> isl.Set:
        """Where the source reads all that is read in front of the new code."""
        found = isl.Set(f"{self.space}{{ : }}")
        for parameter in self.lifter.affine.parameters.values():
            if parameter.readable:
                found = found.intersect(isl.Set(f"{self.space}{{ : {parameter.readable} }}"))
        return found

    def _alias_pairs(self) -> frozenset[frozenset[str]]:
        memories = list(self.memories.values())
        return frozenset(
            frozenset((a.name, b.name))
            for i, a in enumerate(memories)
            for b in memories[i + 1 :]
            if self.aliases.may_alias(a, b)
        )

    def _array(self, memory: Memory) -> Array:
        root = memory.root
        return Array(
            name=memory.name,
            spelling=_spelling(memory),
            rank=memory.rank,
            row_rank=memory.row_rank if memory.exact else 0,
            sizes=tuple(memory.inner_sizes()) if memory.exact else (),
            element_size=memory.type.size,
            external=root is None,
            base=self._base(memory),
            member=self._member(memory),
            flat=tuple(self.lifter.affine.parameters[n].spelling for n in memory.shape),
            dead=not memory.rank and not memory.key and self._is_dead_behind(root),
            confined=bool(memory.rank) and self._is_confined(root),
        )

    def _is_confined(self, root: Decl | None) -> bool:
        """Whether only a region of several statements names elements of an array."""
        if root is None or len(self.lifter.region) < 2:
            return False
        return is_confined(root, self.raw.span, self.lifter.facts, self.lifter.buffer)

    def _is_dead_behind(self, root: Decl | None) -> bool:
        """Whether nothing after the region reads a scalar before it is set again.

        The region itself, in the next iteration of a loop around it, counts as what is behind.
        """
        if root is None or not root.type.scalar or root in self.lifter.facts.escaped:
            return False
        if root in self.hoisted:  # declared in the region: nothing after it has the name
            return True
        return dead_after(self.function, self.lifter.region, root, exposed=True)

    def _base(self, memory: Memory) -> str | None:
        """The C text from which the first subscript counts, where addresses can be compared."""
        root = memory.root
        if root is None or not memory.exact or not memory.stable:
            return None
        if not memory.rank:
            return f"&{root.name}" if root.type.scalar and not memory.key else None
        if any(memory.subscripts(touch) is None for touch in memory.touches):
            return None
        followed = memory.key.count("*")
        direct = root.type.kind == "pointer" and followed == 1 and memory.key.startswith("*")
        plain = root.type.kind == "array" and not followed and not memory.key
        through = memory.touches[0].via or root
        if through in self.lifter.assigned and through not in self.lifter.hoisted.names:
            return None
        name = self.lifter.hoisted.names.get(through, through.name)
        return name if direct or plain else None

    def _member(self, memory: Memory) -> tuple[str, int] | None:
        """The member of which an array's subscripts are, if nothing moves it in the region."""
        member = self._member_of(memory)
        if member is None:
            return None
        node, place = member
        ways = list(pointers_to(node))
        path = resolve(node)
        if node.type.kind == "pointer" and path is not None:
            ways.append(path)
        written = [m for m in self.memories.values() if any(t.write for t in m.touches)]
        for way in ways:
            if way.root is not None:
                mine = as_memory(way, memory.name)
                others = [(way, m) for m in written if self.aliases.may_alias(mine, m)]
                if others and not self._keep_apart(way, others):
                    return None
        return spelled(node), place

    def _member_of(self, memory: Memory) -> tuple[Node, int] | None:
        """The member of which an array's subscripts are, whether or not it is overwritten."""
        nodes = [touch.member for touch in memory.touches]
        first = nodes[0] if nodes else None
        if first is None or not (memory.exact and memory.stable and memory.rank):
            return None
        if memory.root in self.lifter.assigned or any(t.via for t in memory.touches):
            return None
        text, path = spelled(first), resolve(first)
        if path is None or any(n is None or spelled(n) != text for n in nodes):
            return None
        if len(path.steps) >= memory.rank:
            return None
        if any(memory.subscripts(touch) is None for touch in memory.touches):
            return None
        return first, len(path.steps)

    # -- isl --------------------------------------------------------------------------------

    def _runs(self) -> isl.Set:
        """Parameters for which the region executes a statement."""
        found = isl.Set(f"{self.space}{{ : false }}")
        for leaf, _, _ in self.timeline.statements:
            names = ", ".join(v.name for v in leaf.context.iterators)
            domain = f"{self.space}{{ [{names}] : {leaf.context.formula} }}"
            found = found.union(read_parameters(domain))
        return found.coalesce()

    def _statement(self, leaf: RawLeaf, name: str, time: list[str]) -> Statement:
        iterators = leaf.context.iterators
        tuple_ = f"{name}[{', '.join(v.name for v in iterators)}]"
        domain = f"{self.space}{{ {tuple_} : {leaf.context.formula} }}"
        accesses = []
        constants: list[tuple[Span, str]] = []
        for touch in leaf.touches:
            constant = touch.is_scalar and touch.root in self.constant
            carrier = self._carrier(touch.root, leaf) if touch.is_scalar else None
            if carrier is not None:
                accesses.append(self._carried_access(touch, leaf, carrier, tuple_, domain))
            elif constant:
                type_ = value_type(touch.type, in_record="." in touch.key)
                constants += [(span, type_) for span in places(touch, leaf) if type_]
            elif not self._is_internal(touch, leaf):
                access = self._access(touch, leaf, tuple_, domain)
                if not access.relation.is_empty():
                    accesses.append(access)
        edits = self._edits(leaf)
        return Statement(
            name, iterators, read_set(domain).coalesce(), self._schedule(tuple_, time),
            tuple(_merge_equal(accesses)), leaf.span, self._locals(leaf), bool(leaf.opaque),
            _names_in(leaf), edits, self._control(leaf),
            tuple(self._choices(leaf, tuple_)), assignment_of(leaf, self.lifter.buffer),
            _values_in(leaf), _declared_in(leaf) - {d.name for d in self.hoisted},
            tuple(constants), partial(self._typed, leaf, edits), around=self._around(leaf, tuple_),
        )  # fmt: skip

    def _around(self, leaf: RawLeaf, tuple_: str) -> isl.Set | None:
        """The instances of the loops around a leaf, where it is below conditions, too."""
        context = leaf.context
        if self.texts or context.ranges == context.formulas:
            return None
        return isl.Set(f"{self.space}{{ {tuple_} : {' and '.join(context.ranges) or 'true'} }}")

    def _typed(self, leaf: RawLeaf, edits: tuple[Edit, ...], statement: Statement) -> Store | None:
        """What a leaf stores, unless a transform has changed its text or its iterators."""
        if leaf.before or statement.edits != edits or statement.iterators != leaf.context.iterators:
            return None
        return self.typed_leaves.store(leaf, statement.domain)

    @cached_property
    def typed_leaves(self) -> TypedLeaves:
        """Reads statements as typed stores, once the region has been assembled."""
        from s2s.frontends.c.typed.leaves import TypedLeaves

        return TypedLeaves(self.lifter, self.memories.values(), texts=self.texts, rows=self.rows)

    def _guards(self) -> dict[str, frozenset[str]]:
        """Leaves that evaluate a condition, with the statements that it guards."""
        return {
            name: frozenset(
                other for inner, other, _ in self.timeline.statements
                if any(c is leaf.condition for c in inner.context.conditions)
                and inner.condition is None
            )
            for leaf, name, _ in self.timeline.statements
            if leaf.condition is not None
        }  # fmt: skip

    def _edits(self, leaf: RawLeaf) -> tuple[Edit, ...]:
        """A leaf's text below the conditions that it is guarded by."""
        edits = self._renamed(leaf)
        if leaf.before:
            start, end = leaf.span.start, leaf.span.end
            opening = f"{{ {'; '.join(leaf.before)}; ".encode("utf-8", "surrogateescape")
            edits = (Edit(start, start, opening), *edits, Edit(end, end, b" }"))
        if not leaf.context.conditions or leaf.condition is not None:
            return edits
        named = {n.decl for c in leaf.context.conditions for n in c.walk()}
        if named & set(self.lifter.hoisted.names) or leaf.span.start == leaf.span.end:
            raise NotLiftable(leaf.span, "condition is not affine")
        texts = [self.lifter.buffer.text(c.span) for c in leaf.context.conditions]
        tests = texts if len(texts) == 1 else [f"({t})" for t in texts]
        opening = f"if ({' && '.join(tests)}) {{ ".encode("utf-8", "surrogateescape")
        closing = b" }"
        start, end = leaf.span.start, leaf.span.end
        return (Edit(start, start, opening), *edits, Edit(end, end, closing))

    def _renamed(self, leaf: RawLeaf) -> tuple[Edit, ...]:
        """Copies of pointers, and scalars, that are declared in front."""
        try:
            return (*assignments(leaf, self.hoisted), *self._copies(leaf))
        except ValueError as problem:
            raise NotLiftable(leaf.span, str(problem)) from None

    def _copies(self, leaf: RawLeaf) -> tuple[Edit, ...]:
        """Copies of pointers that are declared in front have other names there."""
        names = self.lifter.hoisted.names
        return tuple(e for n in leaf.nodes for e in rename(n, names, self.lifter.buffer))

    def _carried_access(
        self, touch: Touch, leaf: RawLeaf, name: str, tuple_: str, domain: str
    ) -> Access:
        """The scalar of one iteration of the loops around its lifetime."""
        subscripts = ", ".join(v.name for v in self.lifetimes[name].context.iterators)
        relation = read_relation(f"{self.space}{{ {tuple_} -> {name}[{subscripts}] }}", domain)
        exact = touch.context.certain and touch.context.formulas == leaf.context.formulas
        return Access(name, relation, touch.write, exact, touch.span)

    def _control(self, leaf: RawLeaf) -> tuple[Span, ...]:
        """Where a leaf's text branches, loops or calls."""
        found = {
            n.span for root in leaf.nodes if not _CONTROL.isdisjoint(root.kinds)
            for n in root.walk() if n.kind in _CONTROL
        }  # fmt: skip
        found |= {c.span for c in leaf.context.conditions}
        around = [c.span for c in self.lifter.choices if c.statement or c.reads]
        around += self.lifter.loop_spans
        found |= {span for span in around if span in leaf.span}
        return tuple(sorted(found))

    def _choices(self, leaf: RawLeaf, tuple_: str) -> Iterable[Choice]:
        """Conditions inside a leaf that depend on its own iterators alone."""
        if leaf.context.conditions:
            return  # its text is put below other conditions
        inside = {
            c.span: c for c in self.lifter.choices
            if c.span in leaf.span and c.context.iterators == leaf.context.iterators
        }  # fmt: skip
        for choice in sorted(inside.values(), key=lambda c: (c.span.start, -c.span.end)):
            try:
                condition = read_set(f"{self.space}{{ {tuple_} : {choice.formula} }}")
            except isl.Error:  # it names the number of a block, which is no iterator here
                continue
            else:
                yield Choice(
                    choice.span, condition, choice.then, choice.otherwise, choice.statement,
                    choice.blocks, choice.type,
                )  # fmt: skip

    def _schedule(self, tuple_: str, time: list[str]) -> isl.Map:
        padded = [*time, *["0"] * (self.length - len(time))]
        return read_map(f"{self.space}{{ {tuple_} -> [{', '.join(padded)}] }}")

    def _pseudo(self, name: str, context: Context, time: list[str], span: Span) -> Statement:
        """A waiting point or the beginning of a construct, in the form of a statement."""
        tuple_ = f"{name}[{', '.join(v.name for v in context.iterators)}]"
        domain = isl.Set(f"{self.space}{{ {tuple_} : {context.formula} }}")
        return Statement(name, context.iterators, domain, self._schedule(tuple_, time), (), span)

    def _locals(self, leaf: RawLeaf) -> tuple[tuple[str, str], ...]:
        around = set(leaf.context.decls)
        apart = {item.decl for item in self.lifetimes.values()}
        used = {
            t.root for t in leaf.touches
            if t.is_scalar and (t.root in self.private or t.root in apart)
            and self._carrier(t.root, leaf) is None
        }  # fmt: skip
        found = {d for d in used if d is not None and d not in leaf.declares and d not in around}
        for decl in sorted(found, key=lambda d: d.offset):
            if UNREPEATABLE.search(decl.type.spelling):
                raise NotLiftable(leaf.span, f"the type of '{decl.name}' cannot be repeated")
        return tuple(sorted((d.type.spelling, d.name) for d in found))

    def _access(self, touch: Touch, leaf: RawLeaf, tuple_: str, domain: str) -> Access:
        memory = self.memories[touch.root, touch.key]
        values = memory.subscripts(touch)
        hull = ", ".join(map(_free, range(memory.rank)))
        extra = [v.name for v in touch.context.iterators[len(leaf.context.iterators) :]]
        same = touch.context.formulas == leaf.context.formulas
        formula = "true" if same else touch.context.formula
        target = hull if extra or values is None else ", ".join(v.isl() for v in values)
        if extra:
            equal = _equal(values) if values is not None else ""
            formula = f"exists ({', '.join(extra)} : {formula} {equal})"
        relation = f"{self.space}{{ {tuple_} -> {memory.name}[{target}] : {formula} }}"
        exact = values is not None and touch.context.certain
        type_ = value_type(touch.type, in_record="." in touch.key)
        return Access(
            memory.name, read_relation(relation, domain), touch.write, exact, touch.span,
            touch.commutes, type_,
            places(touch, leaf), names=self._names(touch, leaf),
            floating=touch.type.kind == "float",
        )  # fmt: skip

    def _names(self, touch: Touch, leaf: RawLeaf) -> tuple[Span, ...]:
        """Where the text of a touch names its array by the name that the new code has for it."""
        through = touch.via or touch.root
        if through is None or through in self.lifter.hoisted.names or leaf.pragmas:
            return ()
        return names(touch, through.name, self.lifter.buffer)


def _carried_array(name: str, lifetime: Lifetime) -> Array:
    rank = len(lifetime.context.iterators)
    return Array(
        name, lifetime.decl.name, rank, sizes=(None,) * rank, element_size=lifetime.decl.type.size
    )


def _where_written(memory: Memory) -> str:
    if memory.root is None:
        return "a call may set it"
    return f"what is written to '{_spelling(memory)}' may be the same memory"


def _has_index(path: Path) -> bool:
    return any(step.index is not None for step in path.steps)


def _address_of(path: Path) -> str:
    """The text of a place whose address can be taken; empty for others."""
    node = path.node
    if node.kind == "MEMBER_REF_EXPR":
        member = node.decl.cursor if node.decl is not None else None
        if member is None or member.is_bitfield():
            return ""
    return "" if node.type.volatile else spelled(node)


def _spelling(memory: Memory) -> str:
    """How messages name an array: its variable and fields."""
    if memory.root is None:
        return SPELLINGS.get(memory.key, "memory")
    return memory.root.name + memory.key.replace("*", "")


def _names_in(leaf: RawLeaf) -> frozenset[str]:
    """Variables that a leaf's text and its conditions refer to."""
    found = {n.decl for c in leaf.context.conditions for n in c.walk() if n.decl is not None}
    return frozenset(d.name for d in leaf.references | found)


def _declared_in(leaf: RawLeaf) -> frozenset[str]:
    """Names declared by a leaf's text outside of blocks of its own."""
    found = (child for n in leaf.nodes if n.kind == "DECL_STMT" for child in n.children)
    return frozenset(child.name for child in found if child.name)


def _values_in(leaf: RawLeaf) -> frozenset[str]:
    """Iterators that a leaf's text refers to outside of subscripts."""
    found: set[str] = set()
    left = list(leaf.nodes)
    while left:
        node = left.pop()
        if node.decl is not None and node.decl in leaf.context.decls:
            found.add(node.decl.name)
        subscript = node.kind == "ARRAY_SUBSCRIPT_EXPR"
        left += node.children[:1] if subscript else node.children
    return frozenset(found)


def _free(place: int) -> str:
    """Isl's name of a subscript that may be any: none that a variable of C can have."""
    return f"o{place}'"


def _equal(values: Sequence[Polynomial]) -> str:
    return "".join(f" and {_free(i)} = {v.isl()}" for i, v in enumerate(values))


def _merge_equal(accesses: list[Access]) -> list[Access]:
    """Accesses without those that say the same as an earlier one, which notes their places."""
    kept: list[Access] = []
    for access in accesses:
        for index, other in enumerate(kept):
            same = (access.array, access.write, access.commutes) == (
                other.array, other.write, other.commutes)  # fmt: skip
            if same and access.relation.is_equal(other.relation):
                both = access.places and other.places
                kept[index] = replace(
                    other, exact=access.exact or other.exact,
                    also=(*other.also, access.span),
                    places=(*other.places, *access.places) if both else (),
                    names=(*other.names, *access.names) if other.names and access.names else (),
                )  # fmt: skip
                break
        else:
            kept.append(access)
    return kept
