"""What takes the place of a function's parameters where its body takes the place of a call."""

from __future__ import annotations

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.prepare.callee import Callee
from s2s.frontends.c.prepare.rewriting import cast
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.source.records import dataclass

_PURE = frozenset(
    {"DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "IMPLICIT_CAST",
     "UNARY_OPERATOR", "BINARY_OPERATOR", "CXX_BOOL_LITERAL_EXPR"}
)  # fmt: skip
_ATOMS = frozenset({"DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL"})


@dataclass(frozen=True)
class Substitute:
    """The argument itself, as an expression that has the parameter's type and value."""

    text: bytes
    invariant: bool


@dataclass(frozen=True)
class Declare:
    """A variable that is initialised with the argument."""

    text: bytes
    invariant: bool


Binding = Substitute | Declare


@dataclass
class Binder:
    """Binds the parameters of one call.

    ``facts`` are the caller's; ``assigned`` are the variables that the region sets.
    """

    callee: Callee
    facts: Facts
    assigned: dict[Decl, int]

    def bind(self, arguments: list[Node], texts: tuple[bytes, ...]) -> dict[Decl, Binding]:
        bound: dict[Decl, Binding] = {}
        for parameter, node, text in zip(self.callee.parameters, arguments, texts, strict=True):
            bound[parameter] = self._one(parameter, node, text)
        return self._without_repetitions(bound)

    def _one(self, parameter: Decl, node: Node, text: bytes) -> Binding:
        invariant = self._is_invariant(node)
        value = self._substitute(parameter, node, text)
        if value is None:
            return Declare(text, invariant and parameter not in self.callee.facts.assigned)
        return Substitute(value, invariant)

    def _substitute(self, parameter: Decl, node: Node, text: bytes) -> bytes | None:
        """The text that can stand for a parameter; None where it needs a variable."""
        callee, facts = self.callee, self.callee.facts
        changed = parameter in facts.assigned or parameter in facts.escaped
        changed = changed and callee.choice is None
        if changed or callee.repeats(parameter.name) or callee.hides(parameter):
            return None
        variable = node.kind == "DECL_REF_EXPR" and same_type(node.type, parameter.type)
        named = parameter.name in callee.pragma_words
        if variable and self._keeps_value(node.decl):
            if node.decl is not None and node.decl.type.kind == "array":
                return None if named or self._sized(parameter) else text
            return text if not callee.has_tasks or _is_constant(node) else None
        if named or not self._is_pure(node, parameter):
            return None
        if callee.has_tasks and not _is_constant(node):
            return None
        if node.type.canonical == parameter.type.canonical and node.kind != "IMPLICIT_CAST":
            return text if node.kind in _ATOMS else b"(" + text + b")"
        converted = cast(parameter.type, text)
        return None if converted is None else b"(" + converted + b")"

    def _is_pure(self, node: Node, parameter: Decl) -> bool:
        """Whether an argument can be computed again wherever its value is used."""
        if parameter.type.kind not in ("int", "float") or node.type.kind not in ("int", "float"):
            return False
        for inner in node.walk():
            memory = inner.kind == "UNARY_OPERATOR" and inner.op in ("*", "&")
            if inner.kind not in _PURE or inner.assigns or memory:
                return False
            variable = inner.kind == "DECL_REF_EXPR" and inner.value is None
            if variable and not (inner.type.scalar and self._keeps_value(inner.decl)):
                return False
        return True

    def _keeps_value(self, decl: Decl | None) -> bool:
        """Whether a variable of the caller surely stays as it is while the callee runs."""
        if decl is None or decl.kind not in ("VAR_DECL", "PARM_DECL"):
            return False
        if decl.thread_local or decl.type.volatile or decl.type.reference:
            return False
        if decl.type.kind == "array":
            return True
        if decl.is_local and not decl.is_static and decl not in self.facts.escaped:
            return True
        return not self._may_store(decl)

    def _may_store(self, decl: Decl) -> bool:
        """Whether the callee may store to a variable that it could reach."""
        for node in self.callee.body.walk():
            if node.kind == "CALL_EXPR":
                return True
            if node.assigns:
                target = node.children[0]
                own = target.kind == "DECL_REF_EXPR" and target.decl is not None
                if own and target.decl in (*self.callee.parameters, *self.callee.locals):
                    continue
                if not differ(target.type, decl.type):
                    return True
        return False

    def _is_invariant(self, node: Node) -> bool:
        """Whether an argument has one value throughout the region, and may be computed early."""
        for inner in node.walk():
            allowed = inner.kind in _PURE or inner.kind == "CSTYLE_CAST_EXPR"
            followed = inner.kind == "UNARY_OPERATOR" and inner.op == "*"
            if not allowed or followed or inner.assigns or inner.op in ("/", "%"):
                return False
            variable = inner.kind == "DECL_REF_EXPR" and inner.value is None
            if variable and not is_fixed(inner.decl, self.facts, self.assigned):
                return False
        return True

    def _sized(self, parameter: Decl) -> bool:
        """Whether the body asks for the size of a parameter (which an array would change)."""
        return any(
            inner.decl is parameter
            for node in self.callee.body.walk()
            if node.kind in ("CXX_UNARY_EXPR", "UNARY_EXPR_OR_TYPE_TRAIT")
            for inner in node.walk()
        )

    def _without_repetitions(self, bound: dict[Decl, Binding]) -> dict[Decl, Binding]:
        """A variable must not be listed twice by the clauses of a pragma."""
        texts = [b.text for b in bound.values() if isinstance(b, Substitute)]
        return {
            p: Declare(b.text, b.invariant)
            if isinstance(b, Substitute)
            and p.name in self.callee.pragma_words
            and texts.count(b.text) > 1
            else b
            for p, b in bound.items()
        }


