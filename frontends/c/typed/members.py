"""Members of structures that a function gets: arrays and pointers as memory, numbers by name."""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Evaluate, array_tensor
from s2s.frontends.c.typed.scope import Scope
from s2s.scop.expressions import Const, Expr
from s2s.scop.nest import Tensor


def member_memory(node: Node, scope: Scope, evaluate: Evaluate) -> Tensor:
    """The memory of ``in->data``, named ``in_data``. Raises NotATensorNest."""
    base, field = _parts(node, scope)
    if field.type.kind not in ("array", "pointer"):
        raise NotATensorNest(node.span, f"'{base.name}->{field.name}' is no array")
    if (base, field) not in scope.members:
        tensor = array_tensor(field, node.span, evaluate)
        scope.members[base, field] = replace(tensor, name=f"{base.name}_{field.name}")
    return scope.members[base, field]


def member_number(node: Node, scope: Scope) -> Expr:
    """The value of ``in->width``, given as ``in.width`` or ``width``. Raises NotATensorNest."""
    base, field = _parts(node, scope)
    type_ = type_of(field.type)
    names = (f"{base.name}.{field.name}", field.name)
    found = next((scope.numbers[name] for name in names if name in scope.numbers), None)
    if type_ is None or found is None:
        text = f"the value of '{names[0]}' is not known; give it as a size"
        raise NotATensorNest(node.span, text)
    return Const(type_, type_.wrap(found))


def _parts(node: Node, scope: Scope) -> tuple[Decl, Decl]:
    """The parameter and its member."""
    base = node.children[0] if node.children else node
    while base.kind != "DECL_REF_EXPR" and len(base.children) == 1:
        base = base.children[0]
    decl, field = base.decl, node.decl
    if decl is None or field is None or decl.kind != "PARM_DECL" or decl in scope.walking:
        raise NotATensorNest(node.span, "a member of a structure that is no parameter")
    return decl, field
