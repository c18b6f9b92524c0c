"""What holds a tile in registers becomes a function of its own.

::

    void f(...) {                              static __attribute__((noinline)) void tile_0(
        for (tiles) {                                  double *tile, long down, long count, ...) {
            vector sum_0 = C[i][j]; ...            vector sum_0 = tile[0]; ...
            for (k) { sum_0 += ...; }    ->        for (; count > 0; count--, ...) { sum_0 += ...; }
            C[i][j] = sum_0; ...                   tile[0] = sum_0; ...
        }                                      }
    }                                          void f(...) {
                                                   for (tiles) tile_0(&C[i][j], ...);
                                               }

What is alive around the loop counts for a compiler that hands out registers: gcc 12 keeps addresses
of the loops around in vector registers, and one of twelve sums in memory, which takes twice the
time. A function has nothing around it, and a call is little beside the sums of a panel.

The target's subscripts are affine and its rows elements of one array, so each row of a tile is as
far from the one before it as the second is from the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from s2s.emitters.c.blocks import parse
from s2s.emitters.c.layout import Layout
from s2s.emitters.c.style import Style, columns, style_of
from s2s.frontends.c.regions import Function
from s2s.rewriters.above_functions import place_above
from s2s.source import Edit
from s2s.source.records import dataclass

_TILE = (
    r"(?P<indent>[ \t]*)const long (?P<p>\w+_)lanes =\s*[^;]*;\s*const long (?P=p)rows =\s*[^;]*;"
    r"(?P<loads>(?:\s*(?P=p)vector (?P=p)sum_\d+ =\s*\*\(const (?P=p)vector \*\)&[^;{}]*;)+)"
    r"\s*for \([a-z][\w ]* (?P<k>\w+) = (?P<first>[^;]*);\s*(?P=k) (?P<less><=?) (?P<last>[^;]*);"
    r"\s*(?P=k)\+\+\) ?\s*\{(?P<body>[^{}#]*)\}"
    r"(?P<stores>(?:\s*\*\((?P=p)vector \*\)&[^;{}]*;)+)"
)
_HELD = re.compile(_TILE)
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_NOT_PLAIN = re.compile(r"[A-Za-z_]\w*\s*(?:\(|\[|\.|->)")
_SPECIAL = re.compile(rb"\b(?:target|target_clones|optimize|naked)\b")
_DEFINED = re.compile(rb"^static __attribute__\(\(noinline\)\) void (\w+tile_\d+)\(", re.MULTILINE)
_COMMENT_ABOVE = (
    "/* s2s: a tile that vector registers hold, out of line: gcc lacks registers else */"
)


def outline_tiles(function: Function, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with functions before this one for the tiles in it."""
    span, data = function.node.span, function.unit.buffer.data
    inside = [e for e in edits if span.start <= e.start and e.end <= span.end]
    held = [e for e in inside if b"vector_size" in e.text and b"\r" not in e.text]
    if not held:
        return list(edits)
    place = place_above(data, function.unit.buffer.line_start(span.start))
    if place is None or _SPECIAL.search(data, place, function.body.span.start):
        return list(edits)
    writer = _Writer(data, sum(len(_DEFINED.findall(e.text)) for e in edits))
    changed = {e: Edit(e.start, e.end, writer.outlined(e.text)) for e in held}
    if not writer.functions:
        return list(edits)
    text = "\n\n".join(writer.functions).encode("utf-8", "surrogateescape")
    # Before the end of the line above, so that what is executed again is the function alone.
    front = (
        Edit(place - 1, place - 1, b"\n" + text + b"\n") if place else Edit(0, 0, text + b"\n\n")
    )
    return [front, *(changed.get(e, e) for e in edits)]


def used_tiles(edits: Sequence[Edit]) -> list[Edit]:
    """The edits without functions for tiles that are left out."""
    texts = [e.text for e in edits if e.start < e.end]
    return [e for e in edits if e.start < e.end or _is_used(e.text, texts)]


def _is_used(text: bytes, others: Sequence[bytes]) -> bool:
    names = _DEFINED.findall(text)
    return not names or any(name + b"(" in other for name in names for other in others)


