"""The C++ in which memory files are written: declarations, assignments, calls, counted loops.

Statements are carried out as they are read. What they act on are objects of ``methods``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Union

from s2s.source.clockwork.problems import meant, problem
from s2s.source.clockwork.tokens import Token, number_of, place_of
from s2s.source.diagnostics import Location, UserError
from s2s.source.records import dataclass

ROUNDS = 100_000
"""Iterations of the file's own loops, at most."""


class Thing:
    """An object of the file: the program, a loop, an operation."""

    def call(self, method: str, arguments: Sequence[Value], at: Location) -> Value:
        """Carry out a method. Raises UserError."""
        raise NotImplementedError

    def assign(self, member: str, key: Value | None, value: Value, at: Location) -> None:
        """``thing.member = value``, or ``thing.member[key] = value``. Raises UserError."""
        raise problem(f"'{member}' cannot be assigned to", at)


@dataclass(frozen=True)
class Member:
    """``thing.name`` or ``thing.name[key]``, to be assigned to."""

    thing: Thing
    name: str
    key: Value | None = None


Value = Union[int, str, "list[Value]", Thing, Member, None]
_ASSIGNMENTS = ("=", "+=", "-=", "*=")
_TIERS = (("<", "<=", ">", ">=", "==", "!="), ("+", "-"), ("*", "/", "%"))
_IDLE = ("cout", "cerr", "printf", "assert")
_QUALIFIERS = ("const", "constexpr", "static", "unsigned")


