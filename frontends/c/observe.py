"""Regions for a look at their races only: code that nothing will ever be rewritten from.

What stands in the way of new code does not matter here: constructs that belong to a team of
elsewhere, what every thread executes, variables that statements share. Nothing is made private that
OpenMP does not make private, so that a missing clause shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, fields, replace

from s2s.frontends.c.arrays import Memory
from s2s.frontends.c.assemble import Assembler
from s2s.frontends.c.certain import CertainAccesses
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.fixed_places import places_in
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.not_liftable import Changing, NotLiftable
from s2s.frontends.c.passed import FOOTPRINT, ObservingCollector
from s2s.frontends.c.raw import (
    Raw,
    RawBranch,
    RawConstruct,
    RawLeaf,
    RawLoop,
    RawSequence,
    leaves,
    loops,
)
from s2s.frontends.c.sharing import Sharing
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.threads import SharedHeader, Split, is_number, shared_header, split
from s2s.frontends.c.touch import Touch
from s2s.frontends.c.touches import Collector
from s2s.frontends.openmp.directives import Clause, Directive
from s2s.scop.nodes import TASKS, Array, Kind
from s2s.source.records import dataclass

SPLIT = "split by thread numbers"
"""The name of the directive that stands for a loop which threads share out themselves."""

_SHARING = frozenset({Kind.LOOP, Kind.SECTIONS, Kind.SINGLE, Kind.MASTER})


@dataclass
class Observer(Lifter):
    """Lifts what a ``Lifter`` refuses for the sake of new code. Raises NotLiftable."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.affine.reads_anywhere = True
        self._seen: list[Node] = []
        """What each thread of the team has executed, in order."""
        self._certain = CertainAccesses(self.calls, self.attached.directives)

    def _collector(self) -> Collector:
        plain = super()._collector()
        options = {f.name: getattr(plain, f.name) for f in fields(Collector) if f.init}
        return ObservingCollector(**options, certain=self._certain)

    def statement(self, node: Node, context: Context) -> Raw:
        done = super().statement(node, context)
        if self._for_every_thread():
            self._seen.append(node)
        return done

    def _for_every_thread(self) -> bool:
        return self._around() == [Kind.PARALLEL]

    def _for(self, node: Node, context: Context) -> Raw:
        """A loop that threads share out by their numbers is one over all of the range."""
        found = self._split(node, context) if self._for_every_thread() else None
        if found is None:
            return super()._for(node, context)
        header, shared = found
        chosen = "static,1" if shared.cyclic else "static"
        clauses = (Clause("nowait"), Clause("schedule", chosen))
        construct = RawConstruct(
            Kind.LOOP, Directive(SPLIT, clauses, node.span, ""), RawSequence([], node.span),
            node.span, context,
        )  # fmt: skip
        variable = self._variable(header.decl, header.declared)
        name, first = variable.name, shared.first.isl()
        formula = f"{first} <= {name} < {shared.limit.isl()}"
        if shared.step > 1:
            formula += f" and ({name} - ({first})) mod {shared.step} = 0"
        self._inside.append(construct)
        try:
            inner = context.inside(variable, header.decl, formula)
            construct.body = self._loop(node, variable, header.decl, shared.step, inner)
        finally:
            self._inside.pop()
        return construct

    def _split(self, node: Node, context: Context) -> tuple[SharedHeader, Split] | None:
        try:
            header = shared_header(node)
            self._check_loop(node, header.decl, context)
        except NotAffine:
            return None
        found = split(header, self._seen, lambda name: self.affine.polynomial(name, context))
        affine = found is not None and found.first.is_affine and found.limit.is_affine
        return (header, found) if found is not None and affine else None

    def _check_nesting(self, kind: Kind, directive: Directive) -> None:
        around = self._around()
        inner = around[around.index(Kind.PARALLEL) :] if Kind.PARALLEL in around else around
        shared = any(k in inner for k in (*_SHARING, *TASKS))
        if kind is Kind.PARALLEL and (Kind.PARALLEL in around or any(k in TASKS for k in around)):
            raise NotLiftable(directive.span, "nested parallel regions are not understood")
        if kind in _SHARING and shared:
            raise NotLiftable(directive.span, f"'{directive.name}' is nested wrongly")
        if kind in (Kind.SECTION, Kind.ORDERED, Kind.SOURCE, Kind.SINK):
            super()._check_nesting(kind, directive)

    def _block(self, nodes: list[Node], context: Context, previous: int) -> list[Raw]:
        """What follows an ``if`` that returns is reached where its condition does not hold."""
        for position, node in enumerate(nodes):
            if node.kind == "IF_STMT" and len(node.children) == 2 and _returns(node.children[1]):
                formula = self.affine.formula(node.children[0], context)
                first = super()._block(nodes[: position + 1], context, previous)
                inner = context if formula is None else context.under(f"not ({formula})")
                return first + self._block(nodes[position + 1 :], inner, self.end(node))
        return super()._block(nodes, context, previous)

    def _if(self, node: Node, context: Context) -> Raw:
        """A condition that is not affine: either branch may run."""
        if self._for_every_thread() and self._is_first_thread(node.children[0]):
            return self._first_thread(node, context)
        try:
            return super()._if(node, context)
        except NotLiftable:
            if not self.attached.within(node.span) and not _has_return(node):
                raise
        condition, *branches = node.children
        self._forget(node)
        children: list[Raw] = [self._leaf(condition, context.maybe())]
        for branch in branches:
            children.append(self.statement(branch, context.maybe()))
            self._forget(node)
        return RawSequence(children, node.span)

    def _is_first_thread(self, condition: Node) -> bool:
        """Whether a condition holds in the thread with the number 0 and in no other one."""
        if condition.op != "==" or len(condition.children) != 2:
            return False
        left, right = condition.children
        if left.value == 0:
            left, right = right, left
        return right.value == 0 and is_number(left, self._seen)

    def _first_thread(self, node: Node, context: Context) -> Raw:
        """The first branch is for the master; the other threads take the second one."""
        then, *others = node.children[1:]
        directive = Directive("master", (), then.span, "")
        master = RawConstruct(
            Kind.MASTER, directive, RawSequence([], then.span), then.span, context
        )
        self._forget(node)
        self._inside.append(master)
        try:
            master.body = self.statement(then, context)
        finally:
            self._inside.pop()
        children: list[Raw] = [master, *(self.statement(other, context) for other in others)]
        self._forget(node)
        return RawSequence(children, node.span)

    def _plain(self, node: Node, context: Context) -> Raw:
        if node.kind != "RETURN_STMT":
            return super()._plain(node, context)
        if Kind.PARALLEL in self._around() or not node.children:
            return RawSequence([], node.span)
        return self._leaf(node.children[0], context)

    def _over_blocks(self, node: Node, context: Context) -> RawLoop | None:
        return None

    def _inside_block(self, node: Node, context: Context) -> RawLoop | None:
        return None

    def end(self, node: Node) -> int:
        """Expressions have no semicolon; their ends do not matter here."""
        try:
            return super().end(node)
        except NotLiftable:
            return node.span.end


