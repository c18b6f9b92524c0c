"""The auto-tuner: mappings of the space in the order of their promise, then around the best ones.

Each kind of mapping (vector loop and layouts) is tried in turn, so that a wrong guess about one
kind costs little. What is measured is remembered at once; a second search begins with that.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from math import log
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


@dataclass(frozen=True)
class Plan:
    """How to search: ``jobs`` processes here, or the workers of a dask ``scheduler``.

    ``seconds`` bound a search; ``most`` the number of mappings measured (0: no bound).
    """

    jobs: int = 1
    scheduler: str = ""
    seconds: float = 50.0
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

    def run(self) -> list[tuple[Mapping, Measured]]:
        """All good mappings that were measured, fastest first."""
        self._known = self.store.known(self.contraction)
        start = time.monotonic()
        self._end = start + self.plan.seconds * _FIRST_PART
        with workers(self.plan) as work:
            self._measure(work, self._in_turn())
            self._end = start + self.plan.seconds
            tried: set[str] = set()
            while new := [m for m in self._around() if to_json(m) not in tried]:
                if time.monotonic() >= self._end:
                    break
                tried |= {to_json(m) for m in new}
                self._measure(work, new)
        if self.plan.progress:
            print("\r\033[K", end="", file=sys.stderr)
        return self.good()

    def good(self) -> list[tuple[Mapping, Measured]]:
        """What was measured and fits the machine, fastest and then shortest first."""
        good = [item for item in self.found.values() if item[1].is_good]
        return sorted(good, key=lambda item: (item[1].cycles, item[1].code_bytes, str(item[0])))

    def _measure(self, work: Work, proposed: Iterable[Mapping]) -> None:
        for mapping, measured in work(self.contraction, self._new(proposed)):
            self._keep(mapping, measured)
            self.store.add(self.contraction, mapping, measured)

    def _new(self, proposed: Iterable[Mapping]) -> Iterator[Mapping]:
        """Those that have to be measured, until the time is over."""
        for mapping in proposed:
            text = to_json(mapping)
            if text in self.found:
                continue
            if text in self._known:
                self._keep(mapping, self._known[text])
                continue
            over = self.plan.most and len(self.found) >= self.plan.most
            if over or time.monotonic() >= self._end:
                return
            yield mapping

    def _keep(self, mapping: Mapping, measured: Measured) -> None:
        self.found[to_json(mapping)] = mapping, measured
        if self.plan.progress:
            good = self.good()
            best = (
                f", best {self.contraction.macs / good[0][1].cycles:.2f} MACs/cycle" if good else ""
            )
            text = f"{self.contraction.name}: {len(self.found)} mappings{best}"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def _in_turn(self) -> Iterator[Mapping]:
        """The space, one mapping of each kind after the other, each kind by promise."""
        kinds: dict[object, list[Promising]] = {}
        every = mappings(self.contraction, self.wishes, self.plan.limits)
        for number, mapping in enumerate(every):
            kind = (mapping.vector, mapping.image, mapping.weight, mapping.output)
            size = size_of(self.contraction, mapping)
            # Of what promises about the same, short bodies come first: they are quick to look at.
            promise = round(log(size.cycles) / _SAME), size.body
            kinds.setdefault(kind, []).append((promise, number, mapping))
        ordered = sorted((sorted(kind, key=lambda e: e[:2]) for kind in kinds.values()), key=_first)
        rows = chain.from_iterable(zip_longest(*ordered))
        entries = [entry for entry in rows if entry is not None]
        if entries:
            worst = min(entry[0][0] for entry in entries) + log(_WORSE) / _SAME
            later = [entry for entry in entries if entry[0][0] > worst]
            yield from (entry[2] for entry in entries if entry[0][0] <= worst)
            yield from (entry[2] for entry in later)

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


Promising = tuple[tuple[int, int], int, Mapping]
"""The promise of a mapping (cycles, then length of the body), its number, and it."""


def _first(kind: list[Promising]) -> tuple[tuple[int, int], int]:
    return kind[0][:2]


Work = Callable[[Contraction, Iterable[Mapping]], Iterator[tuple[Mapping, Measured]]]


def workers(plan: Plan) -> AbstractContextManager[Work]:
    """What measures mappings: this process, several, or a cluster's."""
    if plan.jobs == 1 and not plan.scheduler:
        return nullcontext(_here)
    return _Parallel(plan)


def _here(
    contraction: Contraction, proposed: Iterable[Mapping]
) -> Iterator[tuple[Mapping, Measured]]:
    for mapping in proposed:
        yield measured_pair(contraction, mapping)


def measured_pair(contraction: Contraction, mapping: Mapping) -> tuple[Mapping, Measured]:
    """A mapping with what was measured, for results that come in any order."""
    return mapping, measure(contraction, mapping)


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
        self, contraction: Contraction, proposed: Iterable[Mapping]
    ) -> Iterator[tuple[Mapping, Measured]]:
        import joblib

        # Few are handed out ahead, so that the end of the time is the end of the search.
        parallel = joblib.Parallel(
            n_jobs=-1 if self.plan.scheduler else self.plan.jobs,
            return_as="generator_unordered",
            pre_dispatch="n_jobs",
            batch_size=1,
        )
        tasks = (joblib.delayed(measured_pair)(contraction, mapping) for mapping in proposed)
        yield from parallel(tasks)
