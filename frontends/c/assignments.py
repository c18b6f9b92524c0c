"""What texts of a statement may be replaced: an assignment's target, elements that it reads."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from s2s.frontends.c.raw import RawLeaf
from s2s.frontends.c.syntax import ASSIGNMENTS, CType, Node
from s2s.frontends.c.touch import Touch
from s2s.scop.texts import Assignment
from s2s.source import SourceBuffer, Span

_OPERATOR = re.compile(rb"\s*((?:[-+*/%&|^]|<<|>>)?=)(?!=)")
_UNREPEATABLE = re.compile(r"\(|\[|unnamed|anonymous|lambda")
_QUALIFIERS = frozenset({"const", "register", "static", "auto"})


def value_type(type_: CType, *, in_record: bool) -> str:
    """The type of a variable that can hold a value; empty where there is none.

    An integer in a record may be a bit-field, to which values are cut.
    """
    if type_.kind not in ("int", "float") or (in_record and type_.kind == "int"):
        return ""
    if type_.volatile or _UNREPEATABLE.search(type_.spelling):
        return ""
    return " ".join(word for word in type_.spelling.split() if word not in _QUALIFIERS)


def places(touch: Touch, leaf: RawLeaf) -> tuple[Span, ...]:
    """Where a leaf's text names an element for nothing but its value."""
    if touch.write or touch.in_macro or leaf.pragmas:
        return ()
    return () if touch.span in leaf.targets or _is_own(touch, leaf) else (touch.span,)


def _is_own(touch: Touch, leaf: RawLeaf) -> bool:
    """Whether an element's subscripts have variables that the leaf itself sets.

    Anywhere else its text means another element, or nothing.
    """
    if touch.is_scalar:
        return False
    root, start, end = touch.root, touch.span.start, touch.span.end
    # A loop, not ``any``: merged leaves have hundreds of touches and of references.
    for node in leaf.set_references:
        span = node.span
        if start <= span.start and span.end <= end and node.decl is not root:
            return True
    return False


def assignment_of(leaf: RawLeaf, buffer: SourceBuffer) -> Assignment | None:
    """A leaf as an assignment, if that is all it is."""
    if len(leaf.nodes) != 1 or leaf.pragmas or leaf.context.conditions:
        return None
    (node,) = leaf.nodes
    if node.in_macro:
        return None
    if node.kind == "DECL_STMT":
        return _declaration(node, buffer)
    if node.kind not in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
        return None
    if node.op not in ASSIGNMENTS or node.children[0].in_macro:
        return None
    target = node.children[0]
    type_ = value_type(target.type, in_record=_is_field(target))
    found = _assignment(target.span, node.span.end, type_, buffer)
    copied = _copied(node.children[1], type_)
    if found is None or copied is None:
        return found
    texts = buffer.text(target.span), buffer.text(copied)
    return replace(found, copied=copied, instead=_instead(*texts))


def _declaration(node: Node, buffer: SourceBuffer) -> Assignment | None:
    """A declaration with a value; before the new code it becomes an assignment."""
    variables = node.children
    if len(variables) != 1 or variables[0].kind != "VAR_DECL" or variables[0].decl is None:
        return None
    decl = variables[0].decl
    target = Span(decl.offset, decl.offset + len(decl.name.encode()))
    type_ = value_type(decl.type, in_record=False)
    return _assignment(target, variables[0].span.end, type_, buffer)


def _assignment(target: Span, end: int, type_: str, buffer: SourceBuffer) -> Assignment | None:
    found = _OPERATOR.match(buffer.data, target.end)
    if found is None or not type_:
        return None
    operator = Span(found.start(1), found.end(1))
    return Assignment(target, operator, found.group(1)[:-1].decode(), end, type_)


def _copied(value: Node, type_: str) -> Span | None:
    """The place of the element that a value is, where nothing converts it."""
    while value.kind in ("IMPLICIT_CAST", "PAREN_EXPR") and len(value.children) == 1:
        if value_type(value.type, in_record=False) != type_:
            return None
        (value,) = value.children
    same = value_type(value.type, in_record=False) == type_
    plain = value.kind == "ARRAY_SUBSCRIPT_EXPR" and not value.in_macro
    return value.span if plain and same else None


def _instead(target: str, value: str) -> str:
    """The text that makes ``target`` where it stands for the array in ``value``.

    ``b[i]`` for ``b[i][j]`` and ``t[j]``, ``(b + (i * m))`` for ``b[i * m + j]`` and ``t[j]``.
    """
    target, value = re.sub(r"\s+", "", target), re.sub(r"\s+", "", value)
    name = re.match(r"\w+(?=\[)", value)
    if name is None:
        return ""
    subscripts = value[name.end() :]
    if target.endswith(subscripts):
        return target.removesuffix(subscripts)
    flat = re.fullmatch(r"(\w+)\[([\w*+]+)\+" + re.escape(subscripts[1:]), target)
    return f"({flat[1]} + ({flat[2]}))" if flat else ""


def names(touch: Touch, name: str, buffer: SourceBuffer) -> tuple[Span, ...]:
    """Where the text of a touch names the variable ``name``, to whose elements it leads."""
    if touch.in_macro:
        return ()
    text = buffer.data[touch.span.start : touch.span.end]
    found = _subscripted(name).match(text)
    if found is None:
        return ()
    start, end = found.span(1 if found[1] else 2)
    return (Span(touch.span.start + start, touch.span.start + end),)


def _is_field(node: Node) -> bool:
    return any(n.kind == "MEMBER_REF_EXPR" for n in node.walk())


@cache
def _subscripted(name: str) -> re.Pattern[bytes]:
    """The beginning of an element of an array: its name, or what it points to, and a bracket."""
    word = re.escape(name.encode())
    return re.compile(rb"(?:\(\s*\*\s*(%b)\s*\)|(%b))\s*\[" % (word, word))
