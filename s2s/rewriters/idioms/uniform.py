"""Loops with conditional stores: strips of iterations that all go the same way.

::

    for (i = 0; i < n; i++)            while (i < n) {
        if (b[i] > 0) {                    for (; some iterations; i++)    /* as they were */
            j++;                               if (b[i] > 0) { j++; a[j] = b[i]; }
            a[j] = b[i];        ->         while (64 more iterations) {
        }                                      int n = 0;
                                               for (l = 0; l < 64; l++) n += b[i + l] > 0;
                                               if (n == 64)
                                                   for (l = 0; l < 64; l++) a[++j] = b[i + l];
                                               else if (n != 0) break;
                                               i += 64;
                                           }
                                       }

The conditions of a strip are evaluated together, before it. Where they are all true, or all
false, its iterations are straight code: what is packed, or stored now and then, makes vectors with
plain stores. No element is stored that the source does not store, and nothing is loaded that it
does not load. Other strips run the source's loop, and the next test is put off.

What has to be proved is that a condition has the value ahead of the strip that it has in its
iteration: nothing that earlier iterations of the strip, or statements before it, store.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from s2s.frontends.c.counted_loops import step_of
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import read_parenthesized
from s2s.rewriters.expressions import (
    ElementRead,
    divides_integers,
    is_pure,
    loads,
    unit_stride,
    variables,
)
from s2s.rewriters.idioms.conditions import STRIP_BYTES, checks, element_size, widens
from s2s.rewriters.idioms.events import Hit, Writes, is_private
from s2s.rewriters.idioms.loops import (
    CountedLoop,
    Unproved,
    Unsuitable,
    counted_loop,
    known_range,
)
from s2s.rewriters.idioms.reach import Reach, apart
from s2s.rewriters.idioms.room import check_room
from s2s.rewriters.idioms.straight import are_vectors, is_same_work
from s2s.rewriters.idioms.target import Target
from s2s.rewriters.idioms.traces import check_body, follow, jumps
from s2s.source.records import dataclass

# A count of the iterations of a strip has to fit the integer of an element's size.
_LONGEST_STRIP = 127
# Conditions below each other, and statements of the body: each way is written out.
_DEEPEST, _MOST_STATEMENTS = 2, 24
# Strips that a loop needs to be tested at all, and that run as they were after a mixed one: a test
# then costs two percent at most. More where the source's loop makes vectors with masks.
_WAIT, _WAIT_WITH_MASKS = 8, 32


@dataclass(frozen=True)
class Way:
    """What each iteration of a strip runs: ``parts``, or, where that is None, the source's body."""

    parts: tuple[Node | str, ...] | None

    @property
    def nodes(self) -> list[Node]:
        return [p for p in self.parts or () if isinstance(p, Node)]


@dataclass(frozen=True)
class Fork:
    """A condition that is evaluated for the whole strip, and what follows from its outcome.

    ``element`` is the size of what it compares, in bytes.
    """

    hit: Hit
    element: int
    yes: Fork | Way
    no: Fork | Way

    def ways(self) -> Iterator[Way]:
        for side in (self.yes, self.no):
            if isinstance(side, Way):
                yield side
            else:
                yield from side.ways()

    def forks(self) -> Iterator[Fork]:
        yield self
        for side in (self.yes, self.no):
            if isinstance(side, Fork):
                yield from side.forks()


@dataclass(frozen=True)
class Uniform:
    """A loop with its conditions; ``checks`` are C conditions under which strips may be tested.

    ``masks``: with masked stores the compiler would make vectors of the source's loop. ``rolled``:
    it must not write out the loops over strips before it makes vectors of them.
    """

    loop: CountedLoop
    root: Fork
    size: int
    checks: tuple[str, ...]
    masks: bool
    rolled: bool

    @property
    def least(self) -> int:
        """Iterations that make a first test worth it, and that run as they were after one."""
        return self.size * (_WAIT_WITH_MASKS if self.masks else _WAIT)

    @property
    def reason(self) -> str:
        return f"strips of {self.size} iterations that all go the same way are straight code"


