"""The interpreter: expressions of the metaprogram.

An expression evaluates to a value or to a ``Ref`` (an lvalue). Statements are in ``statements``,
calls in ``calls``; what the headers declare is in ``library``.
"""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate.builtin_operators import BuiltinOperators
from s2s.frontends.halide.evaluate.calls import Calls
from s2s.frontends.halide.evaluate.classes import Classes
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.conversions import Conversions
from s2s.frontends.halide.evaluate.declarations import is_library
from s2s.frontends.halide.evaluate.objects import (
    DEFAULT,
    Bound,
    Frame,
    Function,
    Instance,
    Lambda,
    Pack,
    Scope,
)
from s2s.frontends.halide.evaluate.statements import Statements
from s2s.frontends.halide.evaluate.syntax import Node, literal
from s2s.frontends.halide.evaluate.types import SCALARS, ctype
from s2s.frontends.halide.evaluate.values import (
    NULL,
    Cell,
    Enumerator,
    Number,
    Pointer,
    Ref,
    deref,
    describe,
    number,
    of_type,
    truth,
    type_name,
)
from s2s.frontends.halide.evaluate.world import World, to_expr
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

STEPS = 3_000_000
"""Expressions and statements that an evaluation may take before it counts as endless."""


class Interpreter(BuiltinOperators, Calls, Classes, Conversions, Statements):
    """Evaluates a translation unit's functions; ``world`` collects what they build."""

    def __init__(self, buffer: SourceBuffer, unit: Any, world: World, steps: int = STEPS) -> None:
        self.buffer, self.unit, self.world = buffer, unit, world
        self.left = steps
        self.depth = 0
        self.globals: dict[Any, Ref] = {}
        self.frame = Frame(Scope())
        self.classes: dict[Any, Any] = {}
        self.hint: str | None = None

    # Errors.

    def refused(self, error: Illegal) -> UserError:
        """An error of the program's as the user sees it."""
        notes = tuple(
            Diagnostic(Severity.NOTE, text, "halide", self._location(at))
            for text, at in error.notes
        )
        at = error.at if error.at is not None else self.world.at
        place = self._location(at) or Location(self.buffer.path, 1, 1, 1, 1)
        return UserError(Diagnostic(Severity.ERROR, error.text, "halide", place, notes))

    def _location(self, at: Span | None) -> Location | None:
        return None if at is None else self.buffer.location(at)

    def unsupported(self, node: Node, what: str) -> Illegal:
        return Illegal(f"{what} is not supported in the programs that build pipelines")

    # Expressions.

    def value(self, node: Node) -> Any:
        """An expression's value."""
        return deref(self.ev(node))

    def ev(self, node: Node) -> Any:
        """An expression's value or place."""
        self.left -= 1
        if self.left < 0:
            raise Illegal("the program takes too many steps to build its pipeline")
        handler = _EXPRESSIONS.get(node.kind)
        if handler is None:
            self.locate(node)
            words = node.kind.lower().replace("_", " ").removeprefix("cxx ")
            raise self.unsupported(node, f"'{words}'")
        return handler(self, node)

    def locate(self, node: Node) -> None:
        """What is evaluated next is at this node, as far as it is in the main file."""
        path, offset = node.place
        if path == self.buffer.path:
            self.world.at = Span(offset, max(node.extent[1], offset))

    def _wrapper(self, node: Node) -> Any:
        """Implicit conversions, temporaries, default arguments."""
        parts = node.parts
        if not parts:
            return DEFAULT if node.place[1] == 0 else self.default_value(ctype(node.type))
        value = self.ev(parts[-1])
        plain = value.get() if isinstance(value, Ref) else value
        if number(plain) is not None:
            type_ = ctype(node.type)
            if type_.is_scalar and type_name(plain) != type_.name:
                return of_type(number(plain) or 0, type_.name)
            if isinstance(plain, Enumerator) and type_.is_scalar:
                return of_type(plain.value, type_.name)
            return value
        if isinstance(plain, Items) and ctype(node.type).pointer:
            return Pointer(None, plain.items, 0)
        if isinstance(plain, Pointer) and node.type == "bool":
            return True
        if plain is NULL and node.type == "bool":
            return False
        return value

    def _literal(self, node: Node) -> Any:
        found = literal(node)
        if found is None:
            raise self.unsupported(node, "this literal")
        name = ctype(node.type).name
        return of_type(found, name) if name in SCALARS else found  # type: ignore[arg-type]

    def _string(self, node: Node) -> str:
        return _unescaped(node.name)

    def _name(self, node: Node) -> Any:
        """A variable, a function, an enumerator."""
        known = self.frame.scope.find(node.name) if node.name else None
        if known is not None and not isinstance(known, Pack):
            return known
        declared = node.referenced
        if declared is None:
            if node.parts:
                return self.ev(node.parts[-1])
            raise self.unsupported(node, f"'{node.name}'")
        if known is not None:
            found = self.frame.scope.find(declared.key)
            if found is not None:
                return found
        return self.declared(node, declared)

    def declared(self, node: Node, declared: Node) -> Any:
        """What a declaration that is no local name stands for."""
        kind = declared.kind
        if kind == "ENUM_CONSTANT_DECL":
            return Enumerator(declared.name, declared.cursor.enum_value, declared.scope)
        if kind in ("FUNCTION_DECL", "CXX_METHOD"):
            return Function(declared)
        if kind in ("VAR_DECL", "FIELD_DECL"):
            if is_library(declared) and literal(node) is not None:
                return self._literal(node)
            this = self.frame.this
            if this is not None and declared.name in this.fields:
                return this.fields[declared.name]
            return self.global_(declared)
        self.locate(node)
        raise Illegal(f"'{node.name}' has no value that is known here")

    def _member(self, node: Node) -> Any:
        declared = node.referenced
        base = self.ev(node.parts[0]) if _has_object(node) else None
        target: Any = self.frame.this if base is None else deref(base)
        if isinstance(target, Pointer):
            target = target.ref().get()
        if declared is not None and declared.kind in ("CXX_METHOD", "CONVERSION_FUNCTION"):
            return Bound(base if isinstance(base, Ref) else target, declared.name, declared)
        if declared is not None and declared.kind in ("ENUM_CONSTANT_DECL", "VAR_DECL"):
            return self.declared(node, declared)
        fields = getattr(target, "fields", None)
        if fields is not None and node.name in fields:
            found = fields[node.name]
            if isinstance(target, Instance):
                return found
            from s2s.frontends.halide.evaluate.values import Slot

            return found if isinstance(found, Ref) else Slot(fields, node.name)
        member = getattr(target, "member", None)
        if isinstance(target, Instance):
            member = getattr(target.native, "member", None)
        if member is not None:
            self.locate(node)
            return member(node.name)
        self.locate(node)
        if target is NULL:
            raise Illegal(f"'{node.name}' of a null pointer")
        raise Illegal(f"'{node.name}' of {describe(target)} is not supported")

    def _this(self, node: Node) -> Any:
        return Pointer(Cell(self.frame.this))

    def _subscript(self, node: Node) -> Any:
        base = self.value(node.parts[0])
        index = number(self.value(node.parts[1]))
        if index is None:
            raise Illegal("an array's index that is not known when the pipeline is built")
        if isinstance(base, Items):
            return base.at(index)
        if isinstance(base, Pointer):
            return base.moved(int(index)).ref()
        if isinstance(base, str):
            return Number(ord(base[int(index)]) if int(index) < len(base) else 0, "char")
        raise Illegal(f"[] of {describe(base)}")

    def _conditional(self, node: Node) -> Any:
        condition, then, otherwise = node.parts
        chosen = then if truth(self.value(condition)) else otherwise
        found = self.ev(chosen)
        if node.type.endswith("Halide::Expr") and not isinstance(deref(found), Expr):
            return to_expr(found)
        return found

    def _cast(self, node: Node) -> Any:
        return self.converted(self.ev(node.parts[-1]), ctype(node.type))

    def _through(self, node: Node) -> Any:
        if not node.parts:
            return self.default_value(ctype(node.type))
        return self.ev(node.parts[-1])

    def _list(self, node: Node) -> Any:
        """Braces: elements without a type yet."""
        values = [self.ev(p) for p in node.parts]
        items = Items([deref(v) for v in values if v is not DEFAULT], None, lambda: NULL)
        type_ = ctype(node.type)
        return self.converted(items, type_) if type_.extents else items

    def _lambda(self, node: Node) -> Any:
        text = self.text(node)
        captures = text[1 : text.find("]")].replace(" ", "").split(",")
        scope = self.frame.scope
        if "=" in captures:
            scope = scope.snapshot()
            for name in (c[1:] for c in captures if c.startswith("&")):
                found = self.frame.scope.find(name)
                if found is not None:
                    scope.names[name] = found
        else:
            scope = Scope(scope)
            for name in captures:
                known = self.frame.scope.find(name)
                if known is not None:
                    from s2s.frontends.halide.evaluate.containers import copy_value

                    scope.names[name] = Cell(copy_value(known.get()))
        return Lambda(node, scope, self.frame.this)

    def _constant(self, node: Node) -> Any:
        """``sizeof``, type traits: what libclang knows."""
        found = literal(node)
        if found is None:
            raise self.unsupported(node, f"'{self.text(node)[:40]}'")
        return self._literal(node)

    def _null(self, node: Node) -> Any:
        return NULL

    def _boolean(self, node: Node) -> bool:
        return self.text(node).strip() == "true" or bool(literal(node))

    def _throw(self, node: Node) -> Any:
        self.locate(node)
        what = self.value(node.parts[0]) if node.parts else "an exception"
        raise Illegal(f"the program throws {what if isinstance(what, str) else describe(what)}")

    def _new(self, node: Node) -> Any:
        made = self.value(node.parts[-1]) if node.parts else None
        return Pointer(Cell(made))

    def _delete(self, node: Node) -> Any:
        return NULL

    def text(self, node: Node) -> str:
        """The source of a node, of whatever file it stands in."""
        start, end = node.extent
        return self.file(node.place[0])[start:end].decode("utf-8", "replace")

    def file(self, path: str) -> bytes:
        if path == self.buffer.path:
            return self.buffer.data
        found = _texts.get(path)
        if found is None:
            try:
                with open(path, "rb") as stream:
                    found = stream.read()
            except OSError:
                found = b""
            _texts[path] = found
        return found


