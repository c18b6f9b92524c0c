"""Whether a nest shows stores beside members of records, before it is lifted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.frontends.c.regions import Attempt


def stores_beside_members(attempt: Attempt) -> bool:
    """Whether a nest stores integers that may be members of a record behind a pointer in it."""
    node = attempt.statements[0]
    if node.kind != "FOR_STMT" or attempt.lifter.attached.within(attempt.span):
        return False
    if not any(n.is_loop for child in node.children for n in child.walk()):
        return False
    targets = [n.children[0] for n in node.walk() if n.assigns]
    elements = [t.type for t in targets if t.kind == "ARRAY_SUBSCRIPT_EXPR"]
    return any(t.kind == "int" for t in elements) and any(
        n.kind == "MEMBER_REF_EXPR" and n.children and n.children[0].type.kind == "pointer"
        for n in node.walk()
    )