def find_uniform(function: Function, node: Node, target: Target) -> Uniform:
    """Recognise a loop. Raises Unsuitable."""
    body = node.children[-1].statements
    if node.kind != "FOR_STMT" or not any(n.kind == "IF_STMT" for s in body for n in s.walk()):
        raise Unsuitable(node, "nothing in the loop is conditional")
    loop = _header_only(counted_loop(function, node))
    check_body(body)
    found = _Ways(function, loop, body)
    if not any(s.root is not None for s in found.stores):
        raise Unsuitable(node, "the loop stores nothing")
    root = found.tree({}, frozenset(), 0)
    if isinstance(root, Way):
        raise found.refused or Unsuitable(node, "no condition can be evaluated ahead")
    masks = _check_gain(loop, found, root, target)
    try:
        found.check_bound()
        size = found.size(root)
        rolled = target.compiler == "clang" and found.may_overlap()
        uniform = Uniform(loop, root, size, found.asked(root, size), masks, rolled)
    except Unsuitable as problem:
        raise Unproved(problem.node, problem.reason) from None
    first, last = known_range(loop)
    if first is not None and last is not None and last - first < uniform.least * abs(loop.step):
        raise Unsuitable(node, "the loop is too short for strips")
    check_room(node, body, found.steps | dict.fromkeys(found.stepped, 1), uniform.size)
    return uniform


def _header_only(loop: CountedLoop) -> CountedLoop:
    """The loop as its header counts: what its body advances stays where it is."""
    if loop.counter.node is not None:
        raise Unsuitable(loop.node, "the counter advances in the body")
    kept = tuple(i for i in loop.inductions if i.node is None)
    if any(i.step is None for i in kept):
        raise Unsuitable(loop.node, "a variable advances by a step that is not constant")
    names = {i.decl.name for i in kept}
    for inner in loop.body.walk():
        if inner.kind == "VAR_DECL" and inner.name in names:
            raise Unsuitable(inner, "the counter is hidden")
    return replace(loop, inductions=kept)


