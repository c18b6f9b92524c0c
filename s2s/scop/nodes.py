"""The representation of a region: a SCoP.

Its grammar, top to bottom::

    Scop      := context  assumptions  Array*  Statement*  Tree  Schedule?
    Statement := name  iterators  domain  schedule  Access*  text (a span of the source)
    Access    := array  relation (statement -> element)  write?  exact?
    Tree      := Sequence(Tree*) | Loop(iterator, step, Tree) | Branch(Tree, Tree?)
               | Construct(directive, Tree) | Leaf(statement)

Domains, relations and schedules are isl objects; all of them share the region's parameters. The
schedule is the sequential order (the serial elision of an OpenMP program): a map from statement
instances to time vectors that all have the same length. Nothing here is ever changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Iterator as Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from s2s.scop.schedule import Schedule
from s2s.scop.unions import union_of_maps, union_of_sets
from s2s.source import Edit, Span

if TYPE_CHECKING:
    import islpy as isl


@dataclass(frozen=True)
class LoopVariable:
    """A loop's iterator: its name in isl, its spelling and type in C."""

    name: str
    spelling: str
    type: str
    declared: bool
    """Whether the loop declares it (so that nothing behind the loop can see it)."""
    unsigned: bool = False


@dataclass(frozen=True)
class Parameter:
    """A value that no statement of the region changes."""

    name: str
    spelling: str
    type: str
    unsigned: bool
    size: int


@dataclass(frozen=True)
class Array:
    """Memory that accesses name by subscripts; a scalar has none.

    ``rank`` counts subscripts. The first ``row_rank`` of them select a row through a pointer in
    memory: rows with different subscripts may be the same memory. ``sizes`` are the inner sizes
    (isl text, or None) that the source's declaration or delinearization gives, outermost unknown.
    """

    name: str
    spelling: str
    rank: int
    row_rank: int = 0
    sizes: tuple[str | None, ...] = ()
    element_size: int = 0
    external: bool = False
    """Memory or output that only the outside knows: what an unknown call may touch."""
    base: str | None = None
    """C text to which the first subscript can be added for an address: a pointer, an array, or a
    scalar's address."""
    flat: tuple[str, ...] = ()
    """C texts of inner sizes that only delinearization found: ``base`` points to elements."""
    dead: bool = False
    """A scalar that nothing behind the region reads before it is set again."""
    confined: bool = False
    """Whether nothing outside of the region names its elements."""


@dataclass(frozen=True)
class Access:
    """What a statement instance may touch: ``exact`` means that it touches exactly that."""

    array: str
    relation: isl.Map
    write: bool
    exact: bool
    span: Span
    commutes: str | None = None
    """Name of the lock (critical) or ``atomic``/``reduction`` under which the access happens."""
    type: str = ""
    """The C type of the element, where a variable of that type could hold its value."""
    places: tuple[Span, ...] = ()
    """Of a read: all texts of the statement for which a variable with the value could stand; none
    where there are others (macros, a compound assignment's own target)."""
    also: tuple[Span, ...] = ()
    """Other places of the statement's text that touch the same elements in the same way."""
    names: tuple[Span, ...] = ()
    """Where the text of each of the places names the array; none where that is not sure."""
    floating: bool = False
    """Whether the element is a floating-point number."""

    @property
    def spans(self) -> tuple[Span, ...]:
        """All places in the text."""
        return (self.span, *self.also)


@dataclass(frozen=True)
class Assignment:
    """An expression statement that sets one variable or element and does nothing else.

    ``operator`` is where ``=``, ``+=`` and so on stand (``operation`` is the latter's ``+``, empty
    for a plain one), ``end`` is where the value ends, parentheses included; ``type`` is that of
    the target.
    """

    target: Span
    operator: Span
    operation: str
    end: int
    type: str
    copied: Span | None = None
    instead: str = ""