@dataclass
class Statements:
    """Reads tokens from ``at`` on; ``program`` is what declarations of a ``prog`` name."""

    path: str
    tokens: Sequence[Token]
    program: Thing
    at: int
    variables: dict[str, Value] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    rounds: int = 0

    # ---- tokens

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def text(self, ahead: int = 0) -> str:
        """The sign or name some tokens ahead; a string is none."""
        token = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return token.text if token.kind in ("name", "sign") else ""

    def kind(self, ahead: int = 0) -> str:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)].kind

    def take(self, text: str = "") -> Token:
        token = self.next
        if text and self.text() != text:
            raise self.unexpected(f"'{text}' is missing here")
        self.at += 1
        return token

    def took(self, text: str) -> bool:
        if self.text() != text:
            return False
        self.at += 1
        return True

    def unexpected(self, text: str = "") -> UserError:
        token = self.next
        shown = "the file ends in a function" if token.kind == "end" else (
            f"'{token.text}' is not understood in a memory file")  # fmt: skip
        return problem(text or shown, place_of(self.path, token))

    def place(self, since: int) -> Location:
        return place_of(self.path, self.tokens[since], self.tokens[max(since, self.at - 1)])

    # ---- statements

    def block(self) -> bool:
        """Statements up to the closing brace, which is taken; whether one of them returns."""
        while not self.took("}"):
            if self.statement():
                return True
        return False

    def statement(self) -> bool:
        """One statement; whether it returns."""
        if self.took("{"):
            return self.block()
        if self.took("return"):
            if self.text() != ";":
                self.expression()
            self.take(";")
            return True
        if self.text() == "for":
            return self.counted()
        if self.text() in _IDLE or self.text(2) in _IDLE:
            self.skip_to(";")
        elif not self.took(";"):
            self.simple()
            self.take(";")
        return False

    def counted(self) -> bool:
        """``for (init; condition; step) statement``."""
        self.take("for")
        self.take("(")
        self.simple()
        self.take(";")
        condition = self.at
        while True:
            self.at = condition
            goes_on = self.integer(self.expression(), condition)
            self.take(";")
            step = self.at
            self.skip_to(")")
            if not goes_on:
                self.skip_statement()
                return False
            self.rounds += 1
            if self.rounds > ROUNDS:
                raise problem("a loop of the file does not end", self.place(step))
            if self.statement():
                return True
            self.at = step
            self.simple()

    def skip_to(self, closing: str) -> None:
        """After the closing sign that matches what is open here."""
        depth = 0
        while depth or self.text() != closing:
            if self.kind() == "end":
                raise self.unexpected()
            depth += (self.text() in ("(", "{", "[")) - (self.text() in (")", "}", "]"))
            self.at += 1
        self.at += 1

    def skip_statement(self) -> None:
        if self.took("{"):
            self.skip_to("}")
        elif self.text() == "for":
            self.at += 2
            self.skip_to(")")
            self.skip_statement()
        else:
            self.skip_to(";")

    def simple(self) -> None:
        """A declaration, an assignment or a call, without what ends it."""
        since = self.at
        declared = self.declared()
        if declared is not None:
            self.variables[declared[1]] = self.initial(declared[0])
            return
        if self.text() in ("++", "--"):
            self.assign(self.change(self.take().text, self.postfix(), since), since)
            return
        found = self.expression()
        if self.text() in _ASSIGNMENTS:
            sign = self.take().text
            value = self.expression()
            if isinstance(found, Member):
                found.thing.assign(found.name, found.key, value, self.place(since))
            else:
                before = None if sign == "=" else found
                self.assign(self.combined(sign[0], before, value, since), since)
        elif self.text() in ("++", "--"):
            self.assign(self.change(self.take().text, found, since), since)

    def declared(self) -> tuple[str, str] | None:
        """Type and name with which a declaration begins, which are taken; None where it is none."""
        at = 0
        while self.text(at) in _QUALIFIERS and self.kind(at) == "name":
            at += 1
        if self.kind(at) != "name":
            return None
        kind = self.text(at)
        at += 1
        while self.text(at) == "::" and self.kind(at + 1) == "name":
            kind = self.text(at + 1)
            at += 2
        while self.text(at) in ("*", "&") and self.text(at + 1) not in ("(",):
            at += 1
        if self.kind(at) != "name" or self.text(at + 1) not in ("=", ";", "("):
            return None
        name = self.text(at)
        self.at += at + 1
        return kind, name

    def initial(self, kind: str) -> Value:
        """The value with which a variable is declared; a program is the one at hand."""
        if kind == "prog":
            if self.took("("):
                self.skip_to(")")
            return self.program
        if self.took("("):
            return (self.listed(")") or [None])[0]
        return self.expression() if self.took("=") else None

    def assign(self, value: Value, since: int) -> None:
        token = next(t for t in self.tokens[since:] if t.kind == "name")
        self.variables[token.text] = value

    def change(self, sign: str, value: Value, since: int) -> Value:
        return self.combined(sign[0], value, 1, since)

    # ---- expressions

    def expression(self, tier: int = 0) -> Value:
        if tier == len(_TIERS):
            return self.postfix()
        since = self.at
        found = self.expression(tier + 1)
        while self.text() in _TIERS[tier]:
            sign = self.take().text
            found = self.combined(sign, found, self.expression(tier + 1), since)
        return found

    def combined(self, sign: str, left: Value, right: Value, since: int) -> Value:
        if sign == "=" or left is None:
            return right
        if sign == "+" and isinstance(left, str) and isinstance(right, str):
            return left + right
        a, b = self.integer(left, since), self.integer(right, since)
        if sign in ("/", "%"):
            if b == 0:
                raise problem("division by zero", self.place(since))
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if sign == "/" else a - b * quotient
        operations = {
            "+": a + b, "-": a - b, "*": a * b, "<": int(a < b), "<=": int(a <= b),
            ">": int(a > b), ">=": int(a >= b), "==": int(a == b), "!=": int(a != b),
        }  # fmt: skip
        return operations[sign]

    def integer(self, value: Value, since: int) -> int:
        if isinstance(value, int):
            return value
        raise problem("a number is needed here", self.place(since))

    def postfix(self) -> Value:
        """A value with its members, calls and keys."""
        since = self.at
        found = self.atom()
        while self.text() in (".", "->", "["):
            if self.took("["):
                key = self.expression()
                self.take("]")
                if not isinstance(found, Member):
                    raise problem("this has no elements", self.place(since))
                found = Member(found.thing, found.name, key)
                continue
            self.take()
            if self.kind() != "name":
                raise self.unexpected()
            found = self.member(found, self.take().text, since)
        return found

    def member(self, thing: Value, name: str, since: int) -> Value:
        if not isinstance(thing, Thing):
            raise problem(f"'{name}' is asked of something without members", self.place(since))
        if not self.took("("):
            return Member(thing, name)
        self.calls.append(name)
        arguments = self.listed(")")
        self.calls.pop()
        return thing.call(name, arguments, self.place(since))

    def listed(self, closing: str) -> list[Value]:
        """Values up to a closing sign, which is taken."""
        found: list[Value] = []
        while not self.took(closing):
            if found:
                self.take(",")
                if self.took(closing):
                    break
            found.append(self.expression())
        return found

    def atom(self) -> Value:
        token = self.next
        if token.kind == "number":
            value = number_of(self.take())
            if value is None:
                raise problem(f"'{token.text}' is no integer", place_of(self.path, token))
            return value
        if token.kind == "string":
            text = ""
            while self.kind() == "string":
                text += self.take().text
            return text
        if self.took("("):
            found = self.expression()
            self.take(")")
            return found
        if self.took("{"):
            return self.listed("}")
        if self.text() in ("-", "+"):
            since, sign = self.at, self.take().text
            value = self.integer(self.postfix(), since)
            return -value if sign == "-" else value
        if token.kind == "name":
            return self.named()
        raise self.unexpected()

    def named(self) -> Value:
        token = self.take()
        while self.text() == "::":
            self.take()
            token = self.take()
        if token.text in self.variables:
            return self.variables[token.text]
        if token.text in ("to_string", "string") and self.took("("):
            (value,) = self.listed(")") or [""]
            return value if isinstance(value, str) else str(self.integer(value, self.at - 1))
        if token.text in ("true", "false"):
            return int(token.text == "true")
        text = f"'{token.text}' has no value in this file"
        if self.calls and self.calls[-1] in ("add_loop", "add_nest"):
            text += "; bounds of loops are numbers"
        raise problem(text + meant(token.text, self.variables), place_of(self.path, token))