@dataclass
class _Writer:
    """Collects ``functions`` for the tiles of texts; equal ones are one.

    ``taken`` numbers have other functions of the file ``data``.
    """

    data: bytes
    taken: int

    @cached_property
    def functions(self) -> list[str]:
        return []

    def outlined(self, data: bytes) -> bytes:
        """A text with calls in the places of its tiles."""
        text = data.decode("utf-8", "surrogateescape")
        found = [h for h in map(_Held, _HELD.finditer(text)) if h.is_plain]
        for held in reversed(found):
            lines = list(Layout(style_of(self.data), held.match["indent"]).lines(
                parse([*held.places, f"{self._function(held)}({', '.join(held.arguments)});"])
            ))  # fmt: skip
            text = text[: held.match.start()] + "\n".join(lines) + text[held.match.end() :]
        for held in found:
            if len(re.findall(rf"\b{held.prefix}vector\b", text)) == 1:
                text = re.sub(rf"[ \t]*{re.escape(held.typedef)}\n", "", text)
        return text.encode("utf-8", "surrogateescape")

    def _function(self, held: _Held) -> str:
        """The name of the function for a tile, which is written where there is none."""
        names = (f"{held.prefix}tile_{self.taken + i}" for i in range(len(self.functions)))
        layout = Layout(style_of(self.data), "")
        for name, function in zip(names, self.functions, strict=True):
            if held.function(name, layout) == function:
                return name
        name = f"{held.prefix}tile_{self.taken + len(self.functions)}"
        self.functions.append(held.function(name, layout))
        return name


