"""Facts about the variables of one function: who is assigned, whose address escapes.

Everything here is flow-insensitive: it holds at every point of the function.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from s2s.frontends.c.integer_constants import constant_value, holds
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, TYPE_PARTS, CType, Decl, Node
from s2s.source.records import dataclass

ALLOCATORS = frozenset(
    {"malloc", "calloc", "aligned_alloc", "_mm_malloc", "memalign", "valloc", "alloca"}
)
_NO_ESCAPE_CALLS = frozenset(
    {"free", "memset", "memcpy", "memmove", "printf", "fprintf", "fread", "fwrite", "memcmp"}
)


@dataclass
class Facts:
    """What a walk over a function's body found.

    ``assigned`` counts assignments (initializers not included); ``escaped`` are variables whose
    address, or whose decayed array, is used for more than a subscript; ``copied`` are pointers
    whose value is stored or passed somewhere. ``stores`` are the
    places in the text that assign.
    """

    assigned: dict[Decl, int] = field(default_factory=dict)
    escaped: set[Decl] = field(default_factory=set)
    copied: set[Decl] = field(default_factory=set)
    sources: dict[Decl, list[Node]] = field(default_factory=dict)
    references: dict[Decl, list[Node]] = field(default_factory=dict)
    stores: dict[Decl, list[int]] = field(default_factory=dict)

    def is_settled(self, decl: Decl, offset: int) -> bool:
        """Whether a local has, from a place in the text on, the value that it has there."""
        if not decl.is_local or decl.is_static or decl in self.escaped:
            return False
        return all(place < offset for place in self.stores.get(decl, []))

    def is_constant(self, decl: Decl) -> bool:
        """Whether a local keeps the value of its initializer or argument through the function."""
        return decl.is_local and decl not in self.escaped and not self.assigned.get(decl)

    def number(self, decl: Decl) -> int | None:
        """The integer that a local is through the function, where the source spells it."""
        if decl.kind != "VAR_DECL" or decl.node is None or not self.is_constant(decl):
            return None
        first = initializer(decl.node)
        if first is None or decl.type.kind != "int" or decl.type.volatile:
            return None
        value = constant_value(first)
        return value if value is not None and holds(decl.type, value) else None

    def owns_allocation(self, decl: Decl) -> bool:
        """Whether a local pointer is the only way to memory that this function allocated."""
        sources = self.sources.get(decl, [])
        return (
            decl.is_local
            and decl.kind == "VAR_DECL"
            and not decl.is_static
            and decl not in self.escaped
            and decl not in self.copied
            and len(sources) == 1
            and _is_allocation(sources[0])
        )


def _is_allocation(node: Node) -> bool:
    while node.kind in (
        "CSTYLE_CAST_EXPR",
        "IMPLICIT_CAST",
        "CXX_STATIC_CAST_EXPR",
        "CXX_REINTERPRET_CAST_EXPR",
    ):
        if not node.children:
            return False
        node = node.children[-1]
    if node.kind == "CXX_NEW_EXPR":
        return True
    return node.kind == "CALL_EXPR" and node.name in ALLOCATORS


def gather(function: Node) -> Facts:
    """Walk a function once and note what it does with its variables."""
    facts = Facts()
    _visit(function, facts, "value")
    return facts


def _visit(node: Node, facts: Facts, use: str) -> None:
    """``use``: value, path (subscripted or member), address, store, compare."""
    kind = node.kind
    if kind == "DECL_REF_EXPR":
        _note_reference(node, facts, use)
        return
    if kind == "VAR_DECL" and node.decl is not None and node.children:
        for child in node.children:
            _visit(child, facts, "value")
        value = initializer(node)
        if value is not None:
            facts.sources.setdefault(node.decl, []).append(value)
            if node.decl.type.reference:
                _visit(value, facts, "address")
        return
    if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and len(node.children) == 2:
        _visit_binary(node, facts)
        return
    if kind == "UNARY_OPERATOR" and node.children:
        inner = {"&": "address", "*": "path", "!": "compare"}.get(node.op, "value")
        if node.op in INCREMENTS:
            inner = "store"
        _visit(node.children[0], facts, inner)
        return
    if kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        if base.type.kind == "int":
            base, index = index, base
        through = use if base.type.kind == "array" and use in ("address", "value") else "path"
        decays = through == "value" and node.type.kind == "array"
        _visit(base, facts, "address" if through == "address" or decays else "path")
        _visit(index, facts, "value")
        return
    if kind == "MEMBER_REF_EXPR" and node.children:
        base = node.children[0]
        through_array = node.type.kind == "array" and use == "value"
        outer = (
            "address"
            if (use == "address" or through_array) and base.type.kind != "pointer"
            else "path"
        )
        _visit(base, facts, outer)
        return
    if kind == "CALL_EXPR":
        _visit_call(node, facts)
        return
    if kind in ("IF_STMT", "WHILE_STMT", "CONDITIONAL_OPERATOR") and node.children:
        _visit(node.children[0], facts, "compare")
        for child in node.children[1:]:
            _visit(child, facts, "value")
        return
    if kind in ("CSTYLE_CAST_EXPR", "IMPLICIT_CAST"):
        for child in node.children:
            _visit(child, facts, use if use in ("compare", "noescape") else "value")
        return
    if kind in ("ASM_STMT", "MS_ASM_STMT"):
        for child in node.children:  # an operand that is no value is one that may be set
            _visit(child, facts, "store" if child.kind == "DECL_REF_EXPR" else "value")
        return
    if kind == "LAMBDA_EXPR":
        for child in node.walk():
            if child.kind == "DECL_REF_EXPR":
                _note_reference(child, facts, "address")
                _note_reference(child, facts, "store")
        return
    for child in node.children:
        _visit(child, facts, "value")


def _note_reference(node: Node, facts: Facts, use: str) -> None:
    decl = node.decl
    if decl is None:
        return
    facts.references.setdefault(decl, []).append(node)
    if use == "store":
        facts.assigned[decl] = facts.assigned.get(decl, 0) + 1
        facts.stores.setdefault(decl, []).append(node.span.start)
    if use == "address" or (use in ("value", "compare") and decl.type.kind == "array"):
        facts.escaped.add(decl)
    if use == "value" and decl.type.kind == "pointer":
        facts.copied.add(decl)


def _visit_binary(node: Node, facts: Facts) -> None:
    left, right = node.children
    if node.op in ASSIGNMENTS:
        target = left
        _visit(target, facts, "store" if target.kind == "DECL_REF_EXPR" else "value")
        if target.kind == "DECL_REF_EXPR" and target.decl is not None:
            source = right if node.op == "=" else node
            facts.sources.setdefault(target.decl, []).append(source)
        _visit(right, facts, "value")
        return
    compares = node.op in ("==", "!=", "<", ">", "<=", ">=", "&&", "||")
    for child in node.children:
        _visit(child, facts, "compare" if compares and child.type.kind != "array" else "value")


def _visit_call(node: Node, facts: Facts) -> None:
    quiet = node.decl is not None and node.decl.name in _NO_ESCAPE_CALLS
    references = _reference_parameters(node)
    for position, child in enumerate(node.children):
        if position > 0 and position - 1 in references:
            _visit(child, facts, "address")
            _visit(child, facts, "store" if child.kind == "DECL_REF_EXPR" else "value")
        elif quiet and child.kind == "DECL_REF_EXPR" and child.type.kind == "pointer":
            _note_reference(child, facts, "noescape")
        else:
            _visit(child, facts, "value")


def _reference_parameters(call: Node) -> set[int]:
    """Positions of arguments that C++ passes by reference (all of them where unknown)."""
    decl = call.decl
    if decl is None or "&" not in decl.type.spelling:
        return set()
    inside = decl.type.spelling.partition("(")[2].rpartition(")")[0]
    return {p for p, text in enumerate(inside.split(",")) if "&" in text}


def initializer(node: Node) -> Node | None:
    """The initializer of a VAR_DECL."""
    expressions = _expressions(node)
    return expressions[-1] if len(expressions) > node.dimensions else None


def size_expressions(node: Node) -> list[Node]:
    """The size expressions of a variable's variable-length dimensions, outermost first.

    Empty where it is not known which one belongs to which dimension.
    """
    return [length for length in dimension_lengths(node) or () if isinstance(length, Node)]


def dimension_lengths(node: Node) -> list[Node | int] | None:
    """How long a variable's dimensions are, outermost first: numbers, and expressions elsewhere.

    None where it is not known which one belongs to which dimension. The outermost one of a
    parameter, which is a pointer, is left out.
    """
    counts = _counts(node.decl.type if node.decl is not None else node.type)
    if None not in counts:
        return [count for count in counts if count is not None]
    listed = lengths_of(node)[::-1]
    if None not in counts[1:] and not any(map(_names_a_variable, listed)):
        return [count for count in counts if count is not None]  # as many as another file says
    found: list[list[Node | int]] = []
    # A parameter's first length is of no dimension; the last dimensions may be those of a typedef.
    for lengths in (listed, listed[1:]):
        own, named = counts[: len(lengths)], counts[len(lengths) :]
        if len(own) == len(lengths) and None not in named and _are_lengths(lengths, own):
            variable = [e if n is None else n for e, n in zip(lengths, own, strict=True)]
            found.append([*variable, *(n for n in named if n is not None)])
    return found[0] if len(found) == 1 else None


def lengths_of(node: Node) -> list[Node]:
    """The expressions of a declarator's array lengths, innermost first."""
    return _expressions(node)[: node.dimensions]