@dataclass(frozen=True)
class Choice:
    """Text of which an affine condition picks one part: an ``if`` statement or ``c ? a : b``.

    ``condition`` are the instances of the statement (of its space, not only of its domain) in which
    the first part runs; ``otherwise`` is None for an ``if`` without ``else``.
    """

    span: Span
    condition: isl.Set
    then: Span
    otherwise: Span | None
    statement: bool
    blocks: frozenset[Span] = frozenset()
    """Parts that are compound statements."""
    type: str = ""
    """The C type that parts of an expression are converted to, where one has another type."""


@dataclass(frozen=True)
class Statement:
    """A piece of the source that is executed as a whole, once for each point of ``domain``."""

    name: str
    iterators: tuple[LoopVariable, ...]
    domain: isl.Set
    schedule: isl.Map
    accesses: tuple[Access, ...]
    span: Span
    locals: tuple[tuple[str, str], ...] = ()
    """Variables (type, name) that the statement sets before it reads them; dead behind it."""
    opaque: bool = False
    uses: frozenset[str] = frozenset()
    """Names of the variables that the text refers to."""
    edits: tuple[Edit, ...] = ()
    """What a transform changed in the text; inside ``span``, by offsets of the source."""
    control: tuple[Span, ...] = ()
    """Where the text has control flow of its own."""
    choices: tuple[Choice, ...] = ()
    """Conditions in the text that depend on the iterators alone, outer ones first."""
    assignment: Assignment | None = None
    """What the text is, if it is one assignment that is always executed."""
    values: frozenset[str] = frozenset()
    """Names of the iterators that the text computes with, other than in subscripts."""
    declares: frozenset[str] = frozenset()
    """Names that the text declares for all that stands behind it in the same block."""

    @property
    def depth(self) -> int:
        return len(self.iterators)

    @property
    def straight(self) -> bool:
        """Whether the text has no control flow of its own."""
        return not self.control


# In texts that transforms write: the prefix of names that the new code introduces.
PREFIX = "\ufdd5"


@dataclass(frozen=True)
class Storage:
    """An array of ``size`` elements that each iteration of the innermost tile loop has.

    With ``carry`` the array outlives the iteration: its last ``carry`` elements become the first
    ones of the next iteration. Without a size it is a scalar of each iteration of the innermost
    loop that uses it.
    """

    name: str
    type: str
    size: int
    carry: int = 0


@dataclass(frozen=True)
class Copy:
    """An assignment between a carried scalar and an element that has exactly its type.

    ``place`` is the element's place: the target where the statement ``stores`` the scalar, else all
    of the value. ``text`` can stand for the scalar wherever it is named; ``names`` are the text's
    variables. ``plain``: the statement does nothing else.
    """

    statement: str
    place: Span
    text: str
    stores: bool
    plain: bool
    names: frozenset[str]


@dataclass(frozen=True)
class Carried:
    """A private scalar that carries values between statements, as an array of its lifetimes.

    Every iteration of the loops around a lifetime has a value of its own, so the array's
    subscripts are their ``iterators``. No C text can be made as long as it is neither contracted
    to an element nor expanded: ``places`` are the texts that name it, by statement.
    """

    array: str
    spelling: str
    type: str
    iterators: tuple[LoopVariable, ...]
    places: Mapping[str, tuple[Span, ...]]
    sets: frozenset[str]
    """Statements that set it, having read all that they read, and do nothing else."""
    hidden: frozenset[str] = frozenset()
    """Names that stand for different variables in different places of a lifetime."""
    copies: tuple[Copy, ...] = ()


class Kind(Enum):
    """Synchronization constructs that happens-before understands."""

    PARALLEL = "parallel"
    LOOP = "for"
    SECTIONS = "sections"
    SECTION = "section"
    SINGLE = "single"
    MASTER = "master"
    TASK = "task"
    TASKLOOP = "taskloop"
    TASKGROUP = "taskgroup"
    TASKWAIT = "taskwait"
    BARRIER = "barrier"
    CRITICAL = "critical"
    ATOMIC = "atomic"
    SIMD = "simd"
    ORDERED = "ordered"
    SOURCE = "ordered source"
    SINK = "ordered sink"


