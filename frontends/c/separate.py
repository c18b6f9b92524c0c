"""Every statement of the source for itself.

``scalars`` and ``carried`` take private scalars apart from the memory that orders statements. Here
nothing is private: each scalar is memory without subscripts, as other polyhedral tools have it, and
a body's declarations become assignments after a declaration before the new code. What order
is left to statements that share such a scalar, the dependences say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import partial

from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.raw import Raw, RawLeaf, RawLoop, RawSequence, leaves, rebuild
from s2s.frontends.c.scalars import merge_declarations
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Edit, SourceBuffer

_TYPE_WORDS = frozenset({"const", "register", "static", "auto"})


def keep_separate(tree: Raw, lifter: Lifter, *, texts: bool = True) -> tuple[Raw, frozenset[Decl]]:
    """The tree with statements merged only where no text could be made otherwise.

    The second result are the variables whose declarations became assignments: with ``texts``
    scalars, else arrays, too.
    """
    parts = list(leaves(tree))
    if not texts:
        declared = frozenset(d for leaf in parts for d in leaf.declares if _is_memory(d, leaf))
        tree = rebuild(tree, partial(_without_bare, hoisted=declared))
        return merge_declarations(tree, declared), declared
    shared = {d for leaf in parts for d in leaf.declares if _users(parts, d) > 1}
    hoisted = frozenset(d for d in shared if _is_hoistable(d, parts, lifter))
    tree = rebuild(tree, partial(_without_bare, hoisted=hoisted))
    return merge_declarations(tree, hoisted), hoisted


def declaration(decl: Decl) -> str:
    """The declaration that stands before the new code."""
    words = [word for word in decl.type.spelling.split() if word not in _TYPE_WORDS]
    return f"{' '.join(words)} {decl.name};"


def assignments(leaf: RawLeaf, hoisted: Set[Decl]) -> Iterable[Edit]:
    """Edits that turn the declarations of a leaf into assignments."""
    for node in leaf.nodes:
        for child in node.children if node.kind == "DECL_STMT" else ():
            if child.decl in hoisted and child.decl is not None:
                yield Edit(child.span.start, child.decl.offset, b"")


def _users(parts: Iterable[RawLeaf], decl: Decl) -> int:
    return sum(decl in leaf.references | leaf.declares for leaf in parts)


def _is_hoistable(decl: Decl, parts: list[RawLeaf], lifter: Lifter) -> bool:
    """Whether a scalar may as well be declared before the region."""
    type_ = decl.type
    if type_.kind not in ("int", "float") or type_.volatile or type_.reference:
        return False
    if decl in lifter.facts.escaped or decl.is_static or "(" in type_.spelling:
        return False
    if any(node.in_macro for node in lifter.facts.references.get(decl, [])):
        return False
    if any(leaf.pragmas for leaf in parts if decl in leaf.references | leaf.declares):
        return False
    declaring = [leaf for leaf in parts if decl in leaf.declares]
    if len(declaring) != 1 or not _is_plain(declaring[0], lifter.buffer):
        return False
    return _is_unambiguous(decl, parts, lifter)


def _is_memory(decl: Decl, leaf: RawLeaf) -> bool:
    """Whether a leaf declares a number, or an array of them that is not filled there."""
    type_ = decl.type
    plain = type_.innermost().kind in ("int", "float") and not (type_.volatile or type_.reference)
    filled = any(n.kind == "INIT_LIST_EXPR" for node in leaf.nodes for n in node.walk())
    return plain and not decl.is_static and not filled


def _is_unambiguous(decl: Decl, parts: Iterable[RawLeaf], lifter: Lifter) -> bool:
    """Whether nothing else that the new code may name has the name: bounds of loops, too."""
    others = {d for p in parts for d in p.references | p.declares | set(p.context.decls)}
    others |= {n.decl for root in lifter.region for n in root.walk() if n.decl is not None}
    others |= {d for d in lifter.facts.references if d.kind == "PARM_DECL" or d.is_global}
    if any(other.name == decl.name and other is not decl for other in others):
        return False
    return not any(
        re.search(rf"\b{decl.name}\b", parameter.spelling)
        for parameter in lifter.affine.parameters.values()
    )


def _is_plain(leaf: RawLeaf, buffer: SourceBuffer) -> bool:
    """Whether a leaf declares one variable and sets it, or declares some and sets none."""
    if len(leaf.nodes) != 1 or leaf.nodes[0].kind != "DECL_STMT" or leaf.nodes[0].in_macro:
        return False
    variables = leaf.nodes[0].children
    if any(v.kind != "VAR_DECL" or v.in_macro for v in variables):
        return False
    values = [_initial_value(v) for v in variables]
    if not any(values):
        return True
    if len(variables) != 1 or values[0] is None or variables[0].decl is None:
        return False
    decl = variables[0].decl
    between = buffer.data[decl.offset + len(decl.name.encode()) : values[0].span.start]
    return between.strip() == b"=" and values[0].kind != "INIT_LIST_EXPR"


def _initial_value(variable: Node) -> Node | None:
    return next((c for c in variable.children if c.kind != "NAMESPACE_REF"), None)


def _without_bare(node: Raw, hoisted: Set[Decl]) -> Raw:
    """Leave out declarations that set nothing and whose variables are declared in front."""

    def bare(child: Raw) -> bool:
        return (
            isinstance(child, RawLeaf)
            and bool(child.declares)
            and child.declares <= hoisted
            and not child.written
        )

    if isinstance(node, RawSequence):
        return RawSequence([c for c in node.children if not bare(c)], node.span)
    if isinstance(node, RawLoop) and bare(node.body):
        node.body = RawSequence([], node.body.span)
    return node