class _Held:
    """A tile as the emitter has printed it."""

    def __init__(self, match: re.Match[str]) -> None:
        self.match, self.prefix = match, match["p"]
        p = self.prefix
        self.loads = dict(re.findall(rf"{p}vector ({p}sum_\d+) =\s*\*\(const {p}vector \*\)&"
                                     r"([^;]*);", match["loads"]))  # fmt: skip
        self.loads = {name: _one_line(element) for name, element in self.loads.items()}
        self.body = [_one_line(s) for s in match["body"].split(";") if s.strip()]

    @cached_property
    def typedef(self) -> str:
        """The declaration of the type of vectors, as the text has it; nothing if it has none."""
        pattern = rf"typedef \w+ {self.prefix}vector\b[^;]*;"
        found = re.findall(pattern, self.match.string[: self.match.start()])
        return str(found[-1]) if found else ""

    @cached_property
    def _type(self) -> str:
        return self.typedef.split()[1]

    @cached_property
    def _width(self) -> int:
        """Lanes of a vector."""
        size = re.search(r"vector_size\((\d+)\), aligned\((\d+)\)", self.typedef)
        return int(size[1]) // int(size[2]) if size else 0

    @cached_property
    def _at(self) -> dict[str, tuple[int, int]]:
        """The row and the vector of each sum."""
        places: dict[str, tuple[int, int]] = {}
        for statement in self.body:
            target = re.match(rf"({self.prefix}sum_\d+) ", statement)
            if target is None:
                continue
            rows, vectors = (
                {int(n) for n in re.findall(rf"\b{self.prefix}{kind}_\d+_(\d+)\b", statement)}
                for kind in ("row", "lanes")
            )
            if len(rows) == len(vectors) == 1 and target[1] not in places:
                places[target[1]] = rows.pop(), vectors.pop()
        return places

    @cached_property
    def _panels(self) -> dict[str, tuple[str, str, str]]:
        """What panels are called, with the place in them, places of a step and the counter."""
        return {name: (at, step, counter) for name, at, counter, step in self._reads}

    @property
    def _reads(self) -> Iterator[tuple[str, str, str, str]]:
        for statement in self.body:
            for match in self._read.finditer(statement):
                yield match["panel"], match["at"], match["counter"], match["step"]

    @cached_property
    def _read(self) -> re.Pattern[str]:
        p, k = self.prefix, self.match["k"]
        return re.compile(
            rf"(?P<panel>{p}(?:lanes|rows)_\d+)\[\s*\((?P<at>{p}(?:lanes|rows)) \+"
            rf" (?P<counter>(?:\(long\))?{k})\) \* (?P<step>\d+)(?: \+ (?P<more>\d+))?\]"
        )

    @cached_property
    def _statements(self) -> list[str]:
        """The loop's statements, with panels that begin at the place of an iteration."""
        return [self._read.sub(lambda m: f"{m['panel']}[{m['more'] or 0}]", s) for s in self.body]

    @cached_property
    def _values(self) -> list[str]:
        """What else the loop reads: the same for all iterations and lanes."""
        own = rf"{self.prefix}(?:sum|lanes|rows|row)_\d+(?:_\d+)?|{self.prefix}vector"
        known = re.compile(rf"{own}|const|{self._type}")
        names = (n for s in self._statements for n in _NAME.findall(s))
        return list(dict.fromkeys(n for n in names if not known.fullmatch(n)))

    @property
    def is_plain(self) -> bool:
        """Whether all is as a function can have it."""
        if not self.typedef or not self._width or not self._panels:
            return False
        tiles = set(self._at.values())
        if set(self._at) != set(self.loads) or not {(0, 0), (1, 0)} <= tiles:
            return False
        if len(tiles) < len(self._at):
            return False
        stored = re.findall(rf"&([^;]*?) =\s*({self.prefix}sum_\d+);", self.match["stores"])
        same = {name: _one_line(element) for element, name in stored} == self.loads
        others = [n for s in self._statements for n in _NOT_PLAIN.findall(s)]
        others = [n for n in others if not n.startswith(tuple(self._panels))]
        used = {name for s in self._statements for name in _NAME.findall(s)}
        return same and not others and self.match["k"] not in used

    @property
    def places(self) -> list[str]:
        """The lines before the call."""
        text = self.match.string[self.match.start() : self.match.start("loads")]
        return [f"{_one_line(s)};" for s in text.split(";") if s.strip()]

    @property
    def arguments(self) -> list[str]:
        elements = {place: self.loads[name] for name, place in self._at.items()}
        first, last = (_one_line(self.match[end]) for end in ("first", "last"))
        found = [f"&{elements[0, 0]}", f"&{elements[1, 0]} - &{elements[0, 0]}"]
        beyond = " + 1" if self.match["less"] == "<=" else ""
        found.append(f"(long){_operand(last)}" + f" - {_long(first)}" * (first != "0") + beyond)
        for name, (at, step, _) in sorted(self._panels.items()):
            place = at if first == "0" else f"({at} + {_long(first)})"
            found.append(f"&{name}[{place} * {step}]")
        return [*found, *self._values]

    @property
    def _parameters(self) -> list[str]:
        p, of = self.prefix, self._type
        found = [f"{of} *{p}tile", f"long {p}down", f"long {p}count"]
        found += [f"const {of} *{name}" for name in sorted(self._panels)]
        return [*found, *(f"const {of} {p}value_{i}" for i in range(len(self._values)))]

    def function(self, name: str, layout: Layout) -> str:
        """The function's text."""
        p = self.prefix
        vector = f"{p}vector"
        elements = {s: self._element(*place) for s, place in self._at.items()}
        steps = "".join(f", {n} += {step}" for n, (_, step, _) in sorted(self._panels.items()))
        lines = [_one_line(self.typedef)]
        lines += [f"{vector} {s} = *(const {vector} *)&{e};" for s, e in elements.items()]
        lines += [f"for (; {p}count > 0; {p}count--{steps}) {{", *self._body(), "}"]
        lines += [f"*({vector} *)&{e} = {s};" for s, e in elements.items()]
        body = list(layout.lines(parse(lines), 1))
        return "\n".join([_COMMENT_ABOVE, *self._head(name, layout.style), "{", *body, "}"])

    def _head(self, name: str, style: Style) -> Iterator[str]:
        """The lines before the function's body."""
        line, indent = f"static __attribute__((noinline)) void {name}(", style.unit * 2
        for parameter in [f"{p}," for p in self._parameters[:-1]] + [f"{self._parameters[-1]})"]:
            blank = "" if line.endswith("(") else " "
            if columns(line + blank + parameter) > style.width or line.endswith("("):
                yield line
                line, blank = indent, ""
            line += blank + parameter
        yield line

    def _body(self) -> list[str]:
        named: Mapping[str, str] = {n: f"{self.prefix}value_{i}"
                                    for i, n in enumerate(self._values)}  # fmt: skip
        return [f"{_NAME.sub(lambda m: named.get(m[0], m[0]), s)};" for s in self._statements]

    def _element(self, row: int, vector: int) -> str:
        """An element of the tile, from its first one."""
        down = f"{self.prefix}down" if row == 1 else f"{row} * {self.prefix}down"
        parts = [down] * (row > 0) + [str(vector * self._width)] * (vector > 0 or not row)
        return f"{self.prefix}tile[{' + '.join(parts)}]"


def _one_line(text: str) -> str:
    return re.sub(r"(?<=[\[(]) | (?=[\])])", "", " ".join(text.split()))


def _long(text: str) -> str:
    """A value as a summand of type ``long``: a counter's first one is a product of that type."""
    product = re.fullmatch(r"\([a-z][\w ]*\)\(([\w *]*)\)", text)
    return product[1] if product else f"(long){_operand(text)}"


def _operand(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"
