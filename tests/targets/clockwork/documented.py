"""What Clockwork's users have documented of memory files, as a reader of ours with no other use.

A text passes if each of its lines is one of these forms: nothing else that ``prog.h`` may have is
taken. Words of a line are told apart by patterns alone, so that no reader of s2s has a say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEADERS = ("app", "ubuffer", "codegen", "prog")
WIDTHS = (1, 8, 16, 32)
MOST_SUBSCRIPTS = 6
_NAME = r"[A-Za-z_]\w*"
_TEXT = r'"([^"]*)"'
_TOKEN = re.compile(rf"\s*(floor|min|max|{_NAME}|\d+|[-+*/%(),])")


class Undocumented(Exception):
    """A line that is none of the documented forms, or a rule between lines that is broken."""


@dataclass
class _File:
    """Names so far: of loops with the one around each, of operations, and buffers' widths."""

    around: dict[str, str] = field(default_factory=dict)
    operations: dict[str, str] = field(default_factory=dict)
    stores: dict[str, int] = field(default_factory=dict)
    widths: dict[str, int] = field(default_factory=dict)
    streams: set[str] = field(default_factory=set)

    def loops(self, owner: str) -> set[str]:
        found = set()
        while owner != "prg":
            found.add(owner)
            owner = self.around[owner]
        return found


def check_documented(text: str) -> None:
    """Raise Undocumented for a memory file that is not of the documented forms."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("//")]
    head = [f'#include "{name}.h"' for name in HEADERS]
    if lines[: len(head)] != head:
        raise Undocumented("the four headers come first")
    start = re.fullmatch(rf"prog ({_NAME})\(\) \{{", lines[len(head)])
    if not start or lines[len(head) + 1] != "prog prg;" or lines[-2:] != ["return prg;", "}"]:
        raise Undocumented("a function makes the program and gives it back")
    file = _File()
    for line in lines[len(head) + 2 : -2]:
        if not any(_matches(file, line, pattern, rule) for pattern, rule in _FORMS):
            raise Undocumented(line)
    for name, count in file.stores.items():
        if count != 1:
            raise Undocumented(f"{name} has {count} stores")


def _matches(file: _File, line: str, pattern: str, rule: object) -> bool:
    found = re.fullmatch(pattern, line)
    if found is None:
        return False
    assert callable(rule)
    rule(file, *found.groups())
    return True


def _need(holds: bool, text: str) -> None:
    if not holds:
        raise Undocumented(text)


def _nothing(_: _File, *__: str) -> None:
    pass


def _stream(file: _File, _: str, name: str) -> None:
    _need(name not in file.streams, f"{name} is a stream twice")
    file.streams.add(name)


def _width(file: _File, name: str, bits: str) -> None:
    _need(name not in file.widths, f"a second width of {name}")
    _need(int(bits) in WIDTHS, f"{bits} bits of {name}")
    file.widths[name] = int(bits)


def _loop(file: _File, variable: str, owner: str, name: str, low: str, end: str) -> None:
    _need(variable == name and name not in file.around, f"loop {name} twice")
    _need(owner == "prg" or owner in file.around, f"{owner} is no loop")
    _need(int(low) < int(end), f"loop {name} is empty")
    file.around[name] = owner


def _tag(file: _File, name: str) -> None:
    _need(name in file.around, f"{name} is no loop")


def _operation(file: _File, variable: str, owner: str, name: str) -> None:
    _need(owner in file.around, f"{owner} is no loop")
    _need(variable not in file.operations and name.startswith("op_"), f"operation {name}")
    file.operations[variable] = owner
    file.stores[variable] = 0


def _access(file: _File, variable: str, method: str, arguments: str) -> None:
    _need(variable in file.operations, f"{variable} is no operation")
    buffer, *subscripts = re.findall(_TEXT, arguments)
    _need(buffer in file.widths, f"{buffer} is mentioned before its width")
    _need(1 <= len(subscripts) <= MOST_SUBSCRIPTS, f"{len(subscripts)} subscripts of {buffer}")
    known = file.loops(file.operations[variable])
    for each in subscripts:
        _Subscript(each, known).check()
    file.stores[variable] += method == "store"


def _dynamic(file: _File, variable: str, method: str, arguments: str) -> None:
    """Places that buffers say: their names stand among the subscripts, before their own."""
    _need(variable in file.operations, f"{variable} is no operation")
    buffer, *rest = re.findall(_TEXT, arguments)
    _need(buffer in file.widths, f"{buffer} is mentioned before its width")
    _need(any(each in file.widths for each in rest), f"{arguments} names no table")
    known = file.loops(file.operations[variable])
    for each in rest:
        if each not in file.widths:
            _Subscript(each, known).check()
    file.stores[variable] += method == "store"


def _index(file: _File, variable: str, name: str) -> None:
    _need(name in file.loops(file.operations[variable]), f"{name} is no loop around {variable}")


_ARGUMENTS = r'("[^"]*"(?:, "[^"]*")+)'
_FORMS = (
    (rf"prg\.compute_unit_file = {_TEXT};", _nothing),
    (rf"prg\.name = {_TEXT};", _nothing),
    (rf"prg\.add_(input|output)\({_TEXT}\);", _stream),
    (rf"prg\.buffer_port_widths\[{_TEXT}\] = (\d+);", _width),
    (rf"auto ({_NAME}) = ({_NAME})(?:\.|->)add_loop\({_TEXT}, (-?\d+), (-?\d+)\);", _loop),
    (rf"({_NAME})->coarse_grain_loop_tag\(\);", _tag),
    (rf"auto ({_NAME}) = ({_NAME})->add_op\({_TEXT}\);", _operation),
    (rf"{_NAME}->add_function\({_TEXT}\);", _nothing),
    (rf"({_NAME})->add_(load|store)\({_ARGUMENTS}\);", _access),
    (rf"({_NAME})->add_dynamic_(load|store)\({_ARGUMENTS}\);", _dynamic),
    (rf"({_NAME})->compute_unit_needs_index_variable\({_TEXT}\);", _index),
    (rf"{_NAME}->add_latency\(\d+\);", _nothing),
)


class _Subscript:
    """A sum of products with a constant each, quotients and remainders by constants."""

    def __init__(self, text: str, loops: set[str]) -> None:
        self.text, self.loops = text, loops
        self.tokens = _TOKEN.findall(text)
        _need("".join(self.tokens) == text.replace(" ", ""), text)

    def check(self) -> None:
        self._sum()
        _need(not self.tokens, self.text)

    def _next(self, *wanted: str) -> str:
        _need(bool(self.tokens) and (not wanted or self.tokens[0] in wanted), self.text)
        return str(self.tokens.pop(0))

    def _sum(self) -> bool:
        """Whether it is a constant."""
        constant = self._product()
        while self.tokens and self.tokens[0] in "+-":
            self._next()
            constant &= self._product()
        return constant

    def _product(self) -> bool:
        constant = self._factor()
        while self.tokens and self.tokens[0] in "*/%":
            sign, other = self._next(), self._factor()
            _need(other or (sign == "*" and constant), f"{self.text} is not affine")
            constant &= other
        return constant

    def _factor(self) -> bool:
        token = self._next()
        if token == "-" or token.isdigit():
            return token.isdigit() or self._factor()
        if token == "(":
            return self._closed()
        if token in ("floor", "min", "max"):
            self._next("(")
            return self._closed()
        _need(token in self.loops, f"'{token}' in {self.text} is no loop around")
        return False

    def _closed(self) -> bool:
        constant = self._sum()
        while self._next(")", ",") == ",":
            constant &= self._sum()
        return constant
