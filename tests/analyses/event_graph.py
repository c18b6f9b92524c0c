"""Small OpenMP programs, their text, and their order from an explicit graph of events.

``Execution`` runs a program serially and notes each event and what it surely waits for; one event
happens before another where a path leads to it. Pieces of work whose thread is not known are given
to threads of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Instance = tuple[int, tuple[int, ...]]
"""A statement's number and the values of the loops around it."""


@dataclass(frozen=True)
class Work:
    """A statement; its number is its place in the text."""


@dataclass(frozen=True)
class Loop:
    """A sequential loop of two iterations."""

    body: tuple[Node, ...]


@dataclass(frozen=True)
class Region:
    """A construct around a block: task, taskloop, taskgroup, single, master, ordered, parallel."""

    kind: str
    body: tuple[Node, ...]
    clauses: tuple[str, ...] = ()
    depends: tuple[tuple[str, str], ...] = ()
    """Pairs of ``in`` or ``out`` and the tag: a number, or ``i`` for the innermost loop."""


@dataclass(frozen=True)
class Sharing:
    """A worksharing loop of two iterations from ``first`` on."""

    body: tuple[Node, ...]
    first: int = 0
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sections:
    """Blocks for different threads."""

    blocks: tuple[tuple[Node, ...], ...]
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wait:
    """``taskwait`` or ``barrier``."""

    kind: str


Node = Work | Loop | Region | Sharing | Sections | Wait


# -- text -------------------------------------------------------------------------------------


@dataclass
class Printer:
    lines: list[str] = field(default_factory=list)
    works: int = 0
    loops: int = 0

    def program(self, nodes: tuple[Node, ...]) -> str:
        self.block(nodes, ())
        return "int x[100], d[100];\nvoid f(void)\n{\n" + "\n".join(self.lines) + "\n}\n"

    def block(self, nodes: tuple[Node, ...], around: tuple[str, ...]) -> None:
        for node in nodes:
            self.node(node, around)

    def braced(self, nodes: tuple[Node, ...], around: tuple[str, ...]) -> None:
        self.lines.append("{")
        self.block(nodes, around)
        self.lines.append("}")

    def node(self, node: Node, around: tuple[str, ...]) -> None:
        if isinstance(node, Work):
            self.works += 1
            self.lines.append(f"x[{self.works}] = d[99];")
        elif isinstance(node, Wait):
            self.lines.append(f"#pragma omp {node.kind}")
        elif isinstance(node, Loop):
            self.loop(node.body, 0, around)
        elif isinstance(node, Sharing):
            self.lines.append(f"#pragma omp for {' '.join(node.clauses)}")
            self.loop(node.body, node.first, around)
        elif isinstance(node, Sections):
            self.lines.append(f"#pragma omp sections {' '.join(node.clauses)}")
            self.lines.append("{")
            for block in node.blocks:
                self.lines.append("#pragma omp section")
                self.braced(block, around)
            self.lines.append("}")
        else:
            tags = [f"depend({k}: d[{self.tag(t, around)}])" for k, t in node.depends]
            self.lines.append(f"#pragma omp {node.kind} {' '.join([*node.clauses, *tags])}")
            if node.kind == "taskloop":
                self.loop(node.body, 0, around)
            else:
                self.braced(node.body, around)

    def tag(self, tag: str, around: tuple[str, ...]) -> str:
        return (around[-1] if around else "0") if tag == "i" else tag

    def loop(self, body: tuple[Node, ...], first: int, around: tuple[str, ...]) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        self.lines.append(f"for (int {name} = {first}; {name} < {first + 2}; {name}++)")
        self.braced(body, (*around, name))


# -- events -----------------------------------------------------------------------------------


@dataclass(eq=False)
class Context:
    """A task, explicit or implicit: where it is, what it has spawned."""

    last: int
    children: list[int] = field(default_factory=list)
    siblings: list[tuple[tuple[tuple[str, int], ...], int]] = field(default_factory=list)
    groups: tuple[list[int], ...] = ()


