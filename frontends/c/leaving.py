"""Whether control leaves a loop other than at its end."""

from __future__ import annotations

from s2s.frontends.c.syntax import Node

_LEAVING = frozenset({"RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT",
                      "BREAK_STMT", "CONTINUE_STMT"})  # fmt: skip


def leaves_loop(body: Node) -> bool:
    """Whether a loop body has a break (of this loop) or a return, goto or label."""
    if _LEAVING.isdisjoint(body.kinds):
        return False
    stack = [(body, True)]
    while stack:
        node, own = stack.pop()
        if node.kind in ("RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"):
            return True
        if node.kind == "BREAK_STMT" and own:
            return True
        inner = own and not node.is_loop and node.kind != "SWITCH_STMT"
        stack.extend((child, inner) for child in node.children)
    return False


def leaves_early(body: Node) -> bool:
    """Whether a loop body has a break or continue of this loop, a return, a goto or a label."""
    if _LEAVING.isdisjoint(body.kinds):
        return False
    stack = [(body, True, True)]
    while stack:
        node, breaks, continues = stack.pop()
        if node.kind in ("RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"):
            return True
        if node.kind == "BREAK_STMT" and breaks:
            return True
        if node.kind == "CONTINUE_STMT" and continues:
            return True
        loop = node.is_loop
        for child in node.children:
            stack.append(
                (child, breaks and not loop and node.kind != "SWITCH_STMT", continues and not loop)
            )
    return False
