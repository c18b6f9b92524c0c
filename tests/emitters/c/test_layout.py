"""The layout of new code: what is taken out changes nothing, and lines are those of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.emitters.c.blocks import (
    CLOSE,
    END,
    ITERATOR,
    OPEN,
    Block,
    leave_out_iterators,
    parse,
    tidy,
)
from s2s.emitters.c.layout import Layout
from s2s.emitters.c.line_breaks import break_directive, break_line, statements_of
from s2s.emitters.c.style import Style, style_of
from s2s.net import Mismatch
from s2s.net.left_out import check_left_out

_NAMES = ["i", "j", "k"]
_PRINTED = st.integers(0, 2**32).map(lambda seed: _printed(seed))


@dataclass
class _Drawn:
    """Lines as loops are printed, each declaration with a number of its own."""

    random: Random
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def block(self, depth: int, visible: list[str]) -> None:
        """Declarations, then pieces of source text and blocks, with names that are visible."""
        pad, names = "    " * depth, list(visible)
        for name in self.random.sample(_NAMES, self.random.randrange(3)) if depth else []:
            mark = ITERATOR * self.random.randrange(2)
            self.lines.append(f"{pad}{mark}const int {name} = {self.number()};")
            names.append(name)
        for _ in range(self.random.randint(0 if depth else 1, 2)):
            kind = self.random.randrange(5) if depth < 4 else 0
            if kind == 0:
                used = self.random.choices(names, k=self.random.randrange(3)) if names else []
                text = f"use({', '.join([str(self.number()), *used])});"
                if self.random.randrange(2):
                    own = self.random.sample(_NAMES, self.random.randrange(2))
                    inside = [f"const int {name} = {self.number()};" for name in own]
                    inside.append(text)
                    inside += [f"use({self.number()}, {name});" for name in own]
                    text = "\n".join(["{", *(f"{pad}    {line}" for line in inside), f"{pad}}}"])
                self.lines += f"{pad}{OPEN}S{CLOSE}{text}{END}".split("\n")
                continue
            head = ["", "", f"if (c{self.number()}) ", f"for (;;c{self.number()}) "][kind - 1]
            self.lines.append(f"{pad}{head}{{")
            self.block(depth + 1, names)
            if kind == 3 and self.random.randrange(2):
                self.lines.append(f"{pad}}} else {{")
                self.block(depth + 1, names)
            self.lines.append(f"{pad}}}")

    def number(self) -> int:
        self.count += 1
        return self.count


def _printed(seed: int) -> list[str]:
    drawn = _Drawn(Random(seed))
    drawn.block(0, [])
    return drawn.lines


_TOKEN = re.compile(
    r"(?P<else>else)?\s*(?:if|for) ?\((?P<of>[^)]*)\)|(?P<alone>else)"
    r"|const int (?P<name>\w) = (?P<value>\d+);|use\((?P<used>[^)]*)\);|(?P<brace>[{}])"
)
_Used = list[tuple[tuple[str, ...], list[str]]]


def _meaning(text: str) -> _Used:
    """What is used under which conditions, names resolved by their scopes."""
    found: _Used = []
    _follow(
        list(_TOKEN.finditer(re.sub(f"{OPEN}S{CLOSE}|{END}|{ITERATOR}", "", text))), {}, (), found
    )
    return found


def _follow(
    tokens: list[re.Match[str]], names: dict[str, str], path: tuple[str, ...], found: _Used
) -> None:
    own: tuple[str, ...] = ()
    here: set[str] = set()
    others: tuple[str, ...] = ()
    while tokens:
        token = tokens.pop(0)
        if token["brace"] == "}":
            return
        if token["brace"]:
            _follow(tokens, dict(names), path, found)
        elif token["name"]:
            assert token["name"] not in here, "declared twice"
            here.add(token["name"])
            names[token["name"]] = token["value"]
        elif token["used"]:
            number, *used = token["used"].split(", ")
            found.append((path, [number, *(names[name] for name in used)]))
        else:
            is_else = token["else"] or token["alone"]
            others = (*others, f"!{' && '.join(own)}") if is_else else ()
            own = tuple(token["of"].split(" && ")) if token["of"] else ()
            tokens.pop(0)  # its brace
            _follow(tokens, dict(names), (*path, *others, *own), found)


def _laid_out(lines: list[str], style: Style) -> tuple[str, str]:
    """All of the new code, and what leaves."""
    block, layout = Block([], parse(lines)), Layout(style, "  ")
    tidy(block)
    whole = "\n".join(layout.lines([block]))
    leave_out_iterators(block)
    return whole, "\n".join(layout.lines([block]))


def _without_marks(text: str) -> bytes:
    return re.sub(f"{OPEN}S{CLOSE}|{END}", "", text).encode()


_STYLES = [Style(), Style("\t", True, False), Style("  ", True, spaced=False, sunk=True)]


@settings(max_examples=60, deadline=None)
@given(_PRINTED, st.sampled_from(_STYLES))
def test_layout_keeps_what_runs_with_which_values(lines: list[str], style: Style) -> None:
    wanted = _meaning("\n".join(lines))
    whole, short = _laid_out(lines, style)
    assert _meaning(whole) == wanted
    assert _meaning(short) == wanted
    assert not re.search(r"\{\s*\{[^{}]*\}\s*\}", short)
    check_left_out(_without_marks(whole), _without_marks(short))


@settings(max_examples=30, deadline=None)
@given(_PRINTED, st.randoms(use_true_random=False))
def test_nothing_else_may_be_left_out(lines: list[str], random: Random) -> None:
    whole, short = (_without_marks(text) for text in _laid_out(lines, Style()))
    gone = random.choice(list(re.finditer(rb"use\([^;]*;|if \(\w+\)|[{}]", short)))
    with pytest.raises(Mismatch):
        check_left_out(whole, short[: gone.start()] + short[gone.end() :])


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        ("{ if (n) { a(); b(); } }", "{ if (n) a(); b(); }"),
        ("{ if (n) { a(); } else { b(); c(); } }", "{ if (n) { a(); } else b(); c(); }"),
        (
            "{ { const int i = 2; a[i] = 0; } b[i] = 1; }",
            "{ const int i = 2; a[i] = 0; b[i] = 1; }",
        ),
        ("{ { { const T *i = p; a[*i] = 0; } } b(i); }", "{ const T *i = p; a[*i] = 0; b(i); }"),
        ("{\n#pragma omp single\n{ a(); b(); } }", "{\n#pragma omp single\na(); b(); }"),
    ],
)
def test_braces_that_are_needed_stay(whole: str, short: str) -> None:
    with pytest.raises(Mismatch):
        check_left_out(whole.encode(), short.encode())


@pytest.mark.parametrize(
    "short", ["{ a[i] = 0; }", "{ a[0] = 0; b[j] = 1; }", "{ const int i = 1; a[i] = 1; }"]
)
def test_constants_that_are_named_stay(short: str) -> None:
    whole = "{ const int i = 1; a[i] = 0; }"
    with pytest.raises(Mismatch):
        check_left_out(whole.encode(), short.encode())
    with pytest.raises(Mismatch):
        check_left_out(whole.replace("a[", "(void)i; a[").encode(), short.encode())


_OPERATORS = st.sampled_from(["+", "-", "*", "/", "&&", "||", "<=", "<"])
_OPERANDS = st.sampled_from(["n", "s2s_i_tile", "4", "heat[i + 1][j]", "(long)n", "f(a, b)"])
_VALUES = st.recursive(
    _OPERANDS,
    lambda inner: st.one_of(
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("(int)({})".format, inner),
        st.builds("s2s_min_i32({}, {})".format, inner, inner),
        st.builds("heat[{}]".format, inner),
        st.tuples(inner, _OPERATORS, inner).map(" ".join),
    ),
    max_leaves=24,
)


@settings(max_examples=60, deadline=None)
@given(_VALUES, _VALUES, st.integers(20, 110))
def test_lines_are_broken_between_tokens(first: str, second: str, room: int) -> None:
    for text in (
        f"if ({first})", f"}} else if ({first})", f"const long x = {first};",
        f"a[{first}] = {second};",
        f"for (long s2s_i = {first}; s2s_i <= {second}; s2s_i++)",
        f"if (s2s_end > {first}) s2s_end = {first};", f"/* s2s: {first} */",
        f"if ({first}) for (int k = 0; k < {second}; k++) a[k] += {first};",
        f"const int s2s_i_first = (int)({first}), s2s_i_last = (int)({second});",
        f"f({first}, {second});", f"int f(const long *restrict {'x' * 20}, int y, int zzzzzz)",
        f"if ({first} &&", f"b[{first}]) + {second};",  # of statements over lines
        f"int q; if ({first}) f({second}, 1); else b[q] *= {second}; c = 3;",
    ):  # fmt: skip
        each = statements_of(text)
        lines = [line for statement in each for line in break_line(statement, room, "    ")]
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert len(lines) == len(each) or len(text) > room
    tokens = f"#pragma omp task depend(in: {first}) depend(out: {second})"
    directive = list(break_directive(tokens, room))
    assert all(line.endswith(" \\") for line in directive[:-1])
    assert " ".join(" ".join(directive).replace("\\", "").split()) == tokens


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("", Style(width=80)),
        ("void f(int n)\n{\n\tif (n) {\n\t\tg();\n\t} else {\n\t\th();\n\t}\n}\n",
         Style("\t", width=80)),
        ("void f(int n)\n{\n  if(n)\n  {\n    g();\n  }\n  else\n  {\n    h();\n  }\n}\n",
         Style("  ", True, False, False, 80)),
        ("void\nf (int n)\n{\n  if (n)\n    {\n      g ();\n    }\n}\n",
         Style("  ", True, False, width=80, sunk=True)),
        ("void f(int n) {\n    if (n) {\n        g();\n    }\n    else {\n        h();\n    }\n"
         f"    g({'n' * 85});\n}}\n", Style(cuddled=False, width=93)),
        (f"// {'-' * 200}\n", Style(width=100)),
    ],
)  # fmt: skip
def test_style_is_that_of_the_file(text: str, style: Style) -> None:
    assert style_of(text.encode()) == style
    assert style_of(text.replace("\n", "\r\n").encode()) == style