def _returns(node: Node) -> bool:
    """Whether a statement always leaves the function."""
    if node.kind == "COMPOUND_STMT" and node.children:
        return _returns(node.children[-1])
    return node.kind == "RETURN_STMT"


def _has_return(node: Node) -> bool:
    return any(n.kind == "RETURN_STMT" for n in node.walk())


@dataclass
class ObservingAssembler(Assembler):
    """A SCoP in which variables are memory as OpenMP shares them. Raises NotLiftable."""

    _sharing: Sharing | None = field(default=None, init=False)

    def _tidy(self) -> None:
        """What sets a variable that nobody reads counts too."""

    def _merge(self) -> None:
        simd = [
            self.lifter.attached.next_token(d.span.end)
            for d in self.lifter.attached.within(self.raw.span) if "simd" in d.name.split()
        ]  # fmt: skip
        places = [loop.span for loop in loops(self.raw)]
        self._sharing = Sharing(self.lifter.attached.directives, places)
        self.raw = _with_counters(self.raw, 0, frozenset(simd))
        for leaf, around in _leaves_below(self.raw, ()):
            leaf.touches = list(self._visible(leaf, around))

    def _visible(self, leaf: RawLeaf, around: Sequence[RawConstruct]) -> Iterator[Touch]:
        """Touches of memory that others may touch."""
        assert self._sharing is not None
        for touch in leaf.touches:
            root = touch.root
            if root is None:
                yield touch
            elif "*" in touch.key or any(touch.pointers):
                own = root.type.kind == "pointer" and self._sharing.is_own_pointer(root, around)
                yield replace(touch, context=touch.context.maybe()) if own else touch
            elif self._sharing.is_shared(root, around):
                yield touch

    def _check_private(self) -> None:
        """Counters are memory here, and clauses have been applied."""

    def _check_parameters(self) -> None:
        """Bounds and subscripts may change through pointers, but not by their own names."""
        written = {(t.root, t.key) for leaf in leaves(self.raw) for t in leaf.touches if t.write}
        for name, node in self.lifter.affine.parameter_nodes.items():
            why = f"'{name}' may change while the loops run"
            for path in places_in(node) or ():
                assert path.root is not None
                if (path.root, path.key) in written:
                    if all(step.index is None for step in path.steps):
                        raise NotLiftable(node.span, why)
                    raise Changing(node.span, why, frozenset({(path.root, path.key)}))

    def _moves(self, pointer: Decl, touches: Sequence[Touch]) -> bool:
        """A local that is set before all that goes through it leads to one place."""
        facts = self.lifter.facts
        if not pointer.is_local or pointer.is_static or pointer in facts.escaped:
            return True
        stores = facts.stores.get(pointer, [])
        used = [t.span.start for t in touches if t.root is pointer and any(t.pointers)]
        repeated = [n.span for root in self.lifter.region for n in root.walk() if n.is_loop]
        return any(
            any(place >= use for use in used) or any(s.start <= place < s.end for s in repeated)
            for place in (*stores, pointer.offset)
        )

    def _array(self, memory: Memory) -> Array:
        array = super()._array(memory)
        if FOOTPRINT not in memory.key:
            return array
        function = memory.key.partition("*")[2].partition(":")[0]
        name = "" if memory.root is None else memory.root.name
        return replace(array, spelling=f"{name} (where '{function}' does)")

    def _bounded(self) -> list[Memory]:
        """Where a function writes is no subscript that has to stay below a size."""
        return [m for m in self.memories.values() if FOOTPRINT not in m.key]

    def _is_idle(self, leaf: RawLeaf) -> bool:
        return False

    def _private_scalars(self) -> set[Decl]:
        return set()

    def _alias_pairs(self) -> frozenset[frozenset[str]]:
        return frozenset()


