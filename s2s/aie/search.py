"""The auto-tuner: mappings of the space by their lower bounds, then around the best ones.

A bound takes the steps up to the kernel but no simulator (``estimate.least``), and is near what the
simulator finds. Each kind of mapping (vector loop and layouts) is looked at in turn, so that a
wrong guess about one kind costs little; of those looked at the one with the least bound is
simulated next, until no bound is below the best. What is measured is remembered at once; a second
search begins with that.
"""

from __future__ import annotations

import heapq
import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from math import ceil, inf, isinf, log
from typing import Any

from s2s.aie.mapping_text import to_json
from s2s.aie.measured import Measured, measure
from s2s.aie.roads import Wishes
from s2s.aie.space import DEFAULT, Limits, mappings, size_of
from s2s.aie.store import Store
from s2s.scop.contraction import Contraction
from s2s.transforms.aie.mapping import Mapping

_BEST = 3
_SAME = 0.03
"""Cycles that differ by this part of them promise the same."""
_WORSE = 1.6
"""What promises so many times the cycles of the best comes last, of whatever kind it is."""
_FIRST_PART = 0.7
"""The part of the time after which only the neighbours of the best mappings are tried."""
_PATIENCE = 40.0
"""Seconds for a first mapping and for processes to start, before the time of the search."""
_LOOKS = 6
"""Mappings that are looked at before each one that is simulated; more of them at first."""
_LOOK = -1.0


@dataclass(frozen=True)
class Plan:
    """How to search: ``jobs`` processes here, or the workers of a dask ``scheduler``.

    ``seconds`` bound a search from its first mapping on; ``most`` the number of mappings measured
    (0: no bound).
    """

    jobs: int = 1
    scheduler: str = ""
    seconds: float = 20.0
    most: int = 0
    limits: Limits = DEFAULT
    progress: bool = False


@dataclass
class Search:
    """The search for one contraction; ``found`` grows, by the mapping's text."""

    contraction: Contraction
    plan: Plan
    store: Store
    wishes: Wishes | None = None
    found: dict[str, tuple[Mapping, Measured]] = field(default_factory=dict)
    _end: float = 0.0
    _best: int = 0
    """The fewest cycles up to now; 0 before the first good mapping."""
    _waiting: list[tuple[int, int, Mapping]] = field(default_factory=list)
    """A heap of mappings that were looked at: bound, number, mapping."""

    def run(self) -> list[tuple[Mapping, Measured]]:
        """All good mappings that were measured, fastest first."""
        self._known = self.store.known(self.contraction)
        self._end = time.monotonic() + max(_PATIENCE, self.plan.seconds)
        with workers(self.plan) as work:
            self._measure(work, ((m, 0.0) for m in self._until_one_is_good()))
            start = time.monotonic()
            self._end = start + self.plan.seconds * _FIRST_PART
            ahead = self._in_turn()
            while self._measure(work, self._by_bound(ahead)):
                pass
            self._end = start + self.plan.seconds
            tried: set[str] = set()
            while new := [m for m in self._around() if to_json(m) not in tried]:
                if time.monotonic() >= self._end:
                    break
                tried |= {to_json(m) for m in new}
                self._measure(work, ((m, 0.0) for m in new))
        if self.plan.progress:
            print("\r\033[K", end="", file=sys.stderr)
        return self.good()

    def measured(
        self, mappings: Iterable[Mapping], slack: float = inf
    ) -> list[tuple[Mapping, Measured]]:
        """These mappings measured, or remembered, however long it takes.

        Those that take ``slack`` of the best one's cycles more than it are passed over.
        """
        chosen = list(mappings)
        self._known = self.store.known(self.contraction)
        self._end = inf
        with workers(self.plan) as work:
            self._measure(work, ((mapping, slack) for mapping in chosen))
        return [self.found[to_json(mapping)] for mapping in chosen]

    def good(self) -> list[tuple[Mapping, Measured]]:
        """What was measured and fits the machine, fastest and then shortest first."""
        good = [item for item in self.found.values() if item[1].is_good]
        return sorted(good, key=lambda item: (item[1].cycles, item[1].code_bytes, str(item[0])))

    def _measure(self, work: Work, proposed: Iterable[tuple[Mapping, float]]) -> int:
        """Measure what is new; how many that were.

        What takes a part more than the best one, which is given with each, is passed over.
        """
        count = 0
        for mapping, measured in work(self.contraction, self._new(proposed)):
            self._keep(mapping, measured)
            self.store.add(self.contraction, mapping, measured)
            count += 1
        return count

    def _new(self, proposed: Iterable[tuple[Mapping, float]]) -> Iterator[tuple[Mapping, int]]:
        """Those that have to be measured, each with the cycles that count, until the time is over.

        The generator is asked as workers become free, so that each gets what is the best by then.
        """
        for mapping, slack in proposed:
            text = to_json(mapping)
            below = self._below(slack)
            if text in self.found and _is_settled(self.found[text][1], below):
                continue
            known = self._known.get(text)
            if known is not None and _is_settled(known, below):
                self._keep(mapping, known)
                continue
            over = self.plan.most and len(self.found) >= self.plan.most
            if over or time.monotonic() >= self._end:
                return
            yield mapping, below

    def _below(self, slack: float) -> int:
        """The cycles below which a mapping has to be; 0 for any, 1 to have a bound and no more."""
        if slack == _LOOK:
            return 1
        return 0 if isinf(slack) else ceil(self._best * (1 + slack))

    def _keep(self, mapping: Mapping, measured: Measured) -> None:
        self.found[to_json(mapping)] = mapping, measured
        if measured.is_passed_over and not 0 < self._best <= measured.cycles:
            heapq.heappush(self._waiting, (measured.cycles, len(self.found), mapping))
        if measured.is_good and (not self._best or measured.cycles < self._best):
            self._best = measured.cycles
        if self.plan.progress:
            good = self.good()
            best = (
                f", best {self.contraction.macs / good[0][1].cycles:.2f} MACs/cycle" if good else ""
            )
            text = f"{self.contraction.name}: {len(self.found)} mappings{best}"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def _by_bound(self, ahead: Iterator[Mapping]) -> Iterator[tuple[Mapping, float]]:
        """Looks at some of those ahead, then has the one with the least bound simulated."""
        looks = 2 * _LOOKS
        while True:
            some = list(islice(ahead, looks))
            yield from ((mapping, _LOOK) for mapping in some)
            looks = _LOOKS
            if self._waiting:
                bound, _, mapping = heapq.heappop(self._waiting)
                if not 0 < self._best <= bound:
                    yield mapping, 0.0
            elif not some:
                return

    def _until_one_is_good(self) -> Iterator[Mapping]:
        """The shortest bodies of each kind in turn, which are quick to look at: a first mapping."""
        kinds = self._kinds()
        by_length = [sorted(kind, key=lambda e: (e[0][1], e[0][0], e[1])) for kind in kinds]
        for entry in chain.from_iterable(zip_longest(*by_length)):
            if self._best:
                return
            if entry is not None:
                yield entry[2]

    def _in_turn(self) -> Iterator[Mapping]:
        """The space, one mapping of each kind after the other, each kind by promise."""
        rows = chain.from_iterable(zip_longest(*self._kinds()))
        entries = [entry for entry in rows if entry is not None]
        if entries:
            worst = min(entry[0][0] for entry in entries) + log(_WORSE) / _SAME
            later = [entry for entry in entries if entry[0][0] > worst]
            yield from (entry[2] for entry in entries if entry[0][0] <= worst)
            yield from (entry[2] for entry in later)

    def _kinds(self) -> list[list[Promising]]:
        """The space by kinds (loop of the vectors, layouts), the best first, each by promise."""
        kinds: dict[object, list[Promising]] = {}
        every = mappings(self.contraction, self.wishes, self.plan.limits)
        for number, mapping in enumerate(m for m in every if not m.window):
            kind = (mapping.vector, mapping.image, mapping.weight, mapping.output)
            size = size_of(self.contraction, mapping)
            # Of what promises about the same, short bodies come first: they are quick to look at.
            promise = round(log(size.cycles) / _SAME), size.body
            kinds.setdefault(kind, []).append((promise, number, mapping))
        return sorted((sorted(kind, key=lambda e: e[:2]) for kind in kinds.values()), key=_first)

    def _around(self) -> list[Mapping]:
        """Neighbours of the best mappings: other windows, pointers, factors and orders."""
        return list(chain.from_iterable(self._beside(m) for m, _ in islice(self.good(), _BEST)))

    def _beside(self, mapping: Mapping) -> Iterator[Mapping]:
        if self.plan.limits.paper:
            return
        for window in (0, 1, 2, 3, 4):
            yield replace(mapping, window=window)
        for pointers in (1, 2):
            yield replace(mapping, pointers=pointers)
        yield replace(mapping, streamed=not mapping.streamed)