@dataclass
class Execution:
    """``order`` has the pairs of statement instances of which the first happens before."""

    edges: list[list[int]] = field(default_factory=list)
    instances: dict[int, Instance] = field(default_factory=dict)
    threads: dict[object, Context] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    fresh: int = 0
    numbers: dict[int, int] = field(default_factory=dict)
    ordered: list[int] = field(default_factory=list)
    opened: list[dict[Context, list[int]]] = field(default_factory=list)
    """The taskgroups that all threads have entered: what each has spawned inside."""

    def run(self, nodes: tuple[Node, ...]) -> set[tuple[Instance, Instance]]:
        self.base = self.event()
        self._number(nodes)
        self.serial(nodes, ())
        return set(self._order())

    def _number(self, nodes: tuple[Node, ...]) -> None:
        """Number statements by their place; equal nodes are told apart by identity."""
        for node in nodes:
            if isinstance(node, Work):
                assert id(node) not in self.numbers
                self.numbers[id(node)] = len(self.numbers) + 1
            elif isinstance(node, Sections):
                for block in node.blocks:
                    self._number(block)
            elif not isinstance(node, Wait):
                self._number(node.body)

    def event(self, *after: int) -> int:
        self.edges.append(list(after))
        return len(self.edges) - 1

    def _order(self) -> list[tuple[Instance, Instance]]:
        reached: list[set[int]] = []
        for waits in self.edges:
            reached.append(set(waits).union(*(reached[w] for w in waits)))
        return [
            (self.instances[a], self.instances[b])
            for b in self.instances for a in reached[b] if a in self.instances
        ]  # fmt: skip

    # -- outside of and in parallel regions

    def serial(self, nodes: tuple[Node, ...], values: tuple[int, ...]) -> None:
        for node in nodes:
            if isinstance(node, Loop):
                for i in range(2):
                    self.serial(node.body, (*values, i))
            else:
                assert isinstance(node, Region)
                self.threads = {}
                self.team(node.body, values)
                self.barrier()

    def thread(self, key: object = None) -> Context:
        if key is None:
            self.fresh += 1
            key = self.fresh
        return self.threads.setdefault(key, Context(self.base))

    def barrier(self) -> None:
        """All tasks of the team are complete after it."""
        self.base = self.event(self.base, *self.ends, *(c.last for c in self.threads.values()))
        for context in self.threads.values():
            context.last = self.base

    def team(self, nodes: tuple[Node, ...], values: tuple[int, ...]) -> None:
        """What every thread meets."""
        for node in nodes:
            if isinstance(node, Loop):
                for i in range(2):
                    self.team(node.body, (*values, i))
            elif isinstance(node, Wait):
                self.wait_of_all(node)
            elif isinstance(node, Region) and node.kind == "taskgroup":
                self.group_of_all(node, values)
            else:
                self.share(node, values)
                if not isinstance(node, Region) or node.kind == "single":
                    assert not isinstance(node, Work)
                    if "nowait" not in node.clauses:
                        self.barrier()

    def wait_of_all(self, node: Wait) -> None:
        if node.kind == "barrier":
            self.barrier()
            return
        for context in self.threads.values():
            context.last = self.event(context.last, *context.children)

    def group_of_all(self, node: Region, values: tuple[int, ...]) -> None:
        """Each thread has a taskgroup of its own and waits at its end for the tasks inside."""
        found: dict[Context, list[int]] = {}
        self.opened.append(found)
        self.team(node.body, values)
        self.opened.pop()
        for context, ends in found.items():
            context.last = self.event(context.last, *ends)

    def share(self, node: Node, values: tuple[int, ...]) -> None:
        if isinstance(node, Region):
            self.piece(self.thread("master" if node.kind == "master" else None), node.body, values)
        elif isinstance(node, Sections):
            for block in node.blocks:
                self.piece(self.thread(), block, values)
        elif isinstance(node, Sharing):
            self.ordered = []
            for i in range(2):
                static = not any("dynamic" in c for c in node.clauses)
                context = self.thread(("share", i) if static else None)
                self.piece(context, node.body, (*values, node.first + i))

    def piece(self, context: Context, body: tuple[Node, ...], values: tuple[int, ...]) -> None:
        """What one thread executes."""
        context.groups = tuple(found.setdefault(context, []) for found in self.opened)
        self.code(body, values, context)

    # -- in one task

    def code(self, nodes: tuple[Node, ...], values: tuple[int, ...], context: Context) -> None:
        for node in nodes:
            if isinstance(node, Work):
                context.last = self.event(context.last)
                self.instances[context.last] = (self.numbers[id(node)], values)
            elif isinstance(node, Wait):
                context.last = self.event(context.last, *context.children)
            elif isinstance(node, Loop):
                for i in range(2):
                    self.code(node.body, (*values, i), context)
            else:
                assert isinstance(node, Region)
                self.construct(node, values, context)

    def construct(self, node: Region, values: tuple[int, ...], context: Context) -> None:
        if node.kind == "ordered":
            context.last = self.event(context.last, *self.ordered)
            self.code(node.body, values, context)
            self.ordered.append(context.last)
        elif node.kind == "taskgroup" or (
            node.kind == "taskloop" and "nogroup" not in node.clauses
        ):
            outer = context.groups
            ends: list[int] = []
            context.groups = (*outer, ends)
            if node.kind == "taskgroup":
                self.code(node.body, values, context)
            else:
                self.taskloop(node, values, context)
            context.groups = outer
            context.last = self.event(context.last, *ends)
        elif node.kind == "taskloop":
            self.taskloop(node, values, context)
        else:
            self.task(node, values, context)

    def taskloop(self, node: Region, values: tuple[int, ...], context: Context) -> None:
        for i in range(2):
            self.task(Region("task", node.body), (*values, i), context)

    def task(self, node: Region, values: tuple[int, ...], context: Context) -> None:
        tags = tuple(
            (kind, (values[-1] if values else 0) if tag == "i" else int(tag))
            for kind, tag in node.depends
        )
        waits = [
            end for others, end in context.siblings
            if any(a[1] == b[1] and "out" in (a[0], b[0]) for a in others for b in tags)
        ]  # fmt: skip
        start = self.event(context.last, *waits)
        inner = Context(start, groups=context.groups)
        self.code(node.body, values, inner)
        end = inner.last
        context.children.append(end)
        context.siblings.append((tags, end))
        self.ends.append(end)
        for group in context.groups:
            group.append(end)
        if "if(0)" in node.clauses:
            context.last = self.event(context.last, end)
