"""OpenMP constructs: teams, what they share out, tasks, and what excludes or waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import field

from s2s.frontends.c.executed.parts import (
    Part,
    count_collapsed,
    is_understood,
    makes_all_final,
    named_in,
    never_parallel,
    tags_of,
    words_of,
)
from s2s.frontends.c.executed.recorder import TooMuch
from s2s.frontends.c.executed.statements import Statements
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.openmp.constructs import Attached, runs_at_once
from s2s.frontends.openmp.directives import Directive
from s2s.scop.executions import Atom, Role, Scope, Wait
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_PRIVATE = ("private", "lastprivate", "reduction", "linear", "in_reduction", "task_reduction")
_IGNORED = frozenset({"flush", "taskyield", "declare simd", "threadprivate", "declare reduction",
                      "declare target", "end declare target", "nothing"})  # fmt: skip


@dataclass
class Constructs(Statements):
    """Reads statements with the directives that govern them."""

    attached: Attached = field(default_factory=lambda: Attached((), lambda at: at))
    changed_in: Callable[[Node], frozenset[Decl]] = lambda node: frozenset()
    """What a statement, with its callees, assigns."""
    _serialized: int = 0
    _siblings: dict[Scope | None, list[Scope]] = field(default_factory=dict)

    def statement(self, node: Node) -> None:
        governing = self.attached.before(node.span.start)
        if not all(is_understood(directive) for directive in governing):
            raise TooMuch
        self._construct([(word, d) for d in governing for word in words_of(d)], node)

    def is_free(self, node: Node) -> bool:
        return not self.attached.before(node.span.start)

    def has_directives(self, node: Node) -> bool:
        return bool(self.attached.within(node.span))

    def directives_between(self, start: int, end: int) -> None:
        for directive in self.attached.standalone_between(start, end):
            self._standalone(directive)

    def _standalone(self, directive: Directive) -> None:
        if directive.name == "barrier":
            if not self._serialized:
                self.mark(Wait.BARRIER)
        elif directive.name == "taskwait":
            tags = tags_of(directive)
            if tags:
                self._numbered_wait(tags)
            else:
                self.mark(Wait.CHILDREN)
        elif directive.name == "ordered":
            self._order()
        elif directive.name not in _IGNORED:
            self.distrust()

    def _numbered_wait(self, tags: tuple[tuple[object, str], ...]) -> None:
        """Waits for siblings as an empty task that is executed at once would."""
        with self.scope(Role.BLOCK) as at:
            pass
        at.depends, at.loops = tags, self._loops()
        self._tag(at)
        self.mark(Wait.DEPENDS, at)

    def _construct(self, names: list[tuple[str, Directive]], node: Node) -> None:
        """The outermost construct, with the others inside."""
        if not names:
            self.plain(node)
            return
        (word, directive), rest = names[0], names[1:]
        known = self._handlers().get(word)
        if known is None:
            raise TooMuch
        known(Part(directive, node, rest))

    def _handlers(self) -> dict[str, Callable[[Part], None]]:
        return {
            "parallel": self._parallel, "teams": self._teams, "distribute": self._distribution,
            "for": self._for, "simd": self._simd, "sections": self._sections,
            "section": self._go_on, "single": self._single, "master": self._master,
            "task": self._task, "taskloop": self._taskloop, "taskgroup": self._taskgroup,
            "critical": self._critical, "atomic": self._atomically, "ordered": self._ordered,
            "target": self._target, "data": self._go_on,
        }  # fmt: skip

    def _go_on(self, part: Part) -> None:
        self._construct(part.rest, part.node)

    # -- whose variables --------------------------------------------------------------------

    @contextmanager
    def _sharing(self, part: Part) -> Iterator[None]:
        """Variables that clauses make private; first values are kept where a clause says so."""
        named = named_in(part.node)
        with ExitStack() as stack:
            first = part.directive.listed("firstprivate")
            kept = [d for n in first if (d := named.get(n)) is not None]
            fresh = [
                d for n in part.directive.listed(*_PRIVATE)
                if (d := named.get(n)) is not None and d not in kept
            ]  # fmt: skip
            stack.enter_context(self.owned(kept, keep=True))
            stack.enter_context(self.owned(fresh))
            yield

    # -- teams ------------------------------------------------------------------------------

    def _parallel(self, part: Part) -> None:
        threads = self._size_of(part, "num_threads")
        nested = any(s.role is Role.PARALLEL for s in self.stack)
        if (
            nested
            or self.alone
            or threads == Polynomial.integer(1)
            or never_parallel(part.directive)
        ):
            self._serial(part)
            return
        self._team(part, Role.PARALLEL, threads)

    def _teams(self, part: Part) -> None:
        number = self._size_of(part, "num_teams")
        if number == Polynomial.integer(1) or self.region is not None:
            with self._sharing(part):
                self._go_on(part)
            return
        if [w for w, _ in part.rest[:2]] == ["distribute", "parallel"]:
            part = part.without("parallel")
        self._team(part, Role.TEAMS, number)

    def _size_of(self, part: Part, clause: str) -> Polynomial | None:
        found = part.directive.clause(clause)
        text = found.argument.strip() if found is not None else ""
        if text.isdigit():
            return Polynomial.integer(int(text))
        return None

    def _serial(self, part: Part) -> None:
        """A team of one thread shares nothing out and waits for nobody."""
        self._serialized += 1
        try:
            with self._sharing(part):
                self._go_on(part)
        finally:
            self._serialized -= 1

    def _team(self, part: Part, role: Role, size: Polynomial | None) -> None:
        number = self.symbol("t", local=True)
        outermost = self.region is None
        self.threads[number] = size or Polynomial.name(self.symbol("T", local=False))
        before, changing, locks = dict(self.known), self.changing, self.locks
        doubt, self.doubt = self.doubt, self.doubt if self.region is not None else 0
        assigned = self.changed_in(part.node)
        if outermost:
            self.changing = assigned
        with self.scope(role, (number,)), self._sharing(part):
            self.locks = {}
            self._go_on(part)
        self.changing, self.known, self.locks = changing, before, locks
        self.doubt = doubt
        if outermost:
            self.spun = False
        self.forget(assigned)

    # -- what a team shares out -------------------------------------------------------------

    def _is_bound(self) -> bool:
        """Whether there is a team that shares constructs out."""
        return not self._serialized and self.team is not None

    def _finish(self, part: Part) -> None:
        """The threads' partial results are combined, and wait for each other."""
        named, locks = named_in(part.node), self.locks
        self.locks = {**locks, "reduction": 1}
        for decl in (named.get(name) for name in part.directive.listed("reduction")):
            if decl is not None:
                self.record(self.variable(decl), part.directive.span, write=True)
        self.locks = locks
        combined = any(w == "parallel" for w in words_of(part.directive))
        waits = part.directive.clause("nowait") is None and not combined
        team = self.team
        if waits and team is not None and team.role is Role.PARALLEL:
            self.mark(Wait.BARRIER)

    def _for(self, part: Part) -> None:
        if not self._is_bound():
            with self._sharing(part):
                self._own_loop(part, Role.LOOP)
            return
        with self._sharing(part):
            self._own_loop(part, Role.SHARED_LOOP)
        self._finish(part)

    def _distribution(self, part: Part) -> None:
        words = [w for w, _ in part.rest]
        team = self.team
        if words[:1] == ["for"]:  # with what "distribute parallel" left in a league
            self._go_on(part)
            return
        if team is not None and team.role is Role.TEAMS and words[:1] == ["parallel"]:
            self._go_on(part.without("parallel"))
            return
        if team is None or team.role is not Role.TEAMS:
            if words[:1] == ["parallel"]:
                self._go_on(part)
                return
            self._serial(part)
            return
        with self._sharing(part):
            self._own_loop(part, Role.SHARED_LOOP)

    def _own_loop(self, part: Part, role: Role) -> None:
        """The loop of a construct; what is combined with it adds nothing inside."""
        directive = part.directive
        schedule = directive.clause("schedule")
        kind = schedule.argument.split(":")[-1].split(",")[0].strip() if schedule else "static"
        self.shared_loop(part.node, role, count_collapsed(directive), static=kind == "static")

    def _simd(self, part: Part) -> None:
        if part.node.kind != "FOR_STMT":
            raise TooMuch
        directive = part.directive
        length = directive.clause("safelen")

        def lane(body: Node) -> None:
            with self._sharing(part), self.scope(Role.BLOCK):
                self.statement(body)

        scope = self.shared_loop(part.node, Role.SIMD, count_collapsed(directive), lane)
        if scope is not None and length is not None:
            text = length.argument.strip()
            scope.safelen = int(text) if text.isdigit() else 2

    def _sections(self, part: Part) -> None:
        role = Role.SECTIONS if self._is_bound() else Role.BLOCK
        with self._sharing(part), self.scope(role):
            spun = [self.spun]
            for section in self._split(part.node):
                before = dict(self.known)
                with self.scope(Role.BLOCK):
                    for node in section:
                        self.statement(node)
                if role is Role.SECTIONS:
                    spun.append(self.spun)
                    self.known, self.spun = before, spun[0]
            self.spun = any(spun)
        self.forget(self.changed_in(part.node))
        self._finish(part)

    def _split(self, node: Node) -> list[list[Node]]:
        """The statements of each section; the first one's directive may be left out."""
        sections: list[list[Node]] = []
        for child in node.children:
            starts = any(d.name == "section" for d in self.attached.before(child.span.start))
            if starts or not sections:
                sections.append([])
            sections[-1].append(child)
        return sections

    def _single(self, part: Part) -> None:
        self._once(part, Role.SINGLE)
        self._finish(part)

    def _master(self, part: Part) -> None:
        if part.directive.clause("filter") is not None:
            raise TooMuch
        team = self.team
        if self._is_bound() and team is not None:
            here = Atom(Polynomial.name(team.symbols[0]), "=")
            with self.under(here):
                self._once(part, Role.MASTER)
        else:
            self._go_on(part)

    def _once(self, part: Part, role: Role) -> None:
        """What one thread executes; the others do not see what it sets of their own variables."""
        before = dict(self.known)
        with self._sharing(part), self.scope(role if self._is_bound() else Role.BLOCK):
            self._go_on(part)
        if self._is_bound():
            self.known = before
            self.forget(self.changed_in(part.node))

    # -- tasks ------------------------------------------------------------------------------

    def _task(self, part: Part) -> None:
        directive = part.directive
        with self._as_task(directive, part.node) as task:
            task.undeferred = task.undeferred or runs_at_once(directive)
            task.final = task.final or makes_all_final(directive)
            task.depends = tags_of(directive)
            self._tag(task)
            excluded = [("mutex", name) for name, kind in task.depends if kind == "mutexinoutset"]
            locks, self.locks = self.locks, dict.fromkeys(excluded, 1)
            with self._sharing(part):
                self._go_on(part)
            self.locks = locks
        if task.undeferred and task.depends:
            self.mark(Wait.DEPENDS, task)

    @contextmanager
    def _as_task(self, directive: Directive, node: Node) -> Iterator[Scope]:
        """A task with its own copies of what is private around it."""
        before = dict(self.known)
        shared = set(directive.listed("shared", *_PRIVATE, "firstprivate"))
        default = directive.clause("default")
        everything = default is not None and default.argument.strip() == "shared"
        own = [
            d for d in node.decls
            if d is not None and d in self.owners and not self.is_shared(d)
            and d.kind in ("VAR_DECL", "PARM_DECL") and d.name not in shared
        ]  # fmt: skip
        final = any(s.final for s in self.stack)
        with self.scope(Role.TASK) as task:
            task.undeferred = task.final = final
            with self.owned([] if everything else own, keep=True):
                yield task
        self.known = before
        self.forget([d for d in self.changed_in(node) if d not in own])

    def _loops(self) -> frozenset[Scope]:
        return frozenset(s for s in self.stack if s.role in (Role.LOOP, Role.SHARED_LOOP))

    def _tag(self, task: Scope) -> None:
        """Note a task among those that its tags may have to do with."""
        parents = (s for s in reversed(self.stack[: task.depth])
                   if s.role in (Role.TASK, Role.PARALLEL, Role.TEAMS))  # fmt: skip
        task.loops = self._loops()
        siblings = self._siblings.setdefault(next(parents, None), [])
        task.siblings = siblings
        if task.depends:
            siblings.append(task)

    def _taskloop(self, part: Part) -> None:
        grouped = Role.TASKGROUP if part.directive.clause("nogroup") is None else Role.BLOCK

        def spawn(body: Node) -> None:
            with self._as_task(part.directive, body) as task, self._sharing(part):
                task.undeferred = task.undeferred or runs_at_once(part.directive)
                self.statement(body)

        with self.scope(grouped):
            self.shared_loop(part.node, Role.LOOP, count_collapsed(part.directive), spawn)

    def _taskgroup(self, part: Part) -> None:
        with self.scope(Role.TASKGROUP):
            self._go_on(part)

    def _target(self, part: Part) -> None:
        if part.directive.clause("nowait") is not None:
            raise TooMuch
        self._go_on(part)

    # -- exclusion --------------------------------------------------------------------------

    def _critical(self, part: Part) -> None:
        name = next((c.argument for c in part.directive.clauses if not c.name), "")
        locks = self.locks
        self.locks = {**locks, ("critical", name): 1}
        with self.scope(Role.BLOCK):
            self._go_on(part)
        self.locks = {k: n for k, n in self.locks.items() if k != ("critical", name)}

    def _atomically(self, part: Part) -> None:
        """The statement's accesses to the variable that it updates, reads or writes."""
        before = self.atomic
        node = part.node
        capture = part.directive.clause("capture") is not None or node.kind == "COMPOUND_STMT"
        side = 1 if part.directive.clause("read") is not None else 0
        target = node.children[side] if len(node.children) > side and not capture else None
        self.atomic = True
        if target is not None:
            with self.under(None, 2):
                found = self.lvalue(target)
            self.atomic = found.place.root if found.place is not None else True
        self._go_on(part)
        self.atomic = before

    def _order(self) -> None:
        """Iterations may wait for others here, with all that is before or behind."""
        for scope in self.stack:
            scope.ordered_iterations = scope.role is Role.SHARED_LOOP

    def _ordered(self, part: Part) -> None:
        self._order()
        with self.scope(Role.ORDERED):
            self._go_on(part)