def _is_settled(known: Measured, below: int) -> bool:
    """Whether there is no need to look again at what another search may have passed over."""
    return not known.is_passed_over or 0 < below <= known.cycles


Promising = tuple[tuple[int, int], int, Mapping]
"""The promise of a mapping (cycles, then length of the body), its number, and it."""


def _first(kind: list[Promising]) -> tuple[tuple[int, int], int]:
    return kind[0][:2]


Proposed = Iterable[tuple[Mapping, int]]
"""Mappings, each with the cycles below which it has to come to be of interest (0: any)."""
Work = Callable[[Contraction, Proposed], Iterator[tuple[Mapping, Measured]]]


def workers(plan: Plan) -> AbstractContextManager[Work]:
    """What measures mappings: this process, several, or a cluster's."""
    if plan.jobs == 1 and not plan.scheduler:
        return nullcontext(_here)
    return _Parallel(plan)


def _here(contraction: Contraction, proposed: Proposed) -> Iterator[tuple[Mapping, Measured]]:
    for mapping, below in proposed:
        yield measured_pair(contraction, mapping, below)


def measured_pair(
    contraction: Contraction, mapping: Mapping, below: int
) -> tuple[Mapping, Measured]:
    """A mapping with what was measured, for results that come in any order."""
    return mapping, measure(contraction, mapping, below)


class _Parallel:
    """joblib's processes, or through joblib the workers of a dask cluster."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._client: Any = None
        self._backend: Any = None

    def __enter__(self) -> Work:
        import joblib

        if self.plan.scheduler:
            cluster: Any = importlib.import_module("dask.distributed")
            self._client = cluster.Client(self.plan.scheduler)
            self._backend = joblib.parallel_config(backend="dask")
            self._backend.__enter__()
        return self._work

    def __exit__(self, *problem: object) -> None:
        if self._backend is not None:
            self._backend.__exit__(*problem)
        if self._client is not None:
            self._client.close()

    def _work(
        self, contraction: Contraction, proposed: Proposed
    ) -> Iterator[tuple[Mapping, Measured]]:
        import joblib

        # Few are handed out ahead, so that the end of the time is the end of the search.
        parallel = joblib.Parallel(
            n_jobs=-1 if self.plan.scheduler else self.plan.jobs,
            return_as="generator_unordered",
            pre_dispatch="n_jobs",
            batch_size=1,
        )
        tasks = (joblib.delayed(measured_pair)(contraction, *task) for task in proposed)
        yield from parallel(tasks)