def _with_counters(tree: Raw, taken: int, simd: frozenset[int]) -> Raw:
    """The tree with the stores to counters that their loops do not declare.

    ``taken`` loops belong to a construct that makes their counters private, as ``simd`` does.
    """
    if isinstance(tree, RawSequence):
        inner = taken if len(tree.children) == 1 else 0
        children = [_with_counters(c, inner, simd) for c in tree.children]
        return RawSequence(children, tree.span)
    if isinstance(tree, RawBranch):
        otherwise = None if tree.otherwise is None else _with_counters(tree.otherwise, 0, simd)
        return RawBranch(_with_counters(tree.then, 0, simd), otherwise, tree.span)
    if isinstance(tree, RawConstruct):
        return replace(tree, body=_with_counters(tree.body, _distributed(tree), simd))
    if isinstance(tree, RawLoop):
        loop = replace(tree, body=_with_counters(tree.body, max(taken - 1, 0), simd))
        if taken or tree.variable.declared or tree.span.start in simd:
            return loop
        return RawSequence([_counter(tree), loop], tree.span)
    return tree


def _distributed(construct: RawConstruct) -> int:
    """How many loops below a construct have private counters."""
    if construct.kind not in (Kind.LOOP, Kind.TASKLOOP) or construct.directive.name == SPLIT:
        return 0
    ordered = construct.directive.clause("ordered")
    number = ordered.argument.strip() if ordered is not None else ""
    return max(construct.collapse, int(number) if number.isdigit() else 1)


def _counter(loop: RawLoop) -> RawLeaf:
    """The store to a loop's counter as a statement before the loop."""
    inner = loop.context
    context = replace(
        inner, iterators=inner.iterators[:-1], decls=inner.decls[:-1],
        formulas=inner.formulas[:-1],
    )  # fmt: skip
    decl = loop.decl
    touch = Touch(decl, "", (), (), (), decl.type, True, context, loop.header)
    return RawLeaf([], loop.header, context, [touch], set(), {decl}, set(), set())


def _leaves_below(
    tree: Raw, around: tuple[RawConstruct, ...]
) -> Iterator[tuple[RawLeaf, tuple[RawConstruct, ...]]]:
    """The leaves of a tree, each with the constructs around it, outermost first."""
    if isinstance(tree, RawLeaf):
        yield tree, around
    elif isinstance(tree, RawSequence):
        for child in tree.children:
            yield from _leaves_below(child, around)
    elif isinstance(tree, RawConstruct):
        yield from _leaves_below(tree.body, (*around, tree))
    elif isinstance(tree, RawLoop):
        yield from _leaves_below(tree.body, around)
    else:
        yield from _leaves_below(tree.then, around)
        if tree.otherwise is not None:
            yield from _leaves_below(tree.otherwise, around)
