"""The representation of a region: a SCoP.

Its grammar, top to bottom::

    Scop      := context  assumptions  Array*  Statement*  Tree  Schedule?
    Statement := name  iterators  domain  schedule  Access*  text (a span of the source)
                 expression? (a typed store)
    Access    := array  relation (statement -> memory)  write?  exact?
    Tree      := Sequence(Tree*) | Loop(iterator, step, Tree) | Branch(Tree, Tree?)
               | Construct(directive, Tree) | Leaf(statement)

Domains, relations and schedules are isl objects; all of them share the region's parameters. The
schedule is the sequential order (the serial elision of an OpenMP program): a map from statement
instances to time vectors that all have the same length. Nothing here is ever changed in place.

Regions of C come in with text (``s2s.frontends.c.assemble``), loop nests over tensors with
expressions (``s2s.scop.lift_nest``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Iterator as Iterable
from dataclasses import field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from s2s.scop.schedule import Schedule
from s2s.scop.tags import DependItem, TagBase
from s2s.scop.texts import Assignment, Carried, Choice, Storage
from s2s.scop.unions import union_of_maps, union_of_sets
from s2s.source import Edit, Span
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl

    from s2s.scop.nest import Store
    from s2s.scop.polynomial import Polynomial


@dataclass(frozen=True)
class LoopVariable:
    """A loop's iterator: its name in isl, its spelling and type in C."""

    name: str
    spelling: str
    type: str
    declared: bool
    """Whether the loop declares it (so that nothing after the loop can see it)."""
    unsigned: bool = False


@dataclass(frozen=True)
class Parameter:
    """A value that no statement of the region changes."""

    name: str
    spelling: str
    type: str
    unsigned: bool
    size: int
    readable: str = ""
    """A place in memory: the condition on the parameters before it under which the source reads it
    (isl text); nothing may read it without that. Empty: it can be read at any time."""
    equals: str = ""
    """Of a sum of other parameters that has a name of its own what it is, as isl text."""


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
    member: tuple[str, int] | None = None
    """Of an array without ``base``: C text of the same kind (``p->a``), which only exists where the
    array is touched, and the place of the subscript that counts from there."""
    table: str | None = None
    """C text of the array of pointers to its rows, where nothing moves that in the region."""
    flat: tuple[str, ...] = ()
    """C texts of inner sizes that only delinearization found: ``base`` points to elements."""
    products: tuple[tuple[str, Polynomial], ...] = ()
    """Parameters that stand for polynomials of others in its flat subscripts."""
    dead: bool = False
    """A scalar that nothing after the region reads before it is set again."""
    confined: bool = False
    """Whether nothing outside of the region names its elements."""
    pointed: bool = False
    """Whether a pointer leads to it of which a compiler may not know what else it leads to."""
    restricted: bool = False
    """Whether that pointer is ``restrict``, which compilers see where they do not outline code."""
    scattered: bool = False
    """Whether its elements are members of records, with others of them between."""
    fold: isl.Map | None = None
    """Leads from subscripts to those that storage has, where it is folded; None: they are one."""
    seen: isl.Set | None = None
    """The elements that the caller reads after a nest over tensors; None: see ``dead``."""


@dataclass(frozen=True)
class Access:
    """What a statement instance may touch: ``exact`` means that it touches exactly that.

    ``relation`` leads to memory: two accesses of an array touch the same memory exactly where they
    lead to the same. Of an array that is allocated in loops the values of these come first.
    """

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
    element: isl.Map | None = None
    """Leads to the subscripts that the source has, where memory is named by others."""

    @property
    def elements(self) -> isl.Map:
        """Leads to the array's elements, whatever memory these have."""
        return self.relation if self.element is None else self.element

    @property
    def spans(self) -> tuple[Span, ...]:
        """All places in the text."""
        return (self.span, *self.also)


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
    """Variables (type, name) that the statement sets before it reads them; dead after it."""
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
    """Names that the text declares for all that stands after it in the same block."""
    constants: tuple[tuple[Span, str], ...] = ()
    """Where the text reads scalars that nothing in the region changes, with their C types."""
    typed: Callable[[Statement], Store | None] | None = field(
        default=None, repr=False, compare=False
    )
    """Makes the typed expression of a statement, as long as it is what came in."""
    exact: bool = True
    """Whether the domain is exactly what executes, and not only around it."""
    around: isl.Set | None = None
    """The instances that its loops have, where conditions leave some of them out."""
    sets: frozenset[str] = frozenset()
    """Names of variables that the text assigns or declares; before it they have other values."""
    calls: tuple[str, ...] = ()
    """Slow functions of <math.h> that the text calls, each as often as it does."""
    loops: bool = False
    """Whether the text has loops of its own."""
    instance: isl.Map | None = None
    """Leads to the values of the variables of the definition that the expression is of."""

    @cached_property
    def expression(self) -> Store | None:
        """What the statement stores as a typed expression over its iterators; None: only text."""
        return None if self.typed is None else self.typed(self)

    @property
    def store(self) -> Store:
        """The expression of a statement that came in with one."""
        assert self.expression is not None, self.name
        return self.expression

    @property
    def write(self) -> Access:
        """What the expression stores to."""
        return next(a for a in self.accesses if a.write)

    @property
    def reads(self) -> tuple[Access, ...]:
        """What is only read."""
        return tuple(a for a in self.accesses if not a.write)

    @property
    def depth(self) -> int:
        return len(self.iterators)

    @property
    def straight(self) -> bool:
        """Whether the text has no control flow of its own."""
        return not self.control


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


class Around(Enum):
    """What the threads of a team do right before they share a region."""

    WAITS = "they have waited for each other"
    RUNS = "others may still run what stands before"


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
    rows_apart: frozenset[str] = frozenset()
    """Arrays whose rows the new code takes to be apart from each other, if it writes there, and
    from what ``checked`` pairs them with."""
    steady: frozenset[tuple[str, str]] = frozenset()
    """Places that parameters are read from (C text), each with a written array that has to lie
    apart from it, else its value may change: the guard of any new code has to check that."""
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
    """Pseudo statements, no longer among ``statements``, that evaluate a condition before
    loops: the statements in the loops evaluate it themselves now, in every iteration."""
    preamble: tuple[str, ...] = ()
    """Declarations that the text of statements needs before the new code."""
    team: Around | None = None
    """The team of threads, formed elsewhere, that shares the region; None: it forms its own."""
    outlined: bool = False
    """Whether compilers move the code into a function of its own (a parallel construct's, a task's)
    where what is known of pointers is lost: ``restrict``, and what allocations they lead to."""
    given: Callable[[], Mapping[str, int]] | None = field(default=None, repr=False, compare=False)
    """Tells, by spelling, parameters for which all calls in sight give the function one number."""

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