def is_fixed(decl: Decl | None, facts: Facts, assigned: dict[Decl, int]) -> bool:
    """Whether a variable of the caller has one value throughout the region."""
    if decl is None or decl.kind not in ("VAR_DECL", "PARM_DECL") or decl in assigned:
        return False
    if decl.type.kind == "array":
        return True
    local = decl.is_local and not decl.is_static
    return local and decl not in facts.escaped and not decl.type.reference


def _is_constant(node: Node) -> bool:
    return not any(n.kind == "DECL_REF_EXPR" and n.value is None for n in node.walk())


def differ(left: CType, right: CType) -> bool:
    """Whether an object of one type cannot be stored to as the other (C11 6.5 paragraph 7)."""
    kinds = {left.kind, right.kind}
    if not kinds <= {"int", "float", "pointer"} or left.character or right.character:
        return False
    return len(kinds) > 1 or left.size != right.size


def same_type(argument: CType, parameter: CType) -> bool:
    """Whether a variable used as an argument has the parameter's type, but for qualifiers."""
    if parameter.kind == "pointer":
        if argument.kind not in ("pointer", "array"):
            return False
        left, right = argument.element, parameter.element
        if _has_variable_size(left) or _has_variable_size(right):
            return False  # the sizes are spelled with names of different functions
        return left is not None and right is not None and _plain(left) == _plain(right)
    return argument.kind == parameter.kind and _plain(argument) == _plain(parameter)


def _has_variable_size(type_: CType | None) -> bool:
    while type_ is not None and type_.kind in ("pointer", "array"):
        if type_.kind == "array" and type_.count is None:
            return True
        type_ = type_.element
    return False


def _plain(type_: CType) -> str:
    """A type's canonical name without qualifiers; variable sizes make it different from others."""
    words = type_.canonical.replace("*", " * ").split()
    return " ".join(w for w in words if w not in ("const", "restrict", "__restrict"))


__all__ = ["Binder", "Binding", "Declare", "Substitute", "differ", "is_fixed", "same_type"]
