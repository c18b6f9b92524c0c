"""Members of structures by their names."""

from __future__ import annotations

from s2s.frontends.c.syntax import CASTS, Decl, Node


def member_path(node: Node) -> tuple[list[str], Decl | None]:
    """The names in ``parameters->stride.h``, and the variable that it begins with."""
    path: list[str] = []
    while node.kind == "MEMBER_REF_EXPR":
        path.insert(0, node.name or (node.decl.name if node.decl else ""))
        if not node.children:
            return path, None
        node = node.children[0]
    while node.kind in ("UNARY_OPERATOR", "UNEXPOSED_EXPR", *CASTS) and len(node.children) == 1:
        node = node.children[0]
    if node.decl is None or node.kind != "DECL_REF_EXPR":
        return path, None
    return [node.decl.name, *path], node.decl