class _Ways:
    """The ways through one body, and what is proved of the conditions that tell them apart."""

    def __init__(self, function: Function, loop: CountedLoop, body: list[Node]) -> None:
        self.function = function
        self.loop = loop
        self.body = body
        self.writes = Writes.of(body)
        self.steps: dict[Decl, int] = {i.decl: i.step or 0 for i in loop.inductions}
        self.stepped = dict(_stepped(function, body))
        self.stores = list(self._stores())
        self.refused: Unsuitable | None = None
        if self.writes.anything or len(list(_statements(body))) > _MOST_STATEMENTS:
            raise Unsuitable(loop.node, "the body is too long, or does more than store elements")

    def _stores(self) -> Iterator[ElementRead]:
        stepping = {*self.steps, *self.stepped}
        for statement in self.body:
            for node in statement.walk():
                if not node.assigns:
                    continue
                target = node.children[0]
                if target.kind == "DECL_REF_EXPR":
                    continue
                store, *rest = [*loads(target, stepping)] or [None]
                moved = variables(target) & (self.writes.scalars - stepping)
                if store is None or rest or moved or target.kind != "ARRAY_SUBSCRIPT_EXPR":
                    raise Unsuitable(target, "what the loop writes is not understood")
                yield store

    # -- the conditions, one below the other ----------------------------------------------------

    def tree(self, outcomes: dict[int, bool], whole: Set[int], depth: int) -> Fork | Way:
        """What follows from the outcomes of some ifs; those in ``whole`` are not asked."""
        trace = follow(self.body, outcomes, whole)
        while trace.asked is not None:
            guard = trace.asked
            try:
                if depth == _DEEPEST:
                    raise Unsuitable(guard, "too many conditions below each other")
                hit, element = self._ahead(guard, trace.nodes)
            except Unsuitable as problem:
                self.refused = self.refused or problem
                if jumps(guard):
                    return Way(None)
                whole = {*whole, id(guard)}
                trace = follow(self.body, outcomes, whole)
                continue
            yes, no = (
                self.tree({**outcomes, id(guard): o}, whole, depth + 1) for o in (True, False)
            )
            if yes == no == Way(None):
                return yes
            return Fork(hit, element, yes, no)
        fits = are_vectors(trace.nodes, self.steps, {*self.stepped})
        return Way(trace.parts if fits else None)

    def _ahead(self, guard: Node, before: list[Node]) -> tuple[Hit, int]:
        """An if whose condition may be evaluated ahead of a strip. Raises Unsuitable."""
        condition = guard.children[0]
        span = read_parenthesized(self.function.unit.buffer.data, guard.span.start)
        if span is None or guard.in_macro:
            raise Unsuitable(guard, "the condition's text is not understood")
        if not is_pure(condition) or divides_integers(condition) or widens(condition):
            raise Unsuitable(condition, "the condition has effects, may trap, or is wide")
        changed = sorted(d.name for d in self._changed() & variables(condition))
        if changed:
            raise Unsuitable(condition, f"the condition reads '{changed[0]}', which the loop sets")
        found = self._loads(condition)
        for load in found:
            for store in self.stores:
                self._check_order(load, store, before)
        text = self.function.unit.buffer.text(span).strip()
        return Hit(condition, text, False, ()), element_size(self.loop, found)

    def _changed(self) -> set[Decl]:
        """Variables that the body may change: stores through pointers may lead anywhere."""
        changed = self.writes.scalars | self.writes.declared
        if all(s.root.type.kind == "array" for s in self.stores):
            return changed
        read = {d for s in self.body for d in variables(s)} | variables(self.loop.bound_node)
        open_ = {d for d in read if d.type.kind != "array" and not is_private(self.function, d)}
        return changed | open_

    def _loads(self, condition: Node) -> list[ElementRead]:
        found = []
        for load in loads(condition, set(self.steps)):
            if load is None or not unit_stride(load, self.steps):
                raise Unsuitable(condition, "the condition does not load neighbouring elements")
            found.append(load)
        if not any(load.varies for load in found):
            raise Unsuitable(condition, "the condition does not depend on an array's elements")
        return found

    def _check_order(self, load: ElementRead, store: ElementRead, before: list[Node]) -> None:
        """A store leaves alone what a condition loads in its own and in later iterations."""
        if store.root is not load.root:
            return  # told apart as the code runs, where they are not arrays themselves
        ahead = self._iterations_ahead(load, store)
        if ahead is None or ahead > 0 or -ahead >= _LONGEST_STRIP:
            return
        first = any(n is store.node for root in before for n in root.walk())
        if ahead < 0 or first:
            raise Unsuitable(load.node, f"the condition reads '{load.root.name}' as the loop "
                             "has changed it")  # fmt: skip

    def _iterations_ahead(self, load: ElementRead, store: ElementRead) -> int | None:
        """How many iterations after its load an element is stored; None if never."""
        *outer, last = zip(load.indices, store.indices, strict=True)
        plain = all(a == b and a.variable is None and a.constant is not None for a, b in outer)
        a, b = last
        known = a.variable is b.variable and a.variable in self.steps
        if not plain or not known or a.coefficient != b.coefficient:
            raise Unsuitable(load.node, f"the loop may store what the condition reads of "
                             f"'{load.root.name}'")  # fmt: skip
        if a.constant is None or b.constant is None or not a.coefficient:
            raise Unsuitable(load.node, f"it is not known where in '{load.root.name}' is stored")
        pace = a.coefficient * self.steps[a.variable]  # type: ignore[index]
        distance, rest = divmod(a.constant - b.constant, pace)
        return None if rest else distance

    # -- conditions for strips ------------------------------------------------------------------

    def size(self, root: Fork) -> int:
        """Iterations of a strip."""
        return min(min(STRIP_BYTES // f.element, _LONGEST_STRIP) for f in root.forks())

    def check_bound(self) -> None:
        """The body leaves the loop's bound as it is. Raises Unsuitable."""
        bound = self.loop.bound_node
        if not is_pure(bound) or any(n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in bound.walk()):
            raise Unsuitable(bound, "the loop's bound is in memory")
        if self._changed() & variables(bound):
            raise Unsuitable(bound, "the loop may change its bound")

    def may_overlap(self) -> bool:
        """Whether a compiler cannot tell what is stored from all else that is touched.

        clang writes out short loops first. It then makes vectors of what is known to be apart;
        of loops it does so after a comparison of addresses.
        """
        roots = {e.children[0] for s in self.body for e in s.walk()
                 if e.kind == "ARRAY_SUBSCRIPT_EXPR"}  # fmt: skip
        names = {root.uncast.decl for root in roots}
        return len(names) > 1 and any(s.root.type.kind != "array" for s in self.stores)

    def asked(self, root: Fork, size: int) -> tuple[str, ...]:
        """What has to hold for a strip to be tested. Raises Unsuitable."""
        reach = Reach(self.function.unit.buffer, self.loop, self.stepped, size)
        said: list[str] = []
        for fork in root.forks():
            found = self._loads(fork.hit.condition)
            said += checks(self.loop, found, size)
            for load in found:
                said += (t for s in self.stores if (t := apart(reach, s, load)))
        return tuple(dict.fromkeys(said))


def _stepped(function: Function, body: list[Node]) -> Iterator[tuple[Decl, tuple[int, int]]]:
    """Local integers that the body moves by constants only: how far an iteration may move them."""
    moves: dict[Decl, list[int]] = {}
    for node in (n for statement in body for n in statement.walk()):
        target = node.children[0] if node.assigns else None
        if target is None or target.kind != "DECL_REF_EXPR" or target.decl is None:
            continue
        step = step_of(node, target.decl)
        if step is not None and step.constant is not None:
            moves.setdefault(target.decl, []).append(step.constant)
    assigned = assigned_in(body)
    for decl, amounts in moves.items():
        fits = decl.type.kind == "int" and decl.type.signed and decl.type.size >= 4
        if fits and assigned[decl] == len(amounts) and is_private(function, decl):
            yield decl, (sum(a for a in amounts if a < 0), sum(a for a in amounts if a > 0))


def _statements(body: list[Node]) -> Iterator[Node]:
    """The statements that are no more than an expression, in all blocks and branches."""
    for statement in body:
        if statement.kind in ("COMPOUND_STMT", "LABEL_STMT"):
            yield from _statements(statement.children)
        elif statement.kind == "IF_STMT":
            yield from _statements(statement.children[1:])
        else:
            yield statement


def _check_gain(loop: CountedLoop, found: _Ways, root: Fork, target: Target) -> bool:
    """Whether strips are worth it. True: vectors with masks are all that they save.

    Raises Unsuitable.
    """
    ways = list(root.ways())
    if all(w.parts is None for w in ways):
        raise Unsuitable(loop.node, "no way through the body makes vectors")
    others = found.writes.scalars - {*found.stepped} - {*found.steps} - found.writes.declared
    if any(not _is_set_first(d, ways) for d in others):
        raise Unsuitable(loop.node, "the body carries values in variables")
    traps = target.compiler == "gcc" and not target.fast and any(map(_computes, found.body))
    if traps or found.stepped or any(w.parts is None for w in ways):
        return False
    # clang selects among two values, and masks stores of more.
    selects = target.compiler == "gcc" or len(ways) == 2
    if selects and is_same_work([w.nodes for w in ways]):
        raise Unsuitable(loop.node, "all ways store the same elements")
    return True


def _is_set_first(decl: Decl, ways: list[Way]) -> bool:
    """Whether a variable is set before anything reads it, on all ways that are known."""
    for way in ways:
        named = [n for root in way.nodes for n in root.walk()
                 if n.kind == "DECL_REF_EXPR" and n.decl is decl]  # fmt: skip
        sets = [n.children[0] for root in way.nodes for n in root.walk() if n.op == "="]
        if way.parts is None or (named and not any(n is named[0] for n in sets)):
            return False
    return True


def _computes(statement: Node) -> bool:
    """Whether a conditional statement has operations that gcc does not do without need."""
    return any(
        n.type.kind == "float" and n.op and n.op not in ("=",)
        for root in statement.walk() if root.kind == "IF_STMT"
        for branch in root.children[1:] for n in branch.walk()
    ) or any(n.kind == "GOTO_STMT" for n in statement.walk())  # fmt: skip