TASKS = frozenset({Kind.TASK, Kind.TASKLOOP})
"""Constructs whose bodies are explicit tasks."""


@dataclass(frozen=True)
class DependItem:
    """An item of a ``depend`` clause: a tag (base and subscripts), never an access."""

    base: str
    """A variable; empty where the tag may be any address."""
    subscripts: tuple[str, ...] | None
    """isl text over the iterators outside the task; None where not affine."""
    writes: bool
    pointer: bool = False
    """Whether the base is a pointer that subscripts follow."""
    flat: bool = False
    """Whether one subscript of the source stands for several: ``a[i * n + j]`` for (i, j)."""


@dataclass(frozen=True)
class TagBase:
    """Where tags of one base lie: its ``first`` subscripts, ``single`` if it has no others."""

    first: isl.Set
    single: bool


@dataclass(frozen=True, eq=False)
class Leaf:
    """A statement's place in the tree."""

    statement: str
    span: Span


@dataclass(frozen=True, eq=False)
class Sequence:
    """Trees that run one after the other."""

    children: tuple[Tree, ...]
    span: Span


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop; ``step`` is negative for one that counts down."""

    variable: LoopVariable
    step: int
    body: Tree
    span: Span
    header: Span


@dataclass(frozen=True, eq=False)
class Branch:
    """An affine condition, which the domains below contain."""

    then: Tree
    otherwise: Tree | None
    span: Span


@dataclass(frozen=True, eq=False)
class Construct:
    """A synchronization construct around a subtree (``Sequence(())`` for stand-alone ones).

    ``point`` names the pseudo statement that stands for a waiting point in the sequential order, or
    for the end of an ordered region; ``collapse`` is the number of loops that a worksharing loop or
    a taskloop distributes.
    """

    number: int
    kind: Kind
    body: Tree
    span: Span
    collapse: int = 1
    nowait: bool = False
    name: str = ""
    depends: tuple[DependItem, ...] = ()
    point: str | None = None
    clauses: tuple[tuple[str, str], ...] = ()
    eager: bool = False
    """Of a task: whether the thread that meets it may run it at once (``if``, ``final``)."""
    sinks: tuple[tuple[str, ...], ...] | None = ()
    """Of a doacross wait: the iterations it waits for (isl text); None where not affine."""


Tree = Leaf | Sequence | Loop | Branch | Construct


@dataclass(frozen=True)
class Scop:
    """A region of one function in polyhedral form.

    ``context`` holds for every execution (types, enclosing conditions); ``assumptions`` must be
    checked when the program runs, with the original text as the other branch. ``may_alias`` are
    pairs of arrays whose memory may overlap; ``points`` are waiting points (name to domain and
    schedule).
    """

    span: Span
    parameters: tuple[Parameter, ...]
    context: isl.Set
    assumptions: isl.Set
    arrays: dict[str, Array]
    statements: tuple[Statement, ...]
    tree: Tree
    may_alias: frozenset[frozenset[str]]
    points: dict[str, Statement] = field(default_factory=dict)
    starts: dict[int, Statement] = field(default_factory=dict)
    """For each construct, by number, a pseudo statement that stands for its beginning: each
    iteration's for worksharing loops and taskloops, whether or not its statements execute."""
    distinct_tags: frozenset[frozenset[str]] = frozenset()
    """Pairs of bases whose tags the happens-before relation takes to differ."""
    tags: Mapping[str, TagBase] = field(default_factory=dict)
    """The bases of ``distinct_tags``."""
    checked: frozenset[frozenset[str]] = frozenset()
    """Pairs of arrays that the new code takes to be disjoint after checking it as it runs."""
    carried: Mapping[str, Carried] = field(default_factory=dict)
    """Scalars, by array, of which each iteration of the loops around has one for itself."""
    storage: tuple[Storage, ...] = ()
    """Arrays that the new code declares for what was ``carried``."""
    reuse: isl.UnionMap | None = None
    """Pairs of instances that use one element of ``storage`` in this order."""
    target: Schedule | None = None
    """The schedule that transforms chose; None: as in the source."""
    history: tuple[str, ...] = ()
    """What the transforms did, in words for a remark."""
    order: isl.UnionMap | None = None
    """Pairs of instances of which the first may run before the second; None: as scheduled.

    Where the source runs over blocks, the schedule runs over what is in them in another order, and
    this relation, a superset of the source's order, is what dependences are computed from.
    """
    divisible: tuple[tuple[str, str], ...] = ()
    """Pairs (isl text, isl text) of which the second has to divide the first as the code runs."""
    guards: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Pseudo statements that evaluate a condition, and the statements that run only if it holds."""
    tested: tuple[Statement, ...] = ()
    """Pseudo statements, no longer among ``statements``, that evaluate a condition in front of
    loops: the statements in the loops evaluate it themselves now, in every iteration."""
    preamble: tuple[str, ...] = ()
    """Declarations that the text of statements needs in front of the new code."""

    def statement(self, name: str) -> Statement:
        return next(s for s in self.statements if s.name == name)

    def parameter_names(self) -> list[str]:
        """Isl names of the parameters."""
        return [p.name for p in self.parameters]

    def domain(self) -> isl.UnionSet:
        return union_of_sets([s.domain for s in self.statements])

    def schedule(self) -> isl.UnionMap:
        """The sequential order as a union map into one time space."""
        return union_of_maps([s.schedule.intersect_domain(s.domain) for s in self.statements])

    @cached_property
    def serial_order(self) -> isl.UnionMap:
        """Pairs of instances, the first (perhaps) before the second in the serial elision."""
        if self.order is not None:
            return self.order
        schedule = self.schedule()
        return schedule.lex_lt_union_map(schedule)


def walk(tree: Tree) -> Iterable[Tree]:
    """A tree's nodes, outside in, in program order."""
    yield tree
    if isinstance(tree, Sequence):
        for child in tree.children:
            yield from walk(child)
    elif isinstance(tree, Loop | Construct):
        yield from walk(tree.body)
    elif isinstance(tree, Branch):
        yield from walk(tree.then)
        if tree.otherwise is not None:
            yield from walk(tree.otherwise)


