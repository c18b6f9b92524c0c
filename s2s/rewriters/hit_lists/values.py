"""Values of what a condition picks, computed for a whole list before the rest of the work.

::

    for (h) { t = sqrt(log(r) / r);             for (h) t_of[h] = sqrt(log(r) / r);
              bin = t > u ? t : u;       ->     for (h) bin_of[h] = t > u ? t : u;     /* vectors */
              count[bin]++; }                   for (h) count[bin_of[h]]++;

A choice by a slow value is known late, and all that was begun after a wrong prediction is thrown
away: the slow values of the next iterations among it. In loops of their own these overlap, and
choices wait for no more than a load. The work is cut before statements of which that is so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from s2s.frontends.c.effects import PURE
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import variables
from s2s.rewriters.hit_lists.costs import COMPARISONS, SLOW, cost
from s2s.rewriters.hit_lists.nests import Nest
from s2s.rewriters.interleaving.flow import Tracked
from s2s.source.records import dataclass

_BRANCHES = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR", "WHILE_STMT", "SWITCH_STMT"})


@dataclass(frozen=True)
class Stage:
    """Statements that run for the whole list before the next stage.

    ``takes`` are variables that it reads as they were left before, ``names`` others that it needs
    declared, ``gives`` those that it sets and that are read later.
    """

    statements: tuple[Node, ...]
    takes: tuple[Decl, ...]
    names: tuple[Decl, ...]
    gives: tuple[Decl, ...]


@dataclass(frozen=True)
class Values:
    """The ``stages`` of a list, the last one of which is the rest of the source's work.

    ``given`` are variables of what comes before the condition that are read later; ``inside`` those
    that are declared in the loop's body, so that the rest has to declare them.
    """

    stages: tuple[Stage, ...]
    given: tuple[Decl, ...]
    inside: frozenset[Decl]

    @property
    def ahead(self) -> tuple[Node, ...]:
        """The statements that run before the rest of the work of earlier iterations."""
        return tuple(s for stage in self.stages[:-1] for s in stage.statements)

    @property
    def rest(self) -> tuple[Node, ...]:
        return self.stages[-1].statements

    @property
    def reads(self) -> set[Decl]:
        """All variables that the stages name."""
        return {d for stage in self.stages for s in stage.statements for d in variables(s)}

    @property
    def kept(self) -> tuple[Decl, ...]:
        """All variables that have a value for each iteration of the list."""
        return tuple(dict.fromkeys((*self.given, *(d for s in self.stages for d in s.gives))))


def find_values(function: Function, nest: Nest, tracked: Tracked) -> Values | None:
    """The stages of a nest's work; None where loops of their own save nothing."""
    length = next(
        (i for i, s in enumerate(nest.work) if not _is_value(function, s, tracked)), len(nest.work)
    )
    if length == len(nest.work):
        return None
    ahead, rest = _stages(nest.work[:length], nest.work[length:])
    if not ahead:
        return None
    return _Variables(function, nest, tracked).values([*ahead, rest])


def _is_value(function: Function, statement: Node, tracked: Tracked) -> bool:
    """Whether a statement does no more than set local numbers, maybe by calls of libm."""
    if statement.in_macro:
        return False
    if statement.kind == "DECL_STMT":
        numbers = all(
            c.kind == "VAR_DECL" and c.decl is not None and _is_number(c.decl, tracked)
            for c in statement.children
        )
        values = [v for c in statement.children if (v := initializer(c)) is not None]
    else:
        if statement.kind not in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            return False
        if not statement.assigns or statement.children[0].kind != "DECL_REF_EXPR":
            return False
        decl = statement.children[0].decl
        numbers = decl is not None and _is_number(decl, tracked)
        values = statement.children[1:]
    return numbers and not any(
        n.assigns or (n.kind == "CALL_EXPR" and not _is_library(function, n))
        for value in values for n in value.walk()
    )  # fmt: skip


def _is_number(decl: Decl, tracked: Tracked) -> bool:
    return decl in tracked and decl.type.kind in ("int", "float")


def _is_library(function: Function, call: Node) -> bool:
    decl = call.decl
    known = decl is not None and decl.is_global and call.name in PURE
    return known and function.calls.definition(call) is None


def _stages(
    values: Sequence[Node], rest: tuple[Node, ...]
) -> tuple[list[tuple[Node, ...]], tuple[Node, ...]]:
    """Statements that are worth a loop of their own, and all that is left."""
    stages: list[tuple[Node, ...]] = []
    current: list[Node] = []
    slow: set[Decl] = set()
    end = 0
    for statement in values:
        if _chooses((statement,), slow):
            stages.append(tuple(current[:end]))
            current, slow, end = current[end:], set(), 0
        current.append(statement)
        if cost((statement,), {}) >= SLOW:
            end = len(current)
            slow |= set(statement.assigned)
        slow |= _follow((statement,), slow)
    if end and _chooses(rest, slow | _follow(rest, slow)):
        return [*stages, tuple(current[:end])], (*current[end:], *rest)
    if stages and any(_chooses((s,), variables(s)) for s in current) and not end:
        return [*stages, tuple(current)], rest
    return stages, (*current, *rest)


