"""The tree of a region before it becomes a SCoP: loops, branches, constructs, leaves.

A ``Raw`` tree mirrors the SCoP's tree but still speaks of declarations and polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property

from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.touch import Touch
from s2s.frontends.openmp.directives import Directive
from s2s.scop.nodes import Kind, LoopVariable
from s2s.scop.tags import DependItem
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(eq=False)
class RawLeaf:
    """Code that is kept whole, and what it touches."""

    nodes: list[Node]
    span: Span
    context: Context
    touches: list[Touch]
    exposed: set[Decl]
    written: set[Decl]
    declares: set[Decl]
    references: set[Decl]
    opaque: str = ""
    pragmas: tuple[Directive, ...] = ()
    sets: set[Decl] = field(default_factory=set)
    """Variables that it is sure to set."""
    condition: Node | None = None
    """Of a pseudo leaf: the condition that it evaluates for the leaves after it."""
    before: tuple[str, ...] = ()
    """Assignments that its text begins with (``sunk``)."""

    @cached_property
    def targets(self) -> frozenset[Span]:
        """Where it stores. For leaves that are complete."""
        return frozenset(touch.span for touch in self.touches if touch.write)

    @cached_property
    def set_references(self) -> list[Node]:
        """Where it names variables that it assigns or declares. For leaves that are complete."""
        assigned = assigned_in(self.nodes)
        inside = (n for node in self.nodes for n in node.walk()) if assigned else ()
        return [n for n in inside if n.kind == "DECL_REF_EXPR" and n.decl in assigned]


@dataclass(eq=False)
class RawSequence:
    """Trees in a row."""

    children: list[Raw]
    span: Span


@dataclass(eq=False)
class RawLoop:
    """A counted loop.

    ``blocks`` is the block number of a loop over blocks, which has no iterator in the SCoP;
    ``covers`` that of the loop which runs over one block.
    """

    variable: LoopVariable
    decl: Decl
    step: int
    body: Raw
    span: Span
    header: Span
    context: Context
    blocks: str = ""
    covers: str = ""


@dataclass(eq=False)
class RawBranch:
    """An affine condition."""

    then: Raw
    otherwise: Raw | None
    span: Span


@dataclass(frozen=True)
class RawChoice:
    """Text of which an affine condition picks one part: an ``if`` statement or ``c ? a : b``."""

    span: Span
    context: Context
    formula: str
    then: Span
    otherwise: Span | None
    statement: bool
    blocks: frozenset[Span]
    """Parts that are compound statements."""
    reads: bool
    """Whether a part reads or writes memory: it is not computed without need."""
    type: str = ""
    """The type that parts of an expression are converted to, where one has another type."""
    left_out: Span | None = None
    """The text that goes with a statement in a block of which nothing stays."""
    plain: frozenset[Span] = frozenset()
    """Parts of an expression that need no parentheses wherever it stands."""


@dataclass(eq=False)
class RawConstruct:
    """An OpenMP construct; ``private`` are names that each instance has for itself."""

    kind: Kind
    directive: Directive
    body: Raw
    span: Span
    context: Context
    collapse: int = 1
    depends: tuple[DependItem, ...] = ()
    private: frozenset[str] = frozenset()
    eager: bool = False
    sinks: tuple[tuple[str, ...], ...] | None = ()


Raw = RawLeaf | RawSequence | RawLoop | RawBranch | RawConstruct


def leaves(tree: Raw) -> Iterator[RawLeaf]:
    """The leaves of a raw tree in program order."""
    if isinstance(tree, RawLeaf):
        yield tree
    elif isinstance(tree, RawSequence):
        for child in tree.children:
            yield from leaves(child)
    elif isinstance(tree, RawLoop | RawConstruct):
        yield from leaves(tree.body)
    else:
        yield from leaves(tree.then)
        if tree.otherwise is not None:
            yield from leaves(tree.otherwise)


def loops(tree: Raw) -> Iterator[RawLoop]:
    """The loops of a raw tree, outside in."""
    if isinstance(tree, RawSequence):
        for child in tree.children:
            yield from loops(child)
    elif isinstance(tree, RawLoop):
        yield tree
        yield from loops(tree.body)
    elif isinstance(tree, RawConstruct):
        yield from loops(tree.body)
    elif isinstance(tree, RawBranch):
        yield from loops(tree.then)
        if tree.otherwise is not None:
            yield from loops(tree.otherwise)


def merge(children: Sequence[Raw], span: Span, context: Context, reason: str) -> RawLeaf:
    """One leaf for consecutive code that has to stay together."""
    parts = [leaf for child in children for leaf in leaves(child)]
    counts = [_counting(loop, context) for loop in _outer_counters(children)]
    exposed, sets = _flow(children)
    # The declaration of a counter has no leaf of its own, but stands in the text.
    counters = {t.root for t in counts if t.root and span.start <= t.root.offset < span.end}
    return RawLeaf(
        [n for p in parts for n in p.nodes], span, context,
        [*counts, *(t for p in parts for t in p.touches)], exposed,
        {t.root for t in counts if t.root}.union(*(p.written for p in parts)),
        counters.union(*(p.declares for p in parts)),
        set().union(*(p.references for p in parts)), reason,
        tuple(d for p in parts for d in p.pragmas), sets,
        before=tuple(dict.fromkeys(text for p in parts for text in p.before)),
    )  # fmt: skip


def _outer_counters(children: Sequence[Raw]) -> Iterator[RawLoop]:
    """Loops whose text sets a variable that is declared before them."""
    for child in children:
        yield from (loop for loop in loops(child) if not loop.variable.declared)


def _counting(loop: RawLoop, context: Context) -> Touch:
    decl = loop.decl
    return Touch(decl, "", (), (), (), decl.type, True, context.maybe(), loop.header)


def _flow(children: Sequence[Raw]) -> tuple[set[Decl], set[Decl]]:
    """Variables that code may read before it sets them, and those that it is sure to set.

    Loops may run no iteration, and a branch is taken or not.
    """
    exposed: set[Decl] = set()
    sets: set[Decl] = set()
    for child in children:
        read, written = _flow_of(child)
        exposed |= read - sets
        sets |= written
    return exposed, sets


def _flow_of(tree: Raw) -> tuple[set[Decl], set[Decl]]:
    if isinstance(tree, RawLeaf):
        return tree.exposed, tree.sets
    if isinstance(tree, RawSequence):
        return _flow(tree.children)
    if isinstance(tree, RawConstruct):
        return _flow_of(tree.body)
    if isinstance(tree, RawLoop):
        counter = {tree.decl}
        return _flow_of(tree.body)[0] - counter, set() if tree.variable.declared else counter
    then = _flow_of(tree.then)
    otherwise = (set(), set()) if tree.otherwise is None else _flow_of(tree.otherwise)
    return then[0] | otherwise[0], then[1] & otherwise[1]


TreeEdit = Callable[[Raw], Raw]


def rebuild(tree: Raw, edit: TreeEdit) -> Raw:
    """The tree with ``edit`` applied to each node, children first."""
    if isinstance(tree, RawSequence):
        tree = RawSequence([rebuild(c, edit) for c in tree.children], tree.span)
    elif isinstance(tree, RawLoop | RawConstruct):
        tree = replace(tree, body=rebuild(tree.body, edit))
    elif isinstance(tree, RawBranch):
        otherwise = None if tree.otherwise is None else rebuild(tree.otherwise, edit)
        tree = RawBranch(rebuild(tree.then, edit), otherwise, tree.span)
    return edit(tree)


def constructs(tree: Raw) -> list[RawConstruct]:
    """The constructs of a tree, outer ones first."""
    if isinstance(tree, RawConstruct):
        return [tree, *constructs(tree.body)]
    if isinstance(tree, RawSequence):
        return [c for child in tree.children for c in constructs(child)]
    if isinstance(tree, RawLoop):
        return constructs(tree.body)
    if isinstance(tree, RawBranch):
        other = [] if tree.otherwise is None else constructs(tree.otherwise)
        return constructs(tree.then) + other
    return []
