"""The rooms of the house: which files belong to which, and what each room may import."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("s2s", "frontends", "analyses", "emitters", "simulators")

# Every room by its package, and the rooms that it may import: docs/design.md says what each holds.
MAY_IMPORT = {
    "s2s.source": "",
    "s2s.scop": "source",
    "s2s.frontends.openmp": "scop source",
    "s2s.frontends.c": "scop source frontends.openmp",
    "s2s.frontends.halide": "scop source frontends.c",
    "s2s.frontends.clockwork": "scop source",
    "s2s.analyses": "scop source",
    "s2s.transforms.nest": "scop analyses source",
    "s2s.transforms.halide": "scop analyses source",
    "s2s.transforms.TARGET": "scop analyses source transforms.nest transforms.halide",
    "s2s.transforms": "scop analyses source",
    "s2s.rewriters": "scop analyses source frontends.c frontends.openmp transforms emitters",
    "s2s.emitters": "scop analyses source",
    "s2s.simulators": "source",
    "s2s.net": "scop analyses source frontends.c frontends.openmp emitters simulators",
    "s2s.targets": "scop analyses source frontends.c transforms transforms.nest transforms.halide "
    "transforms.TARGET rewriters emitters net",
    "s2s.driver": "scop analyses source frontends.c frontends.halide frontends.clockwork "
    "transforms transforms.nest transforms.halide transforms.TARGET rewriters emitters net targets",
    "s2s.tuning": "scop source frontends.c transforms.TARGET emitters simulators driver",
    "s2s.bench": "scop source analyses frontends.halide transforms.halide transforms.TARGET "
    "emitters simulators targets driver tuning",
    "s2s.cli": "source simulators targets driver tuning bench",
}

# Folders of the room s2s.transforms.TARGET, one for each target: none imports another.
OF_A_TARGET = (
    "s2s.transforms.aie",
    "s2s.transforms.clockwork",
    "s2s.transforms.davinci",
    "s2s.transforms.outline",
    "s2s.transforms.spatial",
)

# Folders of which others import only the package: what it does not name is private to the folder.
FENCED = ("s2s.rewriters.graphs.edge_lists",)


def module_of(path: Path) -> str:
    """The dotted name under which a file of the checkout is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] == "s2s" else ("s2s", *parts))


def modules() -> dict[str, Path]:
    """All modules of the package by their dotted names."""
    return {
        module_of(path): path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def folder_of_a_target(module: str) -> str | None:
    """The folder of transforms for one target that a module is in."""
    return next((f for f in OF_A_TARGET if f"{module}.".startswith(f"{f}.")), None)


def room_of(module: str) -> str | None:
    """The innermost room that a module is in; None for the entry points."""
    if folder_of_a_target(module) is not None:
        return "s2s.transforms.TARGET"
    within = [room for room in MAY_IMPORT if f"{module}.".startswith(f"{room}.")]
    return max(within, key=len, default=None)


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of the package that a file imports, anywhere in it."""
    for node in _statements(ast.parse(path.read_text()).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known:
                    yield inner
                elif node.module in known:
                    yield node.module


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements, without a look at their many expressions."""
    for node in body:
        yield node
        for below in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, below, ()))


@cache
def graph() -> dict[str, set[str]]:
    """What each module imports."""
    known = modules()
    return {name: set(imports(path, known)) - {name} for name, path in known.items()}


def arrows() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The arrows between rooms: for each pair the imports that make it."""
    found = defaultdict(list)
    for name, imported in graph().items():
        for other in sorted(imported):
            here, there = room_of(name), room_of(other)
            if here is not None and there is not None and here != there:
                found[here, there].append((name, other))
    return dict(found)


def wrong_arrows() -> list[tuple[str, str]]:
    """Imports that no rule allows, and those of one target's transforms by another's."""
    across = [
        (name, other)
        for name, imported in graph().items()
        for other in sorted(imported)
        if None is not folder_of_a_target(name) != folder_of_a_target(other) is not None
    ]
    return across + [
        pair
        for (here, there), pairs in arrows().items()
        if there.removeprefix("s2s.") not in MAY_IMPORT[here].split()
        for pair in pairs
    ]


def broken_fences() -> list[tuple[str, str]]:
    """Imports of files that are private to a fenced folder."""
    return [
        (name, other)
        for name, imported in graph().items()
        for other in sorted(imported)
        for fence in FENCED
        if other.startswith(f"{fence}.") and not f"{name}.".startswith(f"{fence}.")
    ]


def circles() -> list[list[str]]:
    """The files that import each other, directly or not: groups of two and more."""
    edges = graph()
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in edges[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in edges:
        if name not in index:
            visit(name)
    return found


def long_circles() -> list[list[str]]:
    """Circles of more than two files."""
    return [circle for circle in circles() if len(circle) > 2]


def picture() -> str:
    """The rooms with their files and lines, the arrows between them, what breaks a rule."""
    known = modules()
    sizes: dict[str, list[int]] = defaultdict(list)
    for name, path in known.items():
        sizes[room_of(name) or "entry points"].append(len(path.read_text().splitlines()))
    lines = [f"{room:24} {len(size):4} files {sum(size):6} lines" for room, size in sizes.items()]
    every = arrows()
    lines.append(f"{len(sizes) - 1} rooms, {len(every)} arrows, {len(known)} files, "
                 f"{sum(map(sum, sizes.values()))} lines")  # fmt: skip
    lines += [f"circle: {' '.join(circle)}" for circle in circles()]
    lines += [f"not allowed: {here} imports {there}" for here, there in sorted(wrong_arrows())]
    return "\n".join(lines)


if __name__ == "__main__":
    print(picture())
