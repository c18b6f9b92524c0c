"""What ``--tune`` hands to the driver: measuring for regions and for kernels."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.source.records import dataclass
from s2s.tuning.settings import Tuning, default_cache

if TYPE_CHECKING:
    from s2s.driver.options import Options
    from s2s.frontends.c.unit import Unit
    from s2s.scop.contraction import Contraction, Wishes
    from s2s.transforms.aie.mapping import Mapping
    from s2s.tuning.tuner import Tuner


@dataclass(frozen=True)
class Measuring:
    """Measures as the settings say; what does so is imported when it is wanted."""

    settings: Tuning

    @property
    def budget(self) -> float:
        """Seconds for one file."""
        return self.settings.budget

    def adviser(self, unit: Unit, options: Options) -> Tuner:
        """What chooses the passes for the regions of a file."""
        from s2s.tuning.tuner import Tuner

        return Tuner(unit, options, self.settings)

    def best_mapping(self, contraction: Contraction, wishes: Wishes) -> Mapping | None:
        """The best mapping that a search finds or found before; None where it finds none."""
        from s2s.tuning.aie.search import Plan, Search
        from s2s.tuning.aie.store import Store

        plan = Plan(seconds=min(self.budget, Plan.seconds))
        good = Search(contraction, plan, Store(self.settings.cache), wishes).run()
        return good[0][0] if good else None


def from_arguments(
    args: argparse.Namespace, compiler: Sequence[str], flags: Sequence[str]
) -> Measuring | None:
    """What the options say; None without ``--tune``. Progress is for a terminal only."""
    if not args.tune:
        return None
    terminal = sys.stderr is not None and sys.stderr.isatty()
    settings = Tuning(
        compiler=tuple(compiler),
        flags=tuple(flags),
        cache=default_cache() if args.tune_cache is None else args.tune_cache,
        sizes=args.tune_size,
        budget=args.tune_budget,
        build=args.tune_build,
        run=args.tune_run,
        progress=os.dup(2) if terminal else None,
    )
    return Measuring(settings)
