"""Functions that choose a value, as one expression of their parameters.

``if (v < lo) return lo; if (v > hi) return hi; return v;`` is ``v < lo ? lo : v > hi ? hi : v``. In
such a form subscripts and bounds that a function computes are seen for what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.prepare.rewriting import rename
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.prepare.callee import Callee

_ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "<<", ">>"])
_TESTS = frozenset(["<", "<=", ">", ">=", "==", "!=", "&&", "||"])
_INTEGERS = frozenset(["_Bool", "char", "signed", "unsigned", "short", "int", "long"])
# What is longer tells no more, and what each choice doubles grows fast.
_LONGEST = 400
_MOST_STATEMENTS = 24


class _NoExpressionError(Exception):
    """The body does something else than to choose a value."""


def chosen_value(callee: Callee) -> bytes | None:
    """What a function of integers returns, in its parameters; None where it does more or less.

    Names of parameters stand for what they are when it is called, each as one operand.
    """
    reader = _Reader(callee)
    if callee.lines or not all(reader.is_own(d) for d in (*callee.parameters, *callee.locals)):
        return None
    try:
        return reader.run(callee.body.children, {})
    except _NoExpressionError:
        return None


@dataclass
class _Reader:
    """Reads statements with what variables have been set to, as text in the parameters."""

    callee: Callee
    _left: int = field(default=_MOST_STATEMENTS)

    def is_own(self, decl: Decl) -> bool:
        """Whether a variable is an integer that nothing but the statements read here sets."""
        callee = self.callee
        plain = decl.type.kind == "int" and not decl.type.volatile and not decl.type.reference
        apart = decl not in callee.facts.escaped and not decl.is_static and not decl.thread_local
        return plain and apart and not callee.repeats(decl.name) and not callee.hides(decl)

    def run(self, statements: Sequence[Node], values: dict[str, bytes]) -> bytes:
        """What statements return, the last of which does so."""
        for place, node in enumerate(statements):
            self._left -= 1
            if self._left < 0:
                raise _NoExpressionError
            if node.kind == "COMPOUND_STMT":
                return self.run([*node.children, *statements[place + 1 :]], values)
            if node.kind == "RETURN_STMT" and node.children and self._spells(node, b"return"):
                return self._converted(node.children[0], values, self._result)
            if node.kind == "IF_STMT" and _returns(node):
                return self._choice(node, statements[place + 1 :], values)
            self._set(node, values)
        raise _NoExpressionError

    @property
    def _result(self) -> str:
        """The type of the function's value, without qualifiers."""
        spelling = self.callee.node.type.spelling.partition("(")[0]
        words = [w for w in spelling.split() if w != "const"]
        if not words or not _INTEGERS.issuperset(words):
            raise _NoExpressionError
        return " ".join(words)

    def _choice(self, node: Node, rest: Sequence[Node], values: dict[str, bytes]) -> bytes:
        """An ``if`` of which a side returns: what follows is read behind each side."""
        condition, then, otherwise = self._parts(node, values)
        first, second = (self.run([*side, *rest], dict(values)) for side in (then, otherwise))
        return self._short(_choose(condition, first, second))

    def _parts(
        self, node: Node, values: dict[str, bytes]
    ) -> tuple[bytes, Sequence[Node], Sequence[Node]]:
        if len(node.children) not in (2, 3) or not self._spells(node, b"if"):
            raise _NoExpressionError
        condition, *sides = node.children
        return self._text(condition, values), sides[:1], sides[1:]

    def _set(self, node: Node, values: dict[str, bytes]) -> None:
        """A statement that sets variables, or chooses what they are set to."""
        if node.kind == "COMPOUND_STMT":
            for child in node.children:
                self._set(child, values)
        elif node.kind == "DECL_STMT":
            for child in node.children:
                given = initializer(child)
                if child.kind != "VAR_DECL" or child.decl is None:
                    raise _NoExpressionError
                if given is not None:
                    values[child.name] = self._converted(
                        given, values, _unqualified(child.decl.type)
                    )
        elif node.kind == "IF_STMT":
            self._choose(node, values)
        elif node.kind == "BINARY_OPERATOR" and node.op == "=":
            target, value = node.children
            if target.kind != "DECL_REF_EXPR" or target.decl not in self._variables:
                raise _NoExpressionError
            values[target.name] = self._converted(value, values, _unqualified(target.type))
        else:
            raise _NoExpressionError

    @property
    def _variables(self) -> Sequence[Decl]:
        return (*self.callee.parameters, *self.callee.locals)

    def _choose(self, node: Node, values: dict[str, bytes]) -> None:
        """An ``if`` of which no side returns: variables have one of two values behind it."""
        condition, then, otherwise = self._parts(node, values)
        first, second = dict(values), dict(values)
        for side, known in ((then, first), (otherwise, second)):
            for statement in side:
                self._set(statement, known)
        parameters = {p.name: p.name.encode() for p in self.callee.parameters}
        for name in first.keys() | second.keys():
            one, other = (d.get(name, parameters.get(name)) for d in (first, second))
            if one is None or other is None:
                values.pop(name, None)
            elif one != other:
                values[name] = self._short(_choose(condition, one, other))
            else:
                values[name] = one

    # -- expressions --------------------------------------------------------------------------

    def _converted(self, node: Node, values: dict[str, bytes], type_: str) -> bytes:
        text = self._text(node, values)
        same = node.kind != "IMPLICIT_CAST" and _unqualified(node.type) == type_
        return text if same else b"((%s)%s)" % (type_.encode(), text)

    def _text(self, node: Node, values: dict[str, bytes]) -> bytes:
        """The text of an expression of integers, as one operand."""
        self._check(node, values)
        data = self.callee.data[node.span.start : node.span.end]
        text = rename(data, values).strip()
        plain = text.isalnum() or (text[:1] == b"(" and node.kind == "DECL_REF_EXPR")
        return self._short(text if plain else b"(" + text + b")")

    def _check(self, node: Node, values: dict[str, bytes]) -> None:
        if node.type.kind != "int":
            raise _NoExpressionError
        if node.value is not None:
            if any(n.decl in self._variables for n in node.walk()):
                raise _NoExpressionError
            return
        if node.in_macro:
            raise _NoExpressionError
        if node.kind == "DECL_REF_EXPR":
            known = node.decl in self.callee.parameters or node.name in values
            if node.decl not in self._variables or not known:
                raise _NoExpressionError
        elif not (
            node.kind in CASTS or node.kind == "CONDITIONAL_OPERATOR"
            or (node.kind == "UNARY_OPERATOR" and node.op in ("-", "+", "!"))
            or (node.kind == "BINARY_OPERATOR" and node.op in _ARITHMETIC | _TESTS)
        ):  # fmt: skip
            raise _NoExpressionError
        for child in node.children:
            self._check(child, values)

    def _spells(self, node: Node, word: bytes) -> bool:
        """Whether the text of a statement begins with its keyword, not a macro."""
        return self.callee.data[node.span.start :].startswith(word)

    def _short(self, text: bytes) -> bytes:
        if len(text) > _LONGEST:
            raise _NoExpressionError
        return text


def _returns(node: Node) -> bool:
    return any(n.kind == "RETURN_STMT" for n in node.walk())


def _unqualified(type_: CType) -> str:
    """A type's name without the qualifiers of a variable."""
    return " ".join(w for w in type_.spelling.split() if w != "const")


def _choose(condition: bytes, then: bytes, otherwise: bytes) -> bytes:
    asked = _without_parentheses(condition)
    then, otherwise = map(_without_parentheses, (then, otherwise))
    return b"(%s ? %s : %s)" % (condition if b"?" in asked else asked, then, otherwise)


def _without_parentheses(text: bytes) -> bytes:
    """The expression inside of parentheses that are around all of it, as far as can be seen."""
    depth = 0
    if any(mark in text for mark in (b"'", b'"', b"/*", b"//")):
        return text
    for at, byte in enumerate(text):
        depth += (byte == ord("(")) - (byte == ord(")"))
        if not depth:
            return text[1:-1] if at == len(text) - 1 > 0 else text
    return text
