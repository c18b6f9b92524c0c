"""Modules that s2s imports when it needs them, imported once for all tests of a process.

Users have each transformation done by a forked child. To fork a process as large as one that runs
tests takes as long as most of these transformations: they do it themselves, but for the tests that
are about what a child is for (``pytest.mark.in_child``).
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path

from s2s.driver.child import Limit, in_child
from tests.places import ROOT

_FOLDERS = {
    "s2s": ROOT / "s2s",
    "s2s.analyses": ROOT / "analyses",
    "s2s.emitters": ROOT / "emitters",
    "s2s.frontends": ROOT / "frontends",
}
_APART = {"bench", "tuning", "__main__.py"}
_LIBRARIES = ("clang.cindex", "islpy", "networkx", "numpy", "pycparser.c_parser")

# After so many tests what is there is caches, which need not be walked through again and again.
_SOME = 100
_tests = count(1)


@cache
def load() -> None:
    """Import what transformations may need. What is there by now has not to be collected."""
    for name in _LIBRARIES:
        import_module(name)
    for package, folder in _FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            if _APART.isdisjoint(path.relative_to(folder).parts):
                import_module(_name(package, path.relative_to(folder)))
    gc.collect()
    gc.freeze()


def transform_here(here: bool) -> None:
    """Whether transformations are done by this process, once all is loaded."""
    if next(_tests) % _SOME == 0:
        gc.freeze()
    guarded = import_module("s2s.driver.guarded")
    guarded.__dict__["in_child"] = _work_here if here else in_child


def _work_here(work: Callable[[], object], limit: Limit | None = None) -> object:
    """What threads do at once (``-j``) stays in children: isl has one context, with one limit."""
    here = threading.current_thread() is threading.main_thread()
    return work() if here else in_child(work, limit)


def _name(package: str, path: Path) -> str:
    return ".".join((package, *path.with_suffix("").parts)).removesuffix(".__init__")
