"""The syntax of a graph: a class whose constructor creates kernels and connects their ports.

::

    Unit      := (class NAME : public graph { Member* } | function)*
    Member    := type NAME([n])? ; | NAME() { Statement* }
    Statement := for | if | { } | int NAME = Expr ; | Expr (= Expr)? ;
    Expr      := C's operators over numbers, strings, NAME<T>(..), a[i], a.b, {..}

What a word means is said by ``graph.build``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from s2s.simulators.aie.graph.tokens import Token, refusal, tokens_of
from s2s.source.records import dataclass

_TEMPLATES = {"connect", "location", "runtime", "port", "window", "input_buffer", "output_buffer"}
_LEVELS = (
    ("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_TYPES = {"int", "unsigned", "long", "auto", "size_t", "float", "double", "int8_t", "int16_t"} | {
    "int32_t", "uint8_t", "uint16_t", "uint32_t", "int8", "int16", "int32", "uint8", "static",
    "const", "constexpr",
}  # fmt: skip


@dataclass(frozen=True)
class Node:
    """An expression or a statement: ``kind``, its word, the nodes below, its line."""

    kind: str
    text: str
    parts: tuple[Node, ...]
    line: int


@dataclass
class Unit:
    """A class of graphs: members by name with their type and extent; bodies by function."""

    name: str = ""
    members: dict[str, tuple[str, Node | None]] = field(default_factory=dict)
    constructor: Node | None = None
    objects: dict[str, str] = field(default_factory=dict)
    """Variables of a file, by name, with their type."""
    main: Node | None = None


def parse(text: str, path: str, unit: Unit | None = None) -> Unit:
    """The graph of a file, added to what others said. Raises UserError."""
    reader = _Reader(tokens_of(text, path), path)
    return reader.unit(unit or Unit())


class _Reader:
    def __init__(self, tokens: Sequence[Token], path: str) -> None:
        self._tokens = tokens
        self._path = path
        self._at = 0

    # ------------------------------------------------------------------------------- words

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _is(self, *words: str) -> bool:
        return self._next.text in words and self._next.kind != "string"

    def _take(self, word: str = "") -> Token:
        token = self._next
        if word and not self._is(word):
            seen = f"'{token.text}'" if token.text else "the end of the file"
            raise refusal(f"'{word}' is expected, here is {seen}", self._path, token.line)
        self._at += 1
        return token

    def _skip(self, opening: str, closing: str) -> None:
        depth = 0
        while self._next.kind != "end":
            token = self._take()
            if token.kind == "sign":
                depth += (token.text == opening) - (token.text == closing)
            if depth == 0:
                return

    # ------------------------------------------------------------------------------- files

    def unit(self, unit: Unit) -> Unit:
        while self._next.kind != "end":
            if self._is("class", "struct"):
                self._class(unit)
            elif self._is("using", "typedef"):
                while not self._is(";"):
                    self._take()
                self._take()
            else:
                self._outside(unit)
        return unit

    def _class(self, unit: Unit) -> None:
        self._take()
        unit.name = self._take().text
        while not self._is("{"):
            self._take()
        self._take("{")
        while not self._is("}"):
            if self._is("public", "private", "protected"):
                self._take()
                self._take(":")
            elif self._next.text == unit.name:
                self._take()
                self._skip("(", ")")
                unit.constructor = self._block()
            else:
                self._member(unit)
        self._take("}")
        self._take(";")

    def _member(self, unit: Unit) -> None:
        kind = self._take().text
        if self._is("<"):
            self._take()
            while not self._is(">"):
                kind = f"{self._take().text}_{kind}"
            self._take()
        while True:
            name = self._take().text
            extent = None
            if self._is("["):
                self._take()
                extent = self._expression()
                self._take("]")
            unit.members[name] = (kind, extent)
            if not self._is(","):
                break
            self._take()
        self._take(";")

    def _outside(self, unit: Unit) -> None:
        """A variable, or a function: ``main`` is kept, others are passed over."""
        words = []
        while not self._is(";", "(", "{", "=") and self._next.kind != "end":
            words.append(self._take().text)
        if self._is("("):
            self._skip("(", ")")
        if self._is("{"):
            if words[-1:] == ["main"]:
                unit.main = self._block()
            else:
                self._skip("{", "}")
            return
        if len(words) == 2:
            unit.objects[words[1]] = words[0]
        while not self._is(";") and self._next.kind != "end":
            self._take()
        self._take(";")

    # -------------------------------------------------------------------------- statements

    def _block(self) -> Node:
        line = self._take("{").line
        parts = []
        while not self._is("}"):
            parts.append(self._statement())
        self._take("}")
        return Node("block", "", tuple(parts), line)

    def _statement(self) -> Node:
        line = self._next.line
        if self._is("{"):
            return self._block()
        if self._is("for"):
            return self._for(line)
        if self._is("if"):
            return self._if(line)
        if self._is("return"):
            while not self._is(";"):
                self._take()
            self._take()
            return Node("block", "", (), line)
        if self._next.text in _TYPES and self._next.kind == "name":
            return self._declaration(line)
        found = self._assignment()
        self._take(";")
        return found

    def _for(self, line: int) -> Node:
        self._take("for")
        self._take("(")
        start = self._declaration(line) if self._next.text in _TYPES else self._assignment()
        if start.kind != "declare":
            self._take(";")
        test = self._expression()
        self._take(";")
        step = self._assignment()
        self._take(")")
        return Node("for", "", (start, test, step, self._statement()), line)

    def _if(self, line: int) -> Node:
        self._take("if")
        self._take("(")
        test = self._expression()
        self._take(")")
        parts = [test, self._statement()]
        if self._is("else"):
            self._take()
            parts.append(self._statement())
        return Node("if", "", tuple(parts), line)

    def _declaration(self, line: int) -> Node:
        """``int a = 1;``, or an array, of which the extent is kept."""
        while self._next.text in _TYPES:
            self._take()
        name = self._take().text
        value = Node("number", "0", (), line)
        if self._is("["):
            self._take()
            self._expression()
            self._take("]")
        if self._is("="):
            self._take()
            value = self._expression()
        self._take(";")
        return Node("declare", name, (value,), line)

    def _assignment(self) -> Node:
        line = self._next.line
        if self._is("++", "--"):
            sign = self._take().text
            return Node("step", sign, (self._expression(),), line)
        left = self._expression()
        if self._is("++", "--"):
            return Node("step", self._take().text, (left,), line)
        if self._is("=", "+=", "-="):
            sign = self._take().text
            return Node("assign", sign, (left, self._expression()), line)
        return left

    # ------------------------------------------------------------------------- expressions

    def _expression(self) -> Node:
        test = self._binary(0)
        if not self._is("?"):
            return test
        self._take()
        then = self._expression()
        self._take(":")
        return Node("choose", "", (test, then, self._expression()), test.line)

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._is(*_LEVELS[level]) and self._next.kind == "sign":
            sign = self._take().text
            left = Node("binary", sign, (left, self._binary(level + 1)), left.line)
        return left

    def _unary(self) -> Node:
        if self._is("-", "!", "&", "*") and self._next.kind == "sign":
            token = self._take()
            part = self._unary()
            return part if token.text in "&*" else Node("unary", token.text, (part,), token.line)
        return self._postfix(self._primary())

    def _primary(self) -> Node:
        token = self._take()
        if token.kind in ("number", "string"):
            return Node(token.kind, token.text, (), token.line)
        if token.text == "(":
            inner = self._expression()
            self._take(")")
            return inner
        if token.text == "{":
            return Node("list", "", self._listed("}"), token.line)
        if token.kind != "name":
            raise refusal(f"'{token.text}' is not understood here", self._path, token.line)
        text = token.text
        if text in _TEMPLATES and self._is("<"):
            text += self._template()
        return Node("name", text, (), token.line)

    def _template(self) -> str:
        """The words between ``<`` and ``>``."""
        words, depth = "", 0
        while self._next.kind != "end":
            word = self._take().text
            words += word
            depth += {"<": 1, ">": -1, ">>": -2}.get(word, 0)
            if depth <= 0:
                break
        return words

    def _listed(self, closing: str) -> tuple[Node, ...]:
        parts = []
        while not self._is(closing):
            parts.append(self._expression())
            if self._is(","):
                self._take()
        self._take(closing)
        return tuple(parts)

    def _postfix(self, node: Node) -> Node:
        while True:
            if self._is("["):
                self._take()
                node = Node("index", "", (node, self._expression()), node.line)
                self._take("]")
            elif self._is(".", "->"):
                self._take()
                node = Node("member", self._take().text, (node,), node.line)
            elif self._is("("):
                self._take()
                node = Node("call", "", (node, *self._listed(")")), node.line)
            else:
                return node
