"""How many iterations of a loop there are elements for in the arrays that it walks along.

A compiler sees that a strip longer than that reaches past the end of an array, and warns. It never
runs, since the program's own loop must not come so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import index_of
from s2s.rewriters.idioms.loops import Unsuitable


def check_room(
    node: Node, touched: Iterable[Node], steps: Mapping[Decl, int], iterations: int
) -> None:
    """That what each iteration of a loop touches has elements for so many. Raises Unsuitable."""
    for name, most in _rooms(touched, steps):
        if most < iterations:
            raise Unsuitable(node, f"'{name}' has elements for {most} iterations only")


def _rooms(touched: Iterable[Node], steps: Mapping[Decl, int]) -> Iterator[tuple[str, int]]:
    """For each subscript that steps, the array and how many iterations stay inside of it."""
    for element in (n for root in touched for n in root.walk()):
        path = resolve(element) if element.kind == "ARRAY_SUBSCRIPT_EXPR" else None
        for step in () if path is None else path.steps:
            if step.index is None or step.array_type is None or step.array_type.count is None:
                continue
            index = index_of(step.index, {*steps})
            pace = 0 if index is None else abs(index.coefficient * _step(index.variable, steps))
            if pace and path is not None and path.root is not None:
                yield path.root.name, -(-step.array_type.count // pace)


def _step(variable: Decl | None, steps: Mapping[Decl, int]) -> int:
    return 0 if variable is None else steps[variable]
