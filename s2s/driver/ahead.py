"""Regions of a long file ahead of their turn, several at once, each as if it came first.

A file's regions say little about each other. What they do: races that were told are not told
again, and all of them together have so much of isl's work and of parsing. Where one of these may
have mattered, what was found ahead is not taken, and the region is worked on in its turn.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

from s2s.driver.races import Told, races_of_functions
from s2s.driver.regions import Regions
from s2s.frontends.c.regions import Attempt, Function, candidates
from s2s.frontends.c.syntax import Node
from s2s.scop.allowance import Allowance
from s2s.source import Edit, Span
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass, make_all

if TYPE_CHECKING:
    from s2s.driver.crew import Crew

Claims = Callable[[Function], frozenset[Span]]
# With less work than that (``_weight``, about 25 ms each) copies of the process bring too little.
_WORK = 48
# Each copy begins without what the others have kept: with 10, SQLite takes 1.5 times the CPU time.
_JOBS = 6
# Many sizes of tiles are tried for a product of matrices, and its text has many loops.
_PRODUCT = 40
_ELEMENT = "ARRAY_SUBSCRIPT_EXPR"
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})
_MODULES = (
    "s2s.driver.region_work", "s2s.driver.rewrite", "s2s.driver.race_reports",
    "s2s.frontends.c.assemble", "s2s.frontends.c.observe", "s2s.frontends.c.reread",
    "s2s.net.nests", "s2s.analyses.concurrency.races", "s2s.analyses.schedule_steps",
    "s2s.transforms.vector.accumulators", "s2s.transforms.vector.lanes",
    "s2s.transforms.vector.ranges", "s2s.transforms.vector.renaming",
)  # fmt: skip


@dataclass(frozen=True)
class Found:
    """What came of one region: ``racing`` are places of its races; ``operations`` are isl's, and
    ``parsed`` the bytes of prepared and edited texts that were parsed for it.
    """

    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...]
    racing: frozenset[frozenset[tuple[str, int, int]]]
    operations: int
    parsed: int


@dataclass(frozen=True)
class _Item:
    """A region that is worked on ahead, and about how much work it is."""

    function: Function
    attempt: Attempt
    weight: int

    @property
    def span(self) -> Span:
        return self.attempt.span


@dataclass
class Ahead:
    """Regions that ``regions`` will be asked for, worked on by copies of this process."""

    regions: Regions
    _crew: Crew | None = None
    _jobs: dict[Span, int] = field(default_factory=dict)
    _answers: dict[int, dict[Span, Found]] = field(default_factory=dict)

    def begin(self, functions: Iterable[Function], claims: Claims) -> None:
        """Start the work where there is much of it.

        ``claims`` are the loops of a function that are left to passes on text.
        """
        items = [item for function in functions for item in self._items(function)]
        if len({item.span for item in items}) != len(items):
            return
        jobs = _shared_out(items)
        if len(jobs) < 2:
            return
        from s2s.driver.crew import Crew  # most files are short

        _load()
        for number, job in enumerate(jobs):
            self._jobs.update(dict.fromkeys((item.span for item in job), number))
        unit, options = self.regions.unit, self.regions.options
        with suppress(OSError):
            work: list[Callable[[], object]] = [partial(self._work, job, claims) for job in jobs]
            work.append(partial(races_of_functions, unit, options))
            self._crew = Crew(work)

    def close(self) -> None:
        """End what is still worked on."""
        if self._crew is not None:
            self._crew.close()

    def take(self, attempt: Attempt) -> list[Edit] | None:
        """The edits of a region, with what is said of it added to what was said before.

        None where it has to be worked on in its turn.
        """
        number = self._jobs.get(attempt.span)
        if self._crew is None or number is None:
            return None
        if number not in self._answers:
            given = self._crew.answer(number) or {}
            self._answers[number] = cast("dict[Span, Found]", given)
        found = self._answers[number].get(attempt.span)
        if found is None or not self._is_same_now(found):
            return None
        remarks = self.regions.remarks
        remarks.allowance.left -= found.operations
        remarks.unit.read_again[0] += found.parsed
        remarks.diagnostics += found.diagnostics
        return list(found.edits)

    @property
    def races(self) -> Told | None:
        """The races that were looked for besides; None where nobody has."""
        if self._crew is None:
            return None
        return cast("Told | None", self._crew.answer(len(set(self._jobs.values()))))

    def _is_same_now(self, found: Found) -> bool:
        """Whether what came of a region is what would come of it after all those before it."""
        from s2s.driver.preparations import MOST_READ
        from s2s.driver.race_reports import places

        remarks = self.regions.remarks
        if Allowance(remarks.allowance.left - found.operations).is_short:
            return False
        if remarks.unit.read_again[0] + found.parsed > MOST_READ:
            return False
        told = (places(d) for d in remarks.diagnostics if d.id == "race")
        return not found.racing or found.racing.isdisjoint(told)

    def _items(self, function: Function) -> Iterator[_Item]:
        for attempt in candidates(function.with_counted_whiles()):
            if self.regions.is_promising(attempt):
                yield _Item(function, attempt, sum(map(_weight, attempt.statements)))

    def _work(self, job: Sequence[_Item], claims: Claims) -> dict[Span, Found]:
        """What comes of some regions, in a process of its own."""
        gc.freeze()
        found = {}
        for item in job:
            self.regions.claimed = claims(item.function)
            found[item.span] = self._found(item.attempt)
        return found

    def _found(self, attempt: Attempt) -> Found:
        remarks = self.regions.remarks
        left, read = remarks.allowance.left, remarks.unit.read_again[0]
        remarks.diagnostics, remarks.racing = [], set()
        edits = self.regions.edits_of(attempt.function, attempt)
        return Found(
            tuple(edits), tuple(remarks.diagnostics), frozenset(remarks.racing),
            left - remarks.allowance.left, remarks.unit.read_again[0] - read,
        )  # fmt: skip


@contextmanager
def working_ahead(
    regions: Regions, functions: Iterable[Function], claims: Claims
) -> Iterator[Ahead | None]:
    """While this lasts, the regions of a long file are worked on ahead of their turn.

    Not where more comes of regions than edits and what is said, or what comes of them is timed.
    """
    options = regions.options
    more = options.explain or options.record or options.strict or options.budget
    if more or options.tune is not None or options.schedule is not None:
        yield None
        return
    ahead = Ahead(regions)
    regions.ahead = ahead.take
    try:
        ahead.begin(functions, claims)
        yield ahead
    finally:
        ahead.close()


def _shared_out(items: Sequence[_Item]) -> list[list[_Item]]:
    """Neighbouring regions in jobs of about as much work; none for a short file.

    Regions that are more than a job come first: at the end all others would wait for one.
    """
    total = _sum(items)
    if total < _WORK:
        return []
    share = total // _JOBS
    jobs: list[list[_Item]] = []
    for item in items:
        if not jobs or _sum(jobs[-1]) + item.weight > share:
            jobs.append([])
        jobs[-1].append(item)
    return sorted(jobs, key=lambda job: _sum(job) <= share)


def _sum(items: Sequence[_Item]) -> int:
    return sum(item.weight for item in items)


def _weight(statement: Node) -> int:
    """About how much work a region is: its loops are regions too, and calls are written out."""
    calls = sum(1 for node in statement.walk() if node.kind == "CALL_EXPR")
    loops, nodes = _size(statement)
    return 1 + 2 * calls + loops // 4 + nodes // 500 + _PRODUCT * _products(statement)


def _products(node: Node, around: int = 0) -> int:
    """How many sums over products of elements stand in three loops or more."""
    if around > 2 and node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and node.op == "+=":
        value = node.children[1]
        parts = [part.walk() for part in value.children] if value.op == "*" else []
        return int(bool(parts) and all(any(n.kind == _ELEMENT for n in part) for part in parts))
    return sum(_products(child, around + node.is_loop) for child in node.children)


def _size(node: Node) -> tuple[int, int]:
    """How many loops a statement has, and how many nodes of syntax these have together."""
    if _LOOPS.isdisjoint(node.kinds):
        return 0, 0
    inside = [_size(child) for child in node.children]
    own = (1, sum(1 for _ in node.walk())) if node.is_loop else (0, 0)
    return own[0] + sum(loops for loops, _ in inside), own[1] + sum(nodes for _, nodes in inside)


def _load() -> None:
    """Load what nearly all regions need, which each copy would load and make by itself."""
    from s2s.driver.passes import DEFAULT

    for place in (*_MODULES, *DEFAULT.values()):
        with suppress(ImportError):
            import_module(place.partition(":")[0])
    make_all()
