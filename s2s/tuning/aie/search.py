"""The auto-tuner: mappings of the space by their lower bounds, then around the best ones.

A bound takes the steps up to the kernel but no simulator (``bound.least``), and is near what the
simulator finds. The one that promises most is looked at or, if it was, simulated (``frontier``);
the search ends when no bound is below the best, or the work that it may do is done. That work is
counted and not timed, and results are taken in the order in which they were asked for: the same
search finds the same on a slow machine and with several processes. What is measured is remembered
at once; a second search begins with that.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from itertools import chain, islice, zip_longest
from math import ceil, inf, isinf

from s2s.scop.contraction import Contraction, Wishes
from s2s.source.records import dataclass
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.mapping_text import from_json, to_json
from s2s.transforms.aie.space import DEFAULT, Limits, mappings
from s2s.tuning.aie.frontier import CLOSE, Frontier, floor
from s2s.tuning.aie.measured import Measured
from s2s.tuning.aie.store import Store
from s2s.tuning.aie.workers import Result, Settled, Workers, workers
from s2s.tuning.status_line import StatusLine

Found = tuple[Mapping, Measured]
"""A mapping, and what the simulator says of its kernel."""

_BEST = 3
_FIRST_PART = 0.8
"""The part of the work after which only the neighbours of the best mappings are tried."""
_HOPELESS = 4
"""Times the work after which a search without any kernel ends."""
UNPACKED = 0.03
"""The part of the best mapping's cycles by which one that needs no packing may be slower."""
_AHEAD = 2
"""Mappings that are measured before the results of the first of them are looked at."""


@dataclass(frozen=True)
class Plan:
    """How to search: ``jobs`` processes here, or the workers of a dask ``scheduler``.

    ``effort`` bounds the work of a search, in units of about a millisecond of an idle processor
    (``_work``); ``seconds`` is where it ends in any case; ``most`` bounds the number of mappings
    measured (0: no bound).
    """

    jobs: int = 1
    scheduler: str = ""
    seconds: float = 60.0
    effort: int = 6000
    most: int = 0
    limits: Limits = DEFAULT
    progress: bool = False


@dataclass(frozen=True)
class _Task:
    """A mapping that is to be measured if it takes less than ``below`` cycles (0: in any case)."""

    mapping: Mapping
    below: int
    result: Result