def rebuilt(tree: Tree, edit: Callable[[Tree], Tree]) -> Tree:
    """The tree with ``edit`` applied to each node, children first."""
    if isinstance(tree, Sequence):
        tree = replace(tree, children=tuple(rebuilt(c, edit) for c in tree.children))
    elif isinstance(tree, Loop | Construct):
        tree = replace(tree, body=rebuilt(tree.body, edit))
    elif isinstance(tree, Branch):
        otherwise = None if tree.otherwise is None else rebuilt(tree.otherwise, edit)
        tree = replace(tree, then=rebuilt(tree.then, edit), otherwise=otherwise)
    return edit(tree)


def paths(tree: Tree) -> dict[str, tuple[Tree, ...]]:
    """For each statement the nodes from the root down to its leaf."""
    found: dict[str, tuple[Tree, ...]] = {}

    def descend(node: Tree, above: tuple[Tree, ...]) -> None:
        here = (*above, node)
        if isinstance(node, Leaf):
            found[node.statement] = here
        elif isinstance(node, Sequence):
            for child in node.children:
                descend(child, here)
        elif isinstance(node, Loop | Construct):
            if isinstance(node, Construct) and node.point:
                found[node.point] = here
            descend(node.body, here)
        else:
            descend(node.then, here)
            if node.otherwise is not None:
                descend(node.otherwise, here)

    descend(tree, ())
    return found
