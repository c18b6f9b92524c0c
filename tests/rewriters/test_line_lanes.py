"""Groups of lines: random solvers along random directions print what they did, to the last bit."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from s2s.frontends.c.regions import functions
from s2s.rewriters.line_groups import rewriting
from s2s.rewriters.line_lanes import LineLanes
from s2s.source import Edit, apply_edits
from tests.frontends.c.prepare.harness import output
from tests.lifting import parse_text

_PROGRAMS = Path(__file__).parent / "line_lanes"


def test_random_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether arrays are kept depends on ranges, on other solvers and on who else reads them."""
    monkeypatch.setattr(rewriting, "_WORTH", 0)
    draw = random.Random(21)
    taken = smaller = 0
    for _ in range(12):
        text = _program(draw)
        unit = parse_text(text)
        edits: list[Edit] = []
        for function in functions(unit, every=True):
            for change in LineLanes(vector=32).edits(function, tuple(edits)):
                edits += change.edits
                taken += bool(change.edits)
                smaller += not change.dead.isdisjoint({"a", "f"})
        new = apply_edits(unit.buffer.data, edits).decode()
        assert output(new, tmp_path, "new.c") == output(text, tmp_path, "source.c"), text
    assert taken >= 12 and smaller >= 6


@pytest.mark.parametrize(
    "body",
    [
        "(-((v) * (v)) + 0.5 * -(v) - 2)",
        "(v) * (v) - 3 * (v)",
        "((v) > 0.2 ? 2 - (v) : (v) * (v) / 3)",
        "((v) * (v) + 1e-10 * (1L << 33))",  # digits alone would be an int
    ],
)
def test_all_of_a_macro_is_written_out(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that comes of a macro stands at one place of the text, which is its call."""
    monkeypatch.setattr(rewriting, "_WORTH", 0)
    draw = random.Random(3)
    changed = 0
    for _ in range(4):
        text = _program(draw).replace("((v) * (v))", body)
        unit = parse_text(text)
        edits: list[Edit] = []
        for function in functions(unit, every=True):
            for change in LineLanes(vector=32).edits(function, tuple(edits)):
                edits += change.edits
        new = apply_edits(unit.buffer.data, edits).decode()
        assert output(new, tmp_path, "new.c") == output(text, tmp_path, "source.c"), text
        changed += len(edits)
    assert changed


@pytest.mark.parametrize(
    ("change", "shown", "small"),
    [
        ("", "", True),
        ("n = 9 - t;", "", False),
        ("if (t == 2) { n = 7; second(); n = 9; }", "", False),
        ("", "sum += a[3][3][3][1];", False),
        ("", "double *p = &a[2][2][2][0]; sum += p[1];", False),
        ("", "elsewhere", False),
    ],
)
def test_arrays_that_are_kept(
    change: str, shown: str, small: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second solver reads what the first one wrote only where sizes change, or others read."""
    monkeypatch.setattr(rewriting, "_WORTH", 0)
    other = "= &a[2][2][2][0]" if shown == "elsewhere" else ""
    text = (
        (_PROGRAMS / "two_solvers.c").read_text().replace("CHANGE", change).replace("OTHER", other)
    )
    text = text.replace("SHOWN", "" if other else shown)
    unit = parse_text(text)
    edits: list[Edit] = []
    dead: set[str] = set()
    for function in functions(unit, every=True):
        for found in LineLanes(vector=32).edits(function, tuple(edits)):
            edits += found.edits
            dead |= found.dead
    assert dead == ({"a"} if small else set())
    new = apply_edits(unit.buffer.data, edits).decode()
    assert output(new, tmp_path, "new.c") == output(text, tmp_path, "source.c")


def test_look_alikes_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where lines are not independent they stay even if that is expected to gain."""
    monkeypatch.setattr(rewriting, "_WORTH", 0)
    source = _PROGRAMS / "stays.c"
    unit = parse_text(source.read_text())
    found: dict[str, str] = {}
    changed = set()
    for function in functions(unit, every=True):
        for change in LineLanes().edits(function, ()):
            found[function.node.name] = change.reason
            changed |= {function.node.name} if change.edits else set()
    assert changed == {"seen_elsewhere"}
    assert "'kept' may be read elsewhere" in found["keeps"]
    assert "a subscript leaves its dimension" in found["outside"]


def _program(draw: random.Random) -> str:
    size, construct = draw.choice([2, 3]), draw.choice(["", "for", "for", "parallel for"])
    names = [f"solve{i}" for i in range(draw.randint(1, 3))]
    parallel = "#pragma omp parallel\n" if construct == "for" else ""
    calls = [f"{parallel}        {name}();" for name in names]
    draw.shuffle(calls)
    chosen = {
        "TYPE": draw.choice(["double", "double", "float"]),
        "SIZE": str(size),
        "STATIC": draw.choice(["static ", ""]),
        "FIRST": draw.choice(["6", "9"]),
        "SHOWN": draw.choice(["", "", " + f[i][j][k][m]", " + a[i][j][k][m][0]"]),
        "CHANGES": draw.choice(["", "", "n[1] = 5 + t;", "n[1] = 8 - t;"]),
        "SOLVERS": "\n".join(_solver(draw, name, size, construct) for name in names),
        "CALLS": "\n".join(calls),
    }
    text = (_PROGRAMS / "grid.c").read_text()
    return re.sub("|".join(chosen), lambda word: chosen[word[0]], text)


def _solver(draw: random.Random, name: str, size: int, construct: str) -> str:
    """A function that calls one or two others, or has all phases itself."""
    along = draw.randrange(3)
    lines = [d for d in range(3) if d != along]
    draw.shuffle(lines)
    phases = [_phase(draw, size, along, lines, construct) for _ in range(draw.randint(2, 5))]
    if draw.random() < 0.4:
        return _function(name, "\n".join(phases))
    cut = draw.randint(1, len(phases) - 1)
    parts = [phases[:cut], phases[cut:]]
    inner = [_function(f"{name}_{i}", "\n".join(part)) for i, part in enumerate(parts)]
    return "\n".join([*inner, _function(name, f"    {name}_0();\n    {name}_1();")])


def _function(name: str, body: str) -> str:
    declared = "    int i, j, k, r;\n" if "for (" in body else ""
    return f"static void {name}(void)\n{{\n{declared}{body}\n}}"


def _phase(draw: random.Random, size: int, along: int, lines: list[int], construct: str) -> str:
    """Loops around statements: along the line inside or outside of those over lines."""
    low, high = draw.choice([(1, 1), (1, 1), (2, 1), (1, 2)])
    counter = "ijk"[along]
    up = f"for ({counter} = {low}; {counter} < n[{along}] - {high}; {counter}++)"
    down = f"for ({counter} = n[{along}] - {high + 1}; {counter} >= {low}; {counter}--)"
    line = draw.choice([up, up, down])
    if draw.random() < 0.2:  # up to the ends, without neighbours
        line = f"for ({counter} = 0; {counter} < n[{along}]; {counter}++)"
        body = _statements(draw, size, along, ends=True)
    else:
        body = _statements(draw, size, along, ends=False)
    shared, lane = (
        f"for ({v} = 1; {v} < n[{d}] - 1; {v}++)" for v, d in (("ijk"[d], d) for d in lines)
    )
    outside = draw.random() < 0.5
    own = ", ".join(v for v in "ijkr" if not outside or v != counter)
    clauses = f" private({own})" if construct == "parallel for" else ""
    pragma = f"\n#pragma omp {construct}{clauses}\n" if construct else ""
    inside = f"{{ {body} }}"
    if draw.random() < 0.3:
        shared, lane, line = (t.replace("for (", "for (int ") for t in (shared, lane, line))
    if outside:
        return f"    {line} {{ {pragma} {shared} {lane} {inside} }}"
    return f"    {pragma} {shared} {lane} {line} {inside}"


def _statements(draw: random.Random, size: int, along: int, *, ends: bool) -> str:
    def at(shift: int) -> str:
        names = ["i", "j", "k"]
        if shift:
            names[along] += f" {'+' if shift > 0 else '-'} {abs(shift)}"
        return "".join(f"[{name}]" for name in names)

    def near() -> str:
        return at(0 if ends else draw.choice([-1, 0, 1]))

    def value() -> str:
        row, column = draw.randrange(size), draw.randrange(size)
        return draw.choice(
            [f"s{near()}[{row}]", f"f{near()}[{row}]", f"a{near()}[{row}][{column}]",
             f"SQUARE(s{near()}[{row}] - factor)", "0.5 * j", "factor"]
        )  # fmt: skip

    def fill() -> str:
        places = [f"a{at(0)}[{r}][{c}]" for r in range(size) for c in range(size)]
        kept = places if draw.random() < 0.7 else draw.sample(places, len(places) - 1)
        rows = [f"t1 = {value()};", f"t2 = t1 * {value()};"]
        return " ".join([*rows, *(f"{p} = t2 + {value()} * 0.1;" for p in kept)])

    def flux() -> str:
        return " ".join(f"f{at(0)}[{r}] = {value()} - {value()};" for r in range(size))

    def kernel() -> str:
        return draw.choice(
            [f"subtract(a{near()}, x{near()}, x{at(0)});", f"divide(a{at(0)}, x{at(0)});",
             f"subtract(a{at(0)}, s{near()}, f{at(0)});"]
        )  # fmt: skip

    def update() -> str:
        return f"for (r = 0; r < {size}; r++) x{at(0)}[r] -= a{at(0)}[r][0] * x{near()}[1];"

    return draw.choice([fill, fill, flux, kernel, kernel, update])()
