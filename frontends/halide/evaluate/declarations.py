"""What a translation unit declares at file level, outside of the headers that come with s2s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.halide.evaluate.parse import INCLUDES
from s2s.frontends.halide.evaluate.syntax import Node

CLASSES = ("CLASS_DECL", "STRUCT_DECL")


def is_library(node: Node) -> bool:
    """Whether a declaration stands in a header of ours."""
    return node.place[0].startswith((INCLUDES, "/s2s/")) or node.place[0] == ""


def declarations(unit: Any) -> Iterator[Node]:
    """Declarations at file level of all files but our headers."""
    yield from _inside(unit.cursor)


def _inside(cursor: Any) -> Iterator[Node]:
    for child in clang.children(cursor):
        node = Node(child)
        if node.kind == "NAMESPACE" or node.kind in ("UNEXPOSED_DECL", "LINKAGE_SPEC"):
            if not is_library(node) or node.name == "s2s_generators":
                yield from _inside(child)
        elif not is_library(node):
            yield node
