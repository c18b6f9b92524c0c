"""Modules that s2s imports when it needs them, imported once for all tests of a process.

Each transformation is done by a forked child, as users have it. What its parent has loaded, it
need not load; otherwise loading takes most of its time.
"""

from __future__ import annotations

import gc
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.places import ROOT

_FOLDERS = {
    "s2s": ROOT / "s2s",
    "s2s.analyses": ROOT / "analyses",
    "s2s.emitters": ROOT / "emitters",
    "s2s.frontends": ROOT / "frontends",
}
_APART = {"bench", "tuning", "__main__.py"}
_LIBRARIES = ("clang.cindex", "islpy", "networkx", "numpy", "pycparser.c_parser")


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


def _name(package: str, path: Path) -> str:
    return ".".join((package, *path.with_suffix("").parts)).removesuffix(".__init__")
