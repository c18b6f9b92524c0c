"""The methods of Clockwork's programs, loops and operations, which fill a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import ClassVar

from s2s.source.clockwork.indices import Index, read_condition, read_subscripts
from s2s.source.clockwork.names import check_names, with_tables
from s2s.source.clockwork.problems import meant, problem
from s2s.source.clockwork.programs import Access, Loop, Operation, Piece, Program
from s2s.source.clockwork.statements import Thing, Value
from s2s.source.diagnostics import Location
from s2s.source.records import dataclass

Method = Callable[..., Value]
_NONE = Access("", (), Location("", 1, 1, 1, 1))


class _Owner(Thing):
    """What has methods: those of ``methods``, with the types of their arguments."""

    kind: ClassVar[str]
    methods: ClassVar[dict[str, str]]

    def call(self, method: str, arguments: Sequence[Value], at: Location) -> Value:
        if method not in self.methods:
            text = f"{self.kind} has no method '{method}' that is understood"
            raise problem(text + meant(method, self.methods), at)
        wanted = self.methods[method].split()
        if wanted[-1:] == ["..."]:
            wanted = wanted[:-2] + wanted[-2:-1] * max(0, len(arguments) - len(wanted) + 2)
        kinds = {int: "number", str: "string", list: "list"}
        given = [kinds.get(type(a), "value") for a in arguments]
        if given != wanted and wanted != ["any"]:
            needs = " and ".join(f"{wanted.count(k)} {k}s" for k in dict.fromkeys(wanted))
            has = ", ".join(given) or "none"
            raise problem(f"'{method}' needs {needs or 'no arguments'}, has {has}", at)
        carry_out: Method = getattr(self, method)
        return carry_out(*arguments, at=at)


@dataclass
class Draft(_Owner):
    """An operation while it is read."""

    operation: Operation
    path: str
    stores: list[Access] = field(default_factory=list)
    kind: ClassVar[str] = "an operation"
    methods: ClassVar[dict[str, str]] = {
        "add_function": "string",
        "add_load": "any",
        "add_store": "any",
        "add_dynamic_load": "string string string ...",
        "add_dynamic_store": "string string string ...",
        "compute_unit_needs_index_variable": "string",
        "index_variable_prefetch_cycle": "number",
        "add_latency": "number",
    }

    def change(self, **fields: object) -> None:
        self.operation = replace(self.operation, **fields)  # type: ignore[arg-type]

    def add_function(self, name: str, at: Location) -> None:
        if self.operation.function not in ("", name):
            raise problem(f"{self.operation.name} has a function already", at)
        self.change(function=name)

    def add_load(self, *arguments: Value, at: Location) -> None:
        self.change(loads=(*self.operation.loads, self.access("add_load", arguments, at)))

    def add_store(self, *arguments: Value, at: Location) -> None:
        self.stores.append(self.access("add_store", arguments, at))

    def add_dynamic_load(self, *words: str, at: Location) -> None:
        self.change(loads=(*self.operation.loads, self.dynamic(words, at)))

    def add_dynamic_store(self, *words: str, at: Location) -> None:
        self.stores.append(self.dynamic(words, at))

    def dynamic(self, words: Sequence[str], at: Location) -> Access:
        """Subscripts of a buffer; names of buffers among them take what follows for theirs."""
        return Access(words[0], (Piece(None, self.subscripts(words[1:], at)),), at, True)

    def compute_unit_needs_index_variable(self, name: str, at: Location) -> None:
        self.change(indices=(*self.operation.indices, name))

    def index_variable_prefetch_cycle(self, cycles: int, at: Location) -> None:
        """How early the real tool computes an index: no value or cycle depends on it here."""

    def add_latency(self, cycles: int, at: Location) -> None:
        if cycles < 0:
            raise problem(f"{self.operation.name}: a latency of {cycles} cycles", at)
        self.change(latency=cycles)

    def access(self, method: str, arguments: Sequence[Value], at: Location) -> Access:
        match arguments:
            case [str(buffer), [*pairs]] if pairs:
                return Access(buffer, tuple(self.piece(pair, at) for pair in pairs), at)
            case [str(buffer), str(), *_] if all(isinstance(a, str) for a in arguments):
                return Access(buffer, (Piece(None, self.subscripts(arguments[1:], at)),), at)
        text = f"'{method}' needs a buffer, then subscripts or {{condition, subscripts}}"
        raise problem(f"{self.operation.name}: {text}", at)

    def piece(self, pair: Value, at: Location) -> Piece:
        match pair:
            case [str(condition), str(subscripts)]:
                try:
                    return Piece(read_condition(condition), self.subscripts([subscripts], at))
                except ValueError as error:
                    raise problem(f"{self.operation.name}: {error}", at) from None
        raise problem(f"{self.operation.name}: a piece is {{condition, subscripts}}", at)

    def subscripts(self, texts: Sequence[Value], at: Location) -> tuple[Index, ...]:
        try:
            return tuple(index for text in texts for index in read_subscripts(str(text)))
        except ValueError as error:
            raise problem(f"{self.operation.name}: {error}", at) from None


@dataclass
class Nested(_Owner):
    """A loop while it is read, or the program, or what a condition holds for."""

    root: Root
    name: str = ""
    minimum: int = 0
    extent: int = 1
    at: Location = _NONE.at
    coarse: bool = False
    conditions: tuple[Index, ...] = ()
    inside: list[Nested | Draft] = field(default_factory=list)
    kind: ClassVar[str] = "a loop"
    methods: ClassVar[dict[str, str]] = {
        "add_loop": "any",
        "add_nest": "any",
        "add_op": "any",
        "add_if": "string",
        "store": "list list",
        "stencil_op": "string string string list list",
        "coarse_grain_loop_tag": "",
    }

    def add_loop(self, *arguments: Value, at: Location) -> Nested:
        match arguments:
            case [str(name), int(minimum), int(end)]:
                pass
            case [int(minimum), int(end)]:
                name = self.root.fresh("l")
            case _:
                raise problem("'add_loop' needs a name, a minimum and an end", at)
        if end <= minimum:
            raise problem(f"loop '{name}' from {minimum} to {end} has no iterations", at)
        made = Nested(self.root, name, minimum, end - minimum, at, False, self.conditions)
        self.inside.append(made)
        return made

    def add_nest(self, *arguments: Value, at: Location) -> Nested:
        if not arguments or len(arguments) % 3:
            raise problem("'add_nest' needs a name, a minimum and an end for each loop", at)
        made = self
        for k in range(0, len(arguments), 3):
            made = made.add_loop(*arguments[k : k + 3], at=at)
        return made

    def add_if(self, condition: str, at: Location) -> Nested:
        try:
            holds = read_condition(condition)
        except ValueError as error:
            raise problem(str(error), at) from None
        more = () if holds is None else (holds,)
        made = Nested(self.root, at=at, conditions=(*self.conditions, *more))
        self.inside.append(made)
        return made

    def add_op(self, *arguments: Value, at: Location) -> Draft:
        match arguments:
            case [str(name)]:
                return self.draft(name, at)
            case [[str(buffer), str(where)], str(function), [*loads]] if len(loads) % 2 == 0:
                made = self.draft(self.root.fresh(f"{buffer}_{function}"), at)
                made.add_function(function, at=at)
                for k in range(0, len(loads), 2):
                    made.add_load(*loads[k : k + 2], at=at)
                made.add_store(buffer, where, at=at)
                return made
        raise problem("'add_op' needs a name, or a store, a function and loads", at)

    def draft(self, name: str, at: Location) -> Draft:
        operation = Operation(name, "", (), _NONE, (), at, None, self.conditions)
        made = Draft(operation, at.path)
        self.inside.append(made)
        return made

    def store(self, to: list[Value], source: list[Value], at: Location) -> Draft:
        made = self.draft(self.root.fresh(f"store_{to[0]}_from_{source[0]}"), at)
        made.add_load(*source, at=at)
        made.add_store(*to, at=at)
        return made

    def stencil_op(
        self, to: str, function: str, source: str, names: list[Value], offsets: list[Value],
        at: Location,
    ) -> Draft:  # fmt: skip
        """A function of elements that lie at offsets from the variables."""
        made = self.draft(self.root.fresh(f"{to}_{function}"), at)
        made.add_function(function, at=at)
        for offset in offsets:
            if not isinstance(offset, list) or len(offset) != len(names):
                raise problem("'stencil_op' needs an offset for each variable", at)
            made.add_load(
                source, *(f"{n} + {o}" for n, o in zip(names, offset, strict=True)), at=at
            )
        made.add_store(to, *names, at=at)
        return made

    def coarse_grain_loop_tag(self, at: Location) -> None:
        self.coarse = True

    def body(self) -> tuple[Loop | Operation, ...]:
        made: list[Loop | Operation] = []
        for one in self.inside:
            if isinstance(one, Draft):
                made.append(self.root.finished(one))
            elif not one.name:
                made += one.body()
            else:
                extent, body = one.extent, one.body()
                made.append(Loop(one.name, one.minimum, extent, body, one.at, one.coarse))
        return tuple(made)


class Root(_Owner):
    """The program while it is read."""

    kind = "a program"
    methods = Nested.methods | {"add_input": "string", "add_output": "string"}

    def __init__(self, name: str, at: Location) -> None:
        self.function, self.at = name, at
        self.compute = ""
        self.streams: dict[str, tuple[str, Location]] = {}
        self.widths: dict[str, int] = {}
        self.bounds: dict[str, tuple[int, ...]] = {}
        self.nest = Nested(self)
        self.taken: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """A name that no other is."""
        number = self.taken[name] = self.taken.get(name, -1) + 1
        return f"{name}_{number}"

    def call(self, method: str, arguments: Sequence[Value], at: Location) -> Value:
        if method in Nested.methods and method in self.methods:
            return self.nest.call(method, arguments, at)
        return super().call(method, arguments, at)

    def add_input(self, name: str, at: Location) -> None:
        self.add_stream(name, "input", at)

    def add_output(self, name: str, at: Location) -> None:
        self.add_stream(name, "output", at)

    def add_stream(self, name: str, what: str, at: Location) -> None:
        if name in self.streams:
            raise problem(f"'{name}' is an {self.streams[name][0]} already", at)
        self.streams[name] = (what, at)

    def assign(self, member: str, key: Value | None, value: Value, at: Location) -> None:
        match member, key, value:
            case "compute_unit_file", None, str(text):
                self.compute = text
            case "name", None, str():
                pass  # of the files that the real tool writes
            case "buffer_port_widths", str(buffer), int(bits):
                if not 1 <= bits <= 64:
                    raise problem(f"'{buffer}' has words of {bits} bits; 1 to 64 are possible", at)
                if self.widths.get(buffer, bits) != bits:
                    text = f"'{buffer}' has words of {bits} bits here, {self.widths[buffer]} before"
                    raise problem(text, at)
                self.widths[buffer] = bits
            case "buffer_bounds", str(buffer), [*sizes]:
                found = tuple(size for size in sizes if isinstance(size, int))
                if len(found) != len(sizes) or any(size < 1 for size in found):
                    raise problem(f"bounds of '{buffer}' are sizes by dimension", at)
                self.bounds[buffer] = found
            case _:
                raise problem(f"'{member}' of a program takes no such value", at)

    def finished(self, draft: Draft) -> Operation:
        """An operation with its store."""
        operation = draft.operation
        if len(draft.stores) != 1:
            count = f"{len(draft.stores)} stores" if draft.stores else "no store"
            place = draft.stores[1].at if draft.stores else operation.at
            raise problem(f"{operation.name} has {count}; an operation stores one element", place)
        return replace(operation, store=draft.stores[0])

    def program(self, path: str) -> Program:
        """All that was said, checked by itself. Raises UserError."""
        found = Program(
            path,
            self.function,
            tuple(n for n, (what, _) in self.streams.items() if what == "input"),
            tuple(n for n, (what, _) in self.streams.items() if what == "output"),
            self.widths,
            self.nest.body(),
            self.at,
            self.compute,
            self.bounds,
            {name: at for name, (_, at) in self.streams.items()},
        )
        found = with_tables(found)
        check_names(found)
        return found
