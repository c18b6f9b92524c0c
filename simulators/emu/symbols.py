"""What names mean in a program: their types and where their values lie.

Types are nodes of pycparser. Only what decides about memory is worked out: whether something is an
array, a pointer, a function or a structure, not the arithmetic types.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from pycparser import c_ast

from s2s.source.records import dataclass

BUILTIN_LIST = "__builtin_va_list"


class Home(Enum):
    """Where the value of a name lies."""

    REGISTER = "in the thread"
    FRAME = "in memory of the nodelet where the function began"
    STATIC = "in static data, on the first nodelet"
    REPLICATED = "on each nodelet"
    NOWHERE = "a function, a constant or a type"


@dataclass(frozen=True)
class Symbol:
    """A declared name; ``is_type`` for typedefs, whose ``type`` is what they stand for."""

    name: str
    type: Any
    home: Home
    is_type: bool = False


class Scope:
    """Names by block, and the members of structures."""

    def __init__(self) -> None:
        self._blocks: list[dict[str, Symbol]] = [{}]
        self._members: dict[str, tuple[Any, ...]] = {}
        self._anonymous = 0
        self._kept: list[Symbol] = []  # so that no two have the same id()

    def open(self) -> None:
        self._blocks.append({})

    def close(self) -> None:
        self._blocks.pop()

    @property
    def is_global(self) -> bool:
        return len(self._blocks) == 1

    def add(self, symbol: Symbol) -> None:
        self._blocks[-1][symbol.name] = symbol
        self._kept.append(symbol)

    def find(self, name: str) -> Symbol | None:
        return next((block[name] for block in reversed(self._blocks) if name in block), None)

    def in_frame(self) -> frozenset[int]:
        """What tells the variables apart that lie in the frame and are visible here."""
        return frozenset(
            id(symbol)
            for block in self._blocks
            for symbol in block.values()
            if symbol.home is Home.FRAME
        )

    def learn(self, declared: Any) -> None:
        """Note the structure that a declaration defines, and the constants of enumerations."""
        defined = innermost(declared)
        if isinstance(defined, c_ast.Enum) and defined.values is not None:
            for constant in defined.values.enumerators:
                self.add(Symbol(constant.name, None, Home.NOWHERE))
        if isinstance(defined, c_ast.Struct | c_ast.Union) and defined.decls is not None:
            if defined.name is None:
                self._anonymous += 1
                defined.name = f"s2s_anonymous_{self._anonymous}"
            self._members[defined.name] = tuple(defined.decls)
            for member in defined.decls:
                if getattr(member, "name", None):
                    self.learn(member.type)

    def resolved(self, declared: Any) -> Any:
        """A type without typedefs: a pointer, array, function, structure, or a type's words."""
        while declared is not None:
            if isinstance(declared, c_ast.Typename | c_ast.TypeDecl | c_ast.Decl):
                declared = declared.type
            elif isinstance(declared, c_ast.IdentifierType) and len(declared.names) == 1:
                symbol = self.find(declared.names[0])
                if symbol is None or not symbol.is_type:
                    return declared
                declared = symbol.type
            else:
                return declared
        return None

    def is_array(self, declared: Any) -> bool:
        return isinstance(self.resolved(declared), c_ast.ArrayDecl)

    def is_function(self, declared: Any) -> bool:
        return isinstance(self.resolved(declared), c_ast.FuncDecl)

    def is_address(self, declared: Any) -> bool:
        return isinstance(self.resolved(declared), c_ast.PtrDecl | c_ast.ArrayDecl)

    def is_void(self, declared: Any) -> bool:
        found = self.resolved(declared)
        return isinstance(found, c_ast.IdentifierType) and found.names == ["void"]

    def is_argument_list(self, declared: Any) -> bool:
        found = self.resolved(declared)
        return isinstance(found, c_ast.IdentifierType) and found.names == [BUILTIN_LIST]

    def holds_array(self, declared: Any) -> bool:
        """Whether a value of a type is indexed where it lies, so that registers cannot hold it."""
        found = self.resolved(declared)
        if isinstance(found, c_ast.Struct | c_ast.Union):
            return any(self.holds_array(member) for member in self._members_of(found))
        return isinstance(found, c_ast.ArrayDecl)

    def member(self, structure: Any, name: str) -> Any:
        """The declaration of a member, also one of an anonymous structure inside; or None."""
        for member in self._members_of(self.resolved(structure)):
            if getattr(member, "name", None) == name:
                return member
            if getattr(member, "name", None) is None and hasattr(member, "type"):
                inner = self.member(member.type, name)
                if inner is not None:
                    return inner
        return None

    def _member_of(self, node: Any) -> Any:
        base = self._element(node.name) if node.type == "->" else self.type_of(node.name)
        return self.member(base, node.field.name)

    def is_bits(self, node: Any) -> bool:
        """Whether an expression names a bit-field."""
        if not isinstance(node, c_ast.StructRef):
            return False
        return getattr(self._member_of(node), "bitsize", None) is not None

    def _members_of(self, structure: Any) -> Iterable[Any]:
        if not isinstance(structure, c_ast.Struct | c_ast.Union):
            return ()
        return self._members.get(structure.name, structure.decls or ())

    def type_of(self, node: Any) -> Any:
        """The type of an expression; None for arithmetic whose type does not matter."""
        match node:
            case c_ast.ID():
                symbol = self.find(node.name)
                return symbol.type if symbol else None
            case c_ast.ArrayRef():
                return self._element(node.name) or self._element(node.subscript)
            case c_ast.StructRef():
                member = self._member_of(node)
                return member.type if member else None
            case c_ast.UnaryOp():
                return self._type_of_unary(node)
            case c_ast.Cast():
                return node.to_type.type
            case c_ast.CompoundLiteral():
                return node.type.type
            case c_ast.FuncCall():
                return self._result(node.name)
            case c_ast.BinaryOp() if node.op in ("+", "-"):
                return next(
                    filter(self.is_address, map(self.type_of, (node.left, node.right))), None
                )
            case c_ast.Assignment():
                return self.type_of(node.lvalue)
            case c_ast.TernaryOp():
                return self.type_of(node.iftrue) or self.type_of(node.iffalse)
            case c_ast.ExprList():
                return self.type_of(node.exprs[-1])
        return None

    def _type_of_unary(self, node: Any) -> Any:
        if node.op == "*":
            return self._element(node.expr)
        if node.op == "&":
            return c_ast.PtrDecl([], self.type_of(node.expr))
        return self.type_of(node.expr) if node.op in ("p++", "p--", "++", "--") else None

    def _element(self, node: Any) -> Any:
        """What a pointer points to; a function's name is its address."""
        found = self.resolved(self.type_of(node))
        if isinstance(found, c_ast.FuncDecl):
            return found
        return found.type if isinstance(found, c_ast.PtrDecl | c_ast.ArrayDecl) else None

    def _result(self, called: Any) -> Any:
        found = self.resolved(self.type_of(called))
        if isinstance(found, c_ast.PtrDecl):
            found = self.resolved(found.type)
        return found.type if isinstance(found, c_ast.FuncDecl) else None


def innermost(declared: Any) -> Any:
    """What a type is made of: below pointers, arrays and functions."""
    while isinstance(
        declared,
        c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl | c_ast.TypeDecl | c_ast.Typename,
    ):
        declared = declared.type
    return declared


def address_taken(body: Any) -> frozenset[str]:
    """Names (whichever block declares them) of which ``&`` takes the address or a member's.

    Arrays are in memory anyhow, and what ``&pointer[i]`` names is not the pointer.
    """
    found: set[str] = set()

    class Visitor(c_ast.NodeVisitor):  # type: ignore[misc]
        def visit_UnaryOp(self, node: Any) -> None:
            if node.op == "&":
                base = node.expr
                while isinstance(base, c_ast.StructRef) and base.type == ".":
                    base = base.name
                if isinstance(base, c_ast.ID):
                    found.add(base.name)
            self.generic_visit(node)

    Visitor().visit(body)
    return frozenset(found)
