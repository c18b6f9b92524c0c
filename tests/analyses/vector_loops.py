"""Innermost loops as SCoPs in which every statement of the source is one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import islpy as isl

from s2s.analyses.dependence_graph import Graph
from s2s.analyses.renaming import Renaming
from s2s.frontends.c.regions import functions
from s2s.frontends.c.syntax import Node
from s2s.scop.nodes import Loop, Scop, walk
from tests.lifting import parse_text
from tests.places import BENCHMARKS

KERNELS = BENCHMARKS / "polysimd"


def innermost(node: Node) -> Iterator[Node]:
    for inner in node.walk():
        if inner.kind == "FOR_STMT" and not any(
            n.kind == "FOR_STMT" for n in inner.walk() if n is not inner
        ):
            yield inner


def loops(text: str) -> dict[str, tuple[Scop, Loop]]:
    """The innermost loop of each function that has one."""
    found = {}
    for function in functions(parse_text(text), every=True):
        for node in innermost(function.node):
            scop = function.attempt([node]).scop(separate=True)
            found[function.node.name] = scop, loop_of(scop)
    return found


def loop_of(scop: Scop, position: int = 0) -> Loop:
    return [n for n in walk(scop.tree) if isinstance(n, Loop)][position]


def loop(body: str, declarations: str = "", behind: str = "") -> tuple[Scop, Loop]:
    """A loop over i from 4 to n with arrays a to e and whatever is declared."""
    text = f"""
    void f(int n, float *restrict a, float *restrict b, float *restrict c, float *restrict d)
    {{
        {declarations}
        for (int i = 4; i < n; i++) {{ {body} }}
        {behind}
    }}
    """
    return loops(text)["f"]


@cache
def kernels() -> dict[str, tuple[Scop, Loop]]:
    """The loops of our PolySIMD kernels, by function."""
    header = (KERNELS / "kernels.h").read_text()
    source = (KERNELS / "kernels.c").read_text().replace('#include "kernels.h"', header)
    return loops(source)


def spelled(graph: Graph, renaming: Renaming) -> str:
    """A renaming as the dissertation writes it: ``SoVR(s1, b[2i+2])``."""
    kind = "SoVR" if renaming.kind == "source" else "SiVR"
    access = graph.access(renaming.statement, renaming.access)
    element = graph.scop.arrays[access.array].spelling
    if access.relation.dim(isl.dim_type.out):
        ((_, value),) = access.relation.as_pw_multi_aff().get_pw_aff(0).get_pieces()
        factor = int(value.get_coefficient_val(isl.dim_type.in_, 0).to_python())
        offset = int(value.get_constant_val().to_python())
        element += f"[{factor if factor != 1 else ''}i{f'{offset:+}' if offset else ''}]"
    return f"{kind}({renaming.statement.lower()}, {element})"
