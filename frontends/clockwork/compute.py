"""Functions of a compute file as typed expressions of their words.

A function is a row of declarations, each of one value (what Halide's and our own code generators
write), tables filled element by element, and a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from s2s.frontends.clockwork.arithmetic import as_type, binary, promoted, select
from s2s.frontends.clockwork.known_functions import TIERS, TYPES, as_bits, called
from s2s.scop.expressions import (
    BOOL,
    FLOAT32,
    INT32,
    Call,
    Const,
    Expr,
    Load,
    Type,
    Unary,
    Variable,
)
from s2s.source.clockwork.problems import problem
from s2s.source.clockwork.signatures import ComputeFile, Signature
from s2s.source.clockwork.tokens import Token, number_of, place_of
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Words:
    """What a parameter has: a load for each of its words, the first in the lowest bits."""

    loads: tuple[Load, ...]


@dataclass
class TableOf:
    """An array that the function fills; ``at`` is where it is declared."""

    type: Type
    values: list[int | float | None]
    at: Token


@dataclass(frozen=True)
class Function:
    """The value that a function returns, and the tables that it reads, by their names in it."""

    value: Expr
    tables: dict[str, TableOf] = field(default_factory=dict)


def read_function(
    file: ComputeFile, signature: Signature, words: Sequence[Words], indices: Sequence[str]
) -> Function:
    """A function of its words and of loops' variables. Raises UserError for what is not of that
    form.
    """
    names: dict[str, Expr | Words] = {}
    given, variables = iter(words), iter(indices)
    for parameter in signature.parameters:
        if parameter.bits is None:
            names[parameter.name] = Variable(INT32, next(variables))
        else:
            names[parameter.name] = next(given)
    return _Reader(file, signature, names).function()


class _Reader:
    """Reads the tokens of one function."""

    def __init__(
        self, file: ComputeFile, signature: Signature, names: dict[str, Expr | Words]
    ) -> None:
        self.file, self.signature = file, signature
        self.names = names
        self.tables: dict[str, TableOf] = {}
        self.at, self.end = signature.body

    # ---- tokens

    def text(self, ahead: int = 0) -> str:
        token = self.file.tokens[min(self.at + ahead, self.end)]
        return token.text if token.kind in ("name", "sign") else ""

    @property
    def next(self) -> Token:
        return self.file.tokens[self.at]

    def take(self, text: str = "") -> Token:
        if (text and self.text() != text) or self.at >= self.end:
            raise self.not_understood(self.next)
        self.at += 1
        return self.file.tokens[self.at - 1]

    def took(self, text: str) -> bool:
        if self.at < self.end and self.text() == text:
            self.at += 1
            return True
        return False

    def not_understood(self, token: Token, why: str = "") -> UserError:
        text = f"'{self.signature.name}' is not understood at '{token.text}'"
        return problem(f"{text}: {why or 'functions are declarations of one value each'}",
                       place_of(self.file.path, token))  # fmt: skip

    # ---- statements

    def function(self) -> Function:
        while not self.took("return"):
            self.statement()
        value = self.result()
        self.take(";")
        return Function(value, self.tables)

    def result(self) -> Expr:
        found = self.anything()
        if isinstance(found, Words):
            return self.word(found)
        return found

    def statement(self) -> None:
        if self.took(";"):
            return
        kind = self.declared()
        if kind is None:
            self.filling()
            return
        name = self.take()
        if self.took("["):
            self.table(kind, name)
        elif self.took("("):
            self.names[name.text] = as_type(kind, self.expression())
            self.take(")")
        else:
            self.take("=")
            self.names[name.text] = self.assigned(kind)
        self.take(";")

    def assigned(self, kind: Type) -> Expr:
        found = self.anything()
        return as_type(kind, self.word(found) if isinstance(found, Words) else found)

    def declared(self) -> Type | None:
        """The type with which a declaration begins, taken; None where there is none."""
        ahead = 1 if self.text() in ("const", "static") else 0
        kind = TYPES.get(self.text(ahead))
        if kind is None or self.file.tokens[self.at + ahead + 1].kind != "name":
            return None
        self.at += ahead + 1
        return kind

    def table(self, kind: Type, name: Token) -> None:
        size = self.constant()
        self.take("]")
        values: list[int | float | None] = [None] * size
        if self.took("="):
            self.take("{")
            place = 0
            while not self.took("}"):
                if place:
                    self.take(",")
                    if self.took("}"):
                        break
                values[place] = self.element_value(kind, self.expression(), name)
                place += 1
            values[place:] = [0] * (size - place)
        self.tables[name.text] = TableOf(kind, values, name)

    def filling(self) -> None:
        """``table[place] = value;``."""
        name = self.take()
        if name.text not in self.tables or not self.took("["):
            raise self.not_understood(name)
        found = self.tables[name.text]
        place = self.constant()
        self.take("]")
        self.take("=")
        if not 0 <= place < len(found.values):
            raise self.not_understood(name, f"the array has {len(found.values)} elements")
        found.values[place] = self.element_value(found.type, self.expression(), name)
        self.take(";")

    def element_value(self, kind: Type, value: Expr, name: Token) -> int | float:
        value = as_type(kind, value)
        if not isinstance(value, Const):
            raise self.not_understood(name, "elements of arrays are constants")
        return value.value

    def constant(self) -> int:
        first = self.next
        value = self.expression()
        if not isinstance(value, Const) or not isinstance(value.value, int):
            raise self.not_understood(first, "a number is needed")
        return value.value

    # ---- expressions

    def expression(self) -> Expr:
        first = self.next
        found = self.anything()
        if isinstance(found, Words):
            return self.word(found, first)
        return found

    def anything(self) -> Expr | Words:
        condition = self.tier(0)
        if not self.took("?"):
            return condition
        then = self.expression()
        self.take(":")
        return select(self.plain(condition), then, self.expression())

    def plain(self, value: Expr | Words) -> Expr:
        return self.word(value) if isinstance(value, Words) else value

    def word(self, words: Words, at: Token | None = None) -> Expr:
        """A parameter of one word, taken for a number."""
        if len(words.loads) != 1:
            raise self.not_understood(at or self.next, "it has several words")
        return words.loads[0]

    def tier(self, level: int) -> Expr | Words:
        if level == len(TIERS):
            return self.unary()
        found = self.tier(level + 1)
        while self.text() in TIERS[level] and self.at < self.end:
            op = TIERS[level][self.take().text]
            found = binary(op, self.plain(found), self.plain(self.tier(level + 1)))
        return found

    def unary(self) -> Expr | Words:
        if self.took("!"):
            return Unary(BOOL, "not", as_type(BOOL, self.plain(self.unary())))
        if self.took("~"):
            value = self.plain(self.unary())
            kind = promoted(value.type)
            return Unary(kind, "bnot", as_type(kind, value))
        if self.took("-"):
            value = self.plain(self.unary())
            if isinstance(value, Const):
                return Const(promoted(value.type), -value.value)
            kind = value.type if value.type.is_float else promoted(value.type)
            return binary("sub", Const(kind, 0.0 if kind.is_float else 0), value)
        if self.took("+"):
            return self.unary()
        if self.text() == "(" and self.text(1) in (*TYPES, "const"):
            return self.cast()
        return self.postfix()

    def cast(self) -> Expr:
        """``(T) value``."""
        self.take("(")
        self.took("const")
        kind = TYPES[self.take().text]
        self.take(")")
        return as_type(kind, self.plain(self.unary()))

    def pointed(self) -> Expr:
        """``((const T *) table)[place]``: an array seen as what it is."""
        self.take("(")
        self.take("(")
        self.took("const")
        kind, at = TYPES.get(self.take().text), self.next
        self.take("*")
        self.take(")")
        name = self.take()
        self.take(")")
        found = self.element(name)
        if found.type != kind:
            raise self.not_understood(at, "the array has another type")
        return found

    def element(self, name: Token) -> Expr:
        """An element of a table."""
        table = self.tables.get(name.text)
        if table is None:
            raise self.not_understood(name, "it is no array of the function")
        self.take("[")
        place = as_type(INT32, self.expression())
        self.take("]")
        return Load(table.type, name.text, (place,))

    def postfix(self) -> Expr | Words:
        token = self.next
        if token.kind == "number":
            return self.literal(self.take())
        if self.text() == "(" and self.text(1) == "(" and "*" in (self.text(3), self.text(4)):
            return self.pointed()
        if self.took("("):
            found = self.anything()
            self.take(")")
            return found
        if token.kind != "name" or self.at >= self.end:
            raise self.not_understood(token)
        self.take()
        if self.text() == "::":
            return self.qualified(token)
        if token.text in self.names:
            return self.member(self.names[token.text])
        if token.text in self.tables:
            return self.element(token)
        if token.text in TYPES and self.took("("):
            value = as_type(TYPES[token.text], self.expression())
            self.take(")")
            return value
        if token.text in ("true", "false"):
            return Const(BOOL, int(token.text == "true"))
        if self.took("("):
            return self.call(token)
        raise self.not_understood(token, "it has no value here")

    def literal(self, token: Token) -> Expr:
        value = number_of(token)
        if value is None:
            kind = FLOAT32 if token.text[-1] in "fF" else Type("float", 64)
            return as_type(kind, Const(Type("float", 64), float(token.text.rstrip("fFlL"))))
        suffix = token.text.lower().lstrip("0123456789abcdefx")
        if "u" in suffix:
            return Const(Type("uint", 64 if "l" in suffix or value >= 1 << 32 else 32), value)
        return Const(Type("int", 64) if "l" in suffix or value >= 1 << 31 else INT32, value)

    def member(self, value: Expr | Words) -> Expr | Words:
        """What follows a name: ``.extract<0, 15>()``, ``.get<16, 0>()``, ``.to_bits()``."""
        if not self.took("."):
            return value
        method = self.take()
        if isinstance(value, Words):
            if method.text in ("extract", "get"):
                return self.piece(value, method)
            if method.text == "to_int" and len(value.loads) == 1:
                self.take("(")
                self.take(")")
                return as_type(INT32, value.loads[0])
        elif method.text == "to_bits" and value.type.is_float:
            self.take("(")
            self.take(")")
            return Call(Type("uint", value.type.bits), "reinterpret", (value,))
        raise self.not_understood(method)

    def piece(self, words: Words, method: Token) -> Expr:
        self.take("<")
        first = self.number()
        self.take(",")
        second = self.number()
        self.take(">")
        self.take("(")
        self.take(")")
        width = words.loads[0].type.bits if words.loads else 0
        low, count = (first, second - first + 1) if method.text == "extract" else (
            first * second, first)  # fmt: skip
        if count != width or low % width or low // width >= len(words.loads):
            text = f"bits {low} to {low + count - 1} are no word of {width} bits"
            raise self.not_understood(method, text)
        return words.loads[low // width]

    def number(self) -> int:
        token = self.take()
        value = number_of(token) if token.kind == "number" else None
        if value is None:
            raise self.not_understood(token, "a number is needed")
        return value

    def qualified(self, token: Token) -> Expr:
        """``bfloat16_t::make_from_bits(bits)``; other qualifiers are names of namespaces."""
        self.take("::")
        name = self.take()
        if name.text == "make_from_bits":
            self.take("(")
            value = self.expression()
            self.take(")")
            return as_bits(TYPES[token.text], value)
        self.take("(")
        return self.call(name)

    def call(self, token: Token) -> Expr:
        arguments: list[Expr] = []
        while not self.took(")"):
            if arguments:
                self.take(",")
            arguments.append(self.expression())
        found = called(token.text, arguments)
        if found is None:
            raise self.not_understood(token, "the function is not known")
        return found