def _counts(type_: CType | None) -> list[int | None]:
    """How many elements each array in a declared type has, outermost first."""
    found = []
    while type_ is not None and type_.kind in ("pointer", "array"):
        if type_.kind == "array":
            found.append(type_.count)
        type_ = type_.element
    return found


def _are_lengths(expressions: list[Node], counts: list[int | None]) -> bool:
    """Whether expressions may be those of dimensions of so many elements (None: variable)."""
    for place, (expression, count) in enumerate(zip(expressions, counts, strict=True)):
        value = constant_value(expression)
        if count is None:
            # What has elements of variable length is of variable length to clang.
            fits = _names_a_variable(expression) or None in counts[place + 1 :]
        else:  # what is not computed here may be a shift or a size
            fits = value == count or (value is None and not _names_a_variable(expression))
        if not fits:
            return False
    return True


def _names_a_variable(expression: Node) -> bool:
    named = (n.decl for n in expression.walk() if n.kind == "DECL_REF_EXPR")
    return any(decl is None or decl.kind != "ENUM_CONSTANT_DECL" for decl in named)


def _expressions(node: Node) -> list[Node]:
    """The children of a VAR_DECL that are expressions and no parts of its type."""
    return [c for c in node.children if c.kind not in TYPE_PARTS]


def assigned_in(nodes: Iterable[Node]) -> dict[Decl, int]:
    """Variables that a piece of code assigns or declares, with the number of places."""
    found: dict[Decl, int] = {}
    for root in nodes:
        for decl, count in root.assigned.items():
            found[decl] = found.get(decl, 0) + count
    return found