@dataclass
class Search:
    """The search for one contraction; ``found`` grows, by the mapping's text; so does ``work``."""

    contraction: Contraction
    plan: Plan
    store: Store
    wishes: Wishes | None = None
    found: dict[str, Found] = field(default_factory=dict)
    work: int = 0
    _best: int = 0
    """The fewest cycles up to now; 0 before the first good mapping."""
    _line: StatusLine = field(init=False)
    _end: float = inf
    _known: dict[str, Measured] = field(default_factory=dict)
    _frontier: Frontier | None = None
    _pending: deque[_Task] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._line = StatusLine(self.plan.progress)

    def run(self) -> list[Found]:
        """All good mappings that were measured, fastest first."""
        self._end = time.monotonic() + self.plan.seconds
        every = mappings(self.contraction, self.wishes, self.plan.limits)
        self._frontier = Frontier(self.contraction, (m for m in every if not m.window))
        self._measure(chain(self._until_one_is_good(), self._by_promise(), self._around_best()))
        self._recall()
        self._line.close()
        return self.good()

    def measured(self, mappings: Iterable[Mapping], slack: float = inf) -> list[Found]:
        """These mappings measured, or remembered, however long it takes.

        Those that take ``slack`` of the best one's cycles more than it are passed over.
        """
        chosen = list(mappings)
        self._end = inf
        self._measure((mapping, slack) for mapping in chosen)
        return [self.found[to_json(mapping)] for mapping in chosen]

    def good(self) -> list[Found]:
        """What was measured and fits the machine, fastest and then shortest first.

        The first one needs no packing if one that needs none is nearly as fast.
        """
        good = [item for item in self.found.values() if item[1].is_good]
        good.sort(key=lambda item: (item[1].cycles, item[1].code_bytes, str(item[0])))
        most = good[0][1].cycles * (1 + UNPACKED) if good else 0
        first = next((i for i in good if not i[1].packed and i[1].cycles <= most), None)
        return good if first is None else [first, *(item for item in good if item is not first)]

    # ------------------------------------------------------------------------------- measuring

    def _measure(self, proposals: Iterable[_Proposal | None]) -> None:
        """Measures what is proposed; None waits for a result, or ends where none is on its way."""
        self._known = self.store.known(self.contraction)
        with workers(self.plan.jobs, self.plan.scheduler) as team:
            ahead = max(_AHEAD, team.count)
            for proposal in proposals:
                if proposal is not None:
                    task = self._task(team, *proposal)
                    if task is not None:
                        self._pending.append(task)
                elif not self._pending:
                    break
                if self._pending and (proposal is None or len(self._pending) >= ahead):
                    self._keep(self._pending.popleft())
            while self._pending:
                self._keep(self._pending.popleft())

    def _task(self, team: Workers, mapping: Mapping, slack: float) -> _Task | None:
        """A mapping on its way to be measured; None if there is nothing new to know of it."""
        text = to_json(mapping)
        below = self._below(slack)
        if text in self.found and _is_settled(self.found[text][1], below):
            return None
        known = self._known.get(text)
        if known is not None and _is_settled(known, below):
            return _Task(mapping, below, Settled(known))
        return _Task(mapping, below, team.submit(self.contraction, mapping, below))

    def _below(self, slack: float) -> int:
        """The cycles below which a mapping has to be; 0 for any, 1 to have a bound and no more."""
        if slack == _LOOK:
            return 1
        return 0 if isinf(slack) else ceil(self._best * (1 + slack))

    def _keep(self, task: _Task) -> None:
        mapping, measured = task.mapping, task.result.result()
        text = to_json(mapping)
        bound = self.found[text][1].cycles if text in self.found else 0
        self.found[text] = mapping, measured
        if not isinstance(task.result, Settled):
            self.store.add(self.contraction, mapping, measured)
        if self._frontier is not None:
            self.work += _work(self._frontier.size(mapping).body, measured, bound)
            if measured.is_passed_over and task.below == 1:
                self._frontier.bounded(mapping, measured.cycles)
            elif not measured.is_too_long and (
                not measured.is_passed_over or measured.cycles > bound
            ):
                failed = not (measured.is_good or measured.is_passed_over)
                self._frontier.settled(mapping, bound, 0 if failed else measured.cycles)
        if measured.is_good and (not self._best or measured.cycles < self._best):
            self._best = measured.cycles
        if self.plan.progress:
            self._show()

    def _recall(self) -> None:
        """What another search of the same space found and is faster than all that this one has.

        Work that was remembered leads the search along another way, which may end elsewhere.
        """
        assert self._frontier is not None
        good = [(m.cycles, text) for text, m in self._known.items() if m.is_good]
        for cycles, text in sorted(good):
            if self._best and cycles >= self._best:
                return
            mapping = from_json(text)
            if self._frontier.has(mapping) or self._frontier.has(_plain(mapping)):
                self.found[text] = mapping, self._known[text]
                return

    def _show(self) -> None:
        best = f", best {self.contraction.macs / self._best:.2f} MACs/cycle" if self._best else ""
        text = f"{self.contraction.name}: {len(self.found)} mappings{best}"
        self._line.show(text)

    # ------------------------------------------------------------------------------- proposing

    def _is_over(self, part: float = 1.0) -> bool:
        """Whether a part of the work that may be done is done."""
        if self.plan.most and len(self.found) + len(self._pending) >= self.plan.most:
            return True
        if time.monotonic() >= self._end:
            return True
        return self.work >= self.plan.effort * (part if self._best else _HOPELESS)

    def _until_one_is_good(self) -> Iterator[_Proposal | None]:
        """The shortest bodies of each kind in turn, which are quick to look at: a first mapping."""
        assert self._frontier is not None
        rows = zip_longest(*self._frontier.shortest())
        for mapping in (m for row in rows for m in row if m is not None):
            if self._best or self._is_over():
                return
            yield mapping, inf
        while not self._best and self._pending:
            yield None

    def _by_promise(self) -> Iterator[_Proposal | None]:
        """What promises the fewest cycles: a look at it, or after that to simulate it."""
        assert self._frontier is not None
        while self._best and not self._is_over(_FIRST_PART):
            found = self._frontier.pop(self._best)
            if found is not None:
                mapping, was_seen = found
                yield mapping, -CLOSE if was_seen else _LOOK
            elif self._pending:
                yield None
            else:
                return

    def _around_best(self) -> Iterator[_Proposal | None]:
        """Neighbours of the best mappings: other windows, pointers, layouts of the weights."""
        if self.plan.limits.paper:
            return
        while self._pending:
            yield None
        tried: set[str] = set()
        while True:
            best = (mapping for mapping, _ in islice(self.good(), _BEST))
            new = [m for one in best for m in _beside(one) if to_json(m) not in tried]
            if not new:
                return
            for mapping in new:
                if self._is_over():
                    return
                tried.add(to_json(mapping))
                slack = -CLOSE if _is_packed(mapping) else UNPACKED
                if floor(self.contraction, mapping) < self._best * (1 + slack):
                    yield mapping, slack
            while self._pending:
                yield None


_LOOK = -1.0
_Proposal = tuple[Mapping, float]
"""A mapping, and the part of the best one's cycles that it may take more; _LOOK for its bound."""


def _is_packed(mapping: Mapping) -> bool:
    """Whether images or outputs may have to be in another layout."""
    return mapping.copies > 1 or mapping.image is not None or mapping.output is not None


def _beside(mapping: Mapping) -> Iterator[Mapping]:
    for window in (0, 1, 2, 3, 4):
        yield replace(mapping, window=window)
    for pointers in (1, 2):
        yield replace(mapping, pointers=pointers, copies=min(pointers, mapping.copies))
    if mapping.copies > 1:
        yield replace(mapping, copies=1)
    yield replace(mapping, streamed=not mapping.streamed)


def _plain(mapping: Mapping) -> Mapping:
    """The mapping of the space that one is a neighbour of (``_beside``)."""
    plain = Mapping(mapping.vector, copies=1 if mapping.paper else 2)
    return replace(
        mapping,
        window=plain.window,
        pointers=plain.pointers,
        streamed=plain.streamed,
        copies=plain.copies,
    )


def _is_settled(known: Measured, below: int) -> bool:
    """Whether there is no need to look again at what another search may have passed over."""
    return not known.is_passed_over or 0 < below <= known.cycles


def _work(body: int, measured: Measured, bound: int) -> int:
    """What it took to measure a mapping with so many products in its body, whoever did it.

    ``bound`` is the one that a look at it gave before (0: none).
    """
    if measured.code_bytes or (measured.is_passed_over and 0 < bound < measured.cycles):
        return 40 + 2 * body
    return 5 + body // 3 if measured.is_passed_over else 5 + body // 5
