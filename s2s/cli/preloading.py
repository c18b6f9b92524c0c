"""Modules that a transformation takes, loaded before the process is copied for each file.

Loading them is most of what a file of ordinary size takes, and a copy has what its parent has.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from s2s.source.records import make_all

PARSER = "s2s.frontends.c.parse"
# Modules that a copy may need, and all that it then needs with them.
TOGETHER = {
    PARSER: (
        "s2s.driver.transform", "s2s.driver.c_files", "s2s.frontends.c.parse", "s2s.driver.races",
        "s2s.frontends.c.definitions", "s2s.frontends.c.rewritten", "s2s.driver.file_edits",
        "s2s.rewriters.idioms.idioms", "s2s.rewriters.interleave", "s2s.rewriters.balance",
    ),
    "islpy": (
        "islpy", "s2s.frontends.c.lift", "s2s.frontends.c.assemble", "s2s.driver.preparations",
        "s2s.driver.region_work", "s2s.targets.cpu", "s2s.driver.nest_look", "s2s.driver.row_look",
        "s2s.driver.member_look",
        "s2s.frontends.c.vector_look", "s2s.analyses.concurrency.races", "s2s.driver.race_reports",
        "s2s.transforms.vector.renaming", "s2s.transforms.vector.ranges",
        "s2s.transforms.vector.accumulators", "s2s.transforms.vector.lanes",
        "s2s.frontends.c.place_look", "s2s.frontends.c.observe", "s2s.driver.observation",
        "s2s.driver.results", "hashlib", "platform", "pickle", "resource",
    ),
}  # fmt: skip
# What files whose loops change take besides, and what explanations and records take.
_TO_CHECK = (
    "s2s.driver.crew", "s2s.driver.rewrite", "s2s.net.check", "s2s.net.samples", "s2s.net.nests",
    "s2s.net.shared",
    "s2s.frontends.c.executed.reader", "s2s.frontends.c.reread",
    "s2s.frontends.c.graph_pragmas", "s2s.rewriters.align_arrays",
    "s2s.rewriters.expect_apart", "s2s.rewriters.keep_out_of_line",
    "s2s.rewriters.mention_variables", "s2s.rewriters.outline_tiles",
    "s2s.rewriters.vector_pragmas", "subprocess",
)  # fmt: skip
_TO_EXPLAIN = (
    "s2s.driver.explain.region", "s2s.driver.explain.cycles", "s2s.driver.recording",
    "s2s.driver.saved_schedule", "s2s.analyses.schedule_steps", "networkx",
)  # fmt: skip


def load(names: Iterable[str]) -> None:
    """Load modules; what cannot be loaded is not needed here."""
    for name in names:
        if name not in sys.modules:
            with suppress(Exception):
                importlib.import_module(name)
    make_all()
    gc.freeze()  # copies share what nobody counts references in


def load_together(name: str) -> None:
    """Load what goes with a module of ``TOGETHER``."""
    load(TOGETHER[name])
    if name == PARSER:
        with suppress(Exception):  # who parses says what is wrong
            _open_parser()
    if name == "islpy":
        from s2s.driver.passes import DEFAULT

        load([place.partition(":")[0] for place in DEFAULT.values()])


def _open_parser() -> None:
    """Load the parser's library, which modules only do when they parse."""
    importlib.import_module("s2s.frontends.c.clang").library()


def load_for(files: Sequence[str], explained: bool) -> None:
    """Load what several C files take; what a single one takes it loads by itself."""
    if sum(name.endswith((".c", ".i")) for name in files) < 2:
        return
    for name in TOGETHER:
        load_together(name)
    load(_TO_CHECK)
    if explained:
        load(_TO_EXPLAIN)