def _has_object(node: Node) -> bool:
    """Whether a member is named with its object: what follows the name is a template's argument."""
    if not node.parts:
        return False
    first, name = node.parts[0].cursor.extent.start, node.cursor.location
    return str(first.file) != str(name.file) or bool(first.offset <= name.offset)


_texts: dict[str, bytes] = {}
_ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "r": "\r"}


def _unescaped(text: str) -> str:
    """The value of a string literal as libclang spells it."""
    text = text[text.find('"') + 1 : text.rfind('"')]
    if "\\" not in text:
        return text
    found, letters = [], iter(text)
    for letter in letters:
        if letter == "\\":
            escaped = next(letters, "")
            found.append(_ESCAPES.get(escaped, escaped))
        else:
            found.append(letter)
    return "".join(found)


I = Interpreter  # noqa: E741
_EXPRESSIONS: dict[str, Any] = {
    "UNEXPOSED_EXPR": I._wrapper,
    "DECL_REF_EXPR": I._name,
    "MEMBER_REF_EXPR": I._member,
    "CALL_EXPR": I.call,
    "INTEGER_LITERAL": I._literal,
    "FLOATING_LITERAL": I._literal,
    "CHARACTER_LITERAL": I._literal,
    "STRING_LITERAL": I._string,
    "CXX_BOOL_LITERAL_EXPR": I._boolean,
    "CXX_NULL_PTR_LITERAL_EXPR": I._null,
    "GNU_NULL_EXPR": I._null,
    "PAREN_EXPR": I._through,
    "UNARY_OPERATOR": I._unary,
    "BINARY_OPERATOR": I._binary,
    "COMPOUND_ASSIGNMENT_OPERATOR": I._compound,
    "ARRAY_SUBSCRIPT_EXPR": I._subscript,
    "CONDITIONAL_OPERATOR": I._conditional,
    "CSTYLE_CAST_EXPR": I._cast,
    "CXX_STATIC_CAST_EXPR": I._cast,
    "CXX_FUNCTIONAL_CAST_EXPR": I._cast,
    "CXX_CONST_CAST_EXPR": I._cast,
    "CXX_DYNAMIC_CAST_EXPR": I._cast,
    "INIT_LIST_EXPR": I._list,
    "LAMBDA_EXPR": I._lambda,
    "CXX_UNARY_EXPR": I._constant,
    "SIZE_OF_PACK_EXPR": I._constant,
    "CXX_THIS_EXPR": I._this,
    "CXX_THROW_EXPR": I._throw,
    "CXX_NEW_EXPR": I._new,
    "CXX_DELETE_EXPR": I._delete,
}
