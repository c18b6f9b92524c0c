"""Fields of structures that lead to memory to which nothing else leads.

    list->edges = realloc(list->edges, size);          edges only ever gets fresh memory

Then two structures of a kind never share what hangs off them. It has to hold for the whole program:
what a field gets, that no structure with it is copied, that nobody has its address.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.emu.objects import ALLOCATORS, Objects
from s2s.rewriters.emu.program import Program, written

_PLACES = (
    *("VAR_DECL", "PARM_DECL"),
    *("DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"),
)


def unique_fields(program: Program, objects: Objects) -> frozenset[Decl]:
    """The fields; none where types are mixed, so that a store to one may be hidden."""
    nodes = [n for function in program.functions.values() for n in function.walk()]
    if any(map(_mixes_types, nodes)):
        return frozenset()
    fields = [f for f in objects.fields() if f.type.kind == "pointer"]
    copied = {_name(t) for n in nodes for t in _copied(program, n)}
    listed = {_name(n.type) for n in nodes if n.kind == "INIT_LIST_EXPR"}
    bad = copied | listed
    for _ in range(len(objects.fields())):
        bad |= {_name(f.type.innermost()) for f in objects.fields() if _parent(f) in bad}
    stores: dict[Decl, list[Node]] = {}
    for node in nodes:
        place = written(node)
        if place is not None and place.kind == "MEMBER_REF_EXPR" and place.decl is not None:
            stores.setdefault(place.decl, []).append(node)
    return frozenset(
        f
        for f in fields
        if _parent(f) not in bad and all(_gets_fresh(program, s) for s in stores.get(f, ()))
    )


def _mixes_types(node: Node) -> bool:
    """Whether a pointer is used as one to another type, or to none."""
    type_, inner = node.type, node.children[-1].uncast if node.children else node
    if node.kind in _PLACES:
        return _innermost(type_).kind == "void" and type_.kind in ("pointer", "array")
    if node.kind != "CSTYLE_CAST_EXPR" or type_.kind != "pointer":
        return False
    if inner.kind == "CALL_EXPR" and inner.name in ALLOCATORS:
        return False
    if inner.value == 0 or inner.type.kind not in ("pointer", "array"):
        return False
    return type_.element is None or _name(_innermost(type_)) != _name(_innermost(inner.type))


def _innermost(type_: CType) -> CType:
    while type_.kind in ("pointer", "array") and type_.element is not None:
        type_ = type_.element
    return type_


def _copied(program: Program, node: Node) -> Iterator[CType]:
    """The structures that an expression copies."""
    if node.kind == "BINARY_OPERATOR" and node.op == "=" and node.type.kind == "record":
        yield node.type
    elif node.kind == "VAR_DECL" and node.type.kind == "record" and node.children:
        if node.children[-1].uncast.kind != "INIT_LIST_EXPR":
            yield node.type
    elif node.kind in ("CALL_EXPR", "RETURN_STMT"):
        yield from (c.uncast.type for c in node.children if c.uncast.type.kind == "record")


def _gets_fresh(program: Program, store: Node) -> bool:
    """Whether a store to a field gives it memory that nobody else has."""
    if store.kind != "BINARY_OPERATOR" or store.op != "=":
        return False
    place, value = (child.uncast for child in store.children)
    if value.value == 0 and value.kind == "INTEGER_LITERAL":
        return True
    if _is_fresh(program, value, place):
        return _is_statement(program, store)
    return value.kind == "DECL_REF_EXPR" and _hands_over(program, store, value, place)


def _is_fresh(program: Program, value: Node, place: Node) -> bool:
    if value.kind != "CALL_EXPR" or value.name not in ALLOCATORS or value.in_macro:
        return False
    return value.name != "realloc" or _words(program, value.children[1]) == _words(program, place)


def _hands_over(program: Program, store: Node, value: Node, place: Node) -> bool:
    """``p = realloc(x->f, n); ... x->f = p;``: a variable between, which then has no other use."""
    function = next((n for n in program.outward(store) if n.kind == "FUNCTION_DECL"), None)
    decl = value.decl
    if function is None or decl is None or decl.is_global or decl.is_static:
        return False
    gets = [n for n in function.walk() if _sets(n, decl)]
    if len(gets) != 1:
        return False
    given = gets[0].children[-1].uncast
    outer = program.parents.get(id(gets[0]))
    if outer is not None and outer.kind == "DECL_STMT":
        outer = program.parents.get(id(outer))
    uses = [n for n in function.walk() if n.kind == "DECL_REF_EXPR" and n.decl is decl]
    others = [n for n in uses if n is not value and not _is_asked(program, n, gets[0])]
    fresh = _is_fresh(program, given, place) and gets[0].op in ("", "=")
    return (
        _is_once_in(program, store, outer)
        and fresh
        and not others
        and gets[0].span.start < store.span.start
    )


def _is_once_in(program: Program, store: Node, block: Node | None) -> bool:
    """Whether a statement is run at most once each time that a block is."""
    for above in program.outward(store):
        if above is block:
            return above.kind == "COMPOUND_STMT"
        if above.is_loop:
            return False
    return False


def _sets(node: Node, decl: Decl) -> bool:
    """Whether a node gives a variable a value, or takes its address."""
    if node.kind == "VAR_DECL":
        return node.decl is decl and bool(node.children)
    place = written(node)
    return place is not None and place.kind == "DECL_REF_EXPR" and place.decl is decl


def _is_asked(program: Program, node: Node, get: Node) -> bool:
    """Whether a use of a pointer asks only for a size or whether there is memory, or sets it."""
    if any(above.kind == "CXX_UNARY_EXPR" for above in program.outward(node)):
        return True
    above = program.parents[id(node)]
    while above.kind in ("IMPLICIT_CAST",):
        above = program.parents[id(above)]
    if above is get or (above.kind == "IF_STMT" and above.children[0].uncast is node):
        return True
    return above.op in ("!", "==", "!=")


def _is_statement(program: Program, store: Node) -> bool:
    """Whether nobody has the value of an assignment besides what it is assigned to."""
    above = program.parents.get(id(store))
    kinds = ("COMPOUND_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT")
    return above is not None and above.kind in kinds


def _words(program: Program, node: Node) -> str:
    return "".join(program.flat.buffer.text(node.uncast.span).split())


def _name(type_: CType) -> str:
    return type_.canonical.replace("const ", "")


def _parent(decl: Decl) -> str:
    """The structure that a field is in."""
    spelling: str = decl.cursor.semantic_parent.type.get_canonical().spelling
    return spelling
