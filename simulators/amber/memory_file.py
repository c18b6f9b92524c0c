"""Memory files as programs: a call of Clockwork's methods a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from s2s.simulators.amber.problems import line_of, problem
from s2s.simulators.amber.programs import Access, Loop, Operation, Program
from s2s.source.reading import read_source

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEAD = re.compile(r"\bprog\s+(\w+)\s*\(\s*\)\s*\{")
_CALL = re.compile(
    r"(?:\w+\s*\*?\s*(?P<variable>\w+)\s*=\s*)?(?P<object>\w+)\s*(?:\.|->)\s*(?P<method>\w+)\s*"
    r"(?P<rest>[(\[].*)",
    re.DOTALL,
)


@dataclass
class _Body:
    """A loop, or the program, while it is read; or an operation's place in it."""

    loop: Loop | None = None
    inside: list[_Body | int] = field(default_factory=list)


@dataclass
class _Reader:
    """What the statements so far have said."""

    path: str
    streams: dict[str, list[str]] = field(default_factory=lambda: {"input": [], "output": []})
    widths: dict[str, int] = field(default_factory=dict)
    bodies: dict[str, _Body] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    root: _Body = field(default_factory=_Body)

    def call(self, match: re.Match[str], line: int) -> None:
        strings = re.findall(r'"([^"]*)"', match["rest"])
        numbers = [int(n) for n in re.findall(r"-?\d+", re.sub(r'"[^"]*"', "", match["rest"]))]
        method, variable = match["method"], match["variable"] or ""
        owner = self.bodies.get(match["object"], self.root)
        if method in ("add_input", "add_output"):
            self.streams[method[4:]].append(strings[0])
        elif method == "buffer_port_widths":
            self.widths[strings[0]] = numbers[0]
        elif method == "add_loop":
            low, high = numbers
            self.bodies[variable] = _Body(Loop(strings[0], low, high - low, ()))
            owner.inside.append(self.bodies[variable])
        elif method == "add_op":
            self.places[variable] = len(self.operations)
            owner.inside.append(len(self.operations))
            none = Access("", (), line)
            self.operations.append(Operation(strings[0], "", (), none, (), line))
        elif match["object"] in self.places:
            self.about_operation(self.places[match["object"]], method, strings, line)

    def about_operation(self, place: int, method: str, strings: list[str], line: int) -> None:
        operation = self.operations[place]
        if method == "add_function":
            operation = replace(operation, function=strings[0])
        elif method == "add_load":
            load = Access(strings[0], tuple(strings[1:]), line)
            operation = replace(operation, loads=(*operation.loads, load))
        elif method == "add_store":
            operation = replace(operation, store=Access(strings[0], tuple(strings[1:]), line))
        elif method == "compute_unit_needs_index_variable":
            operation = replace(operation, indices=(*operation.indices, strings[0]))
        elif method != "add_latency":
            raise problem(f"'{method}' cannot be simulated", line_of(self.path, line))
        self.operations[place] = operation

    def made(self, body: _Body) -> Iterator[Loop | Operation]:
        for one in body.inside:
            if isinstance(one, int):
                yield self.operations[one]
            elif one.loop is not None:
                yield replace(one.loop, body=tuple(self.made(one)))


def read_program(path: str) -> Program:
    """The program of a memory file. Raises UserError."""
    raw = read_source(path).decode("utf-8", "replace")
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), raw)
    head = _HEAD.search(text)
    if head is None:
        raise problem("there is no function that returns a prog", line_of(path, 1))
    reader = _Reader(path)
    for statement in re.finditer(r"[^;]+", text[head.end() :]):
        before = len(statement[0]) - len(statement[0].lstrip())
        line = text.count("\n", 0, head.end() + statement.start() + before) + 1
        match = _CALL.match(statement[0].strip())
        if match:
            try:
                reader.call(match, line)
            except (IndexError, ValueError):
                raise problem(
                    f"'{match['method']}' lacks an argument", line_of(path, line)
                ) from None
    return Program(
        path,
        head[1],
        tuple(reader.streams["input"]),
        tuple(reader.streams["output"]),
        reader.widths,
        tuple(reader.made(reader.root)),
    )