def _follow(statements: Iterable[Node], slow: Set[Decl]) -> set[Decl]:
    """The variables that statements compute from others."""
    found: set[Decl] = set()
    for node in (n for s in statements for n in s.walk()):
        value = initializer(node) if node.kind == "VAR_DECL" else None
        if node.assigns and node.children[0].kind == "DECL_REF_EXPR":
            value = node
        if value is not None and variables(value) & (slow | found):
            decl = node.decl if node.kind == "VAR_DECL" else node.children[0].decl
            found |= {decl} if decl is not None else set()
    return found


def _chooses(statements: Iterable[Node], slow: Set[Decl]) -> bool:
    """Whether statements choose a way by comparing numbers with one of some variables.

    Choices by integers are often no jumps: compilers have instructions that move by a condition.
    """
    return any(
        variables(n) & slow
        for s in statements for each in s.walk() for condition in _conditions(each)
        for n in condition.walk()
        if n.op in COMPARISONS and any(c.bare.type.kind == "float" for c in n.children)
    )  # fmt: skip


def _conditions(node: Node) -> Iterator[Node]:
    if node.kind in _BRANCHES:
        yield node.children[0]
    elif node.op in ("&&", "||"):
        yield node
    elif node.kind == "FOR_STMT" and len(node.children) == 4:
        yield node.children[1]
    elif node.kind == "DO_STMT":
        yield node.children[-1]


class _Variables:
    """Finds what goes from stage to stage."""

    def __init__(self, function: Function, nest: Nest, tracked: Tracked) -> None:
        self.function = function
        self.nest = nest
        self.tracked = tracked
        body = nest.inner.body
        self.inside = {n.decl for n in body.walk() if n.kind == "VAR_DECL" and n.decl is not None}

    def values(self, stages: Sequence[tuple[Node, ...]]) -> Values | None:
        """The stages with their variables; None where one of these has no value to be kept."""
        setup, work = self.nest.setup, self.nest.work
        own = {d for s in setup for d in (*s.assigned, *_declared(s))}
        valued = {d for s in setup for d in _sets(s)}
        later = own | {d for s in stages[:-1] for v in s for d in (*v.assigned, *_declared(v))}
        used = {d for s in work for d in variables(s)}
        if not self._are_plain(own & used, valued, later):
            return None
        last = {d for s in stages[-1] for d in variables(s)}
        ends = last | {d for d in later - own if d not in self.inside and self._is_live(d)}
        found: list[Stage] = []
        for place, statements in enumerate(stages):
            needed = {d for s in stages[place + 1 : -1] for v in s for d in variables(v)} | ends
            declared = {d for s in statements for d in _declared(s)}
            set_ = {d for s in statements for d in _sets(s)}
            named = {d for s in statements for d in variables(s)} & later - declared
            named |= ends & later - declared if statements is stages[-1] else set()
            gives = (set_ & needed) if statements is not stages[-1] else set()
            found.append(
                Stage(
                    statements, _sorted(named & valued), _sorted(named - valued), _sorted(gives)
                )
            )  # fmt: skip
            valued |= set_
        given = _sorted({d for s in found for d in s.takes} & own)
        return Values(tuple(found), given, frozenset(self.inside))

    def _are_plain(self, shared: set[Decl], valued: set[Decl], later: set[Decl]) -> bool:
        """Whether variables are numbers that have a value, and names of their own."""
        work = (*self.nest.setup, *self.nest.work)
        names = [d.name for statement in work for d in _declared(statement)]
        names += [d.name for d in later - self.inside]
        return (
            shared <= valued
            and all(_is_number(d, self.tracked) for d in shared)
            and len(names) == len(set(names))
            and not {d.name for d in self.inside - later} & {d.name for d in later}
        )

    def _is_live(self, decl: Decl) -> bool:
        return not dead_after(self.function.node, [self.nest.whole], decl)


def _declared(statement: Node) -> Iterator[Decl]:
    if statement.kind == "DECL_STMT":
        yield from (c.decl for c in statement.children if c.decl is not None)


def _sets(statement: Node) -> Iterator[Decl]:
    """The variables that a statement sets whenever it runs."""
    if statement.kind == "DECL_STMT":
        for child in statement.children:
            if child.decl is not None and initializer(child) is not None:
                yield child.decl
    elif statement.assigns and statement.children[0].kind == "DECL_REF_EXPR":
        decl = statement.children[0].decl
        if decl is not None:
            yield decl


def _sorted(decls: Iterable[Decl]) -> tuple[Decl, ...]:
    return tuple(sorted(decls, key=lambda d: d.offset))
