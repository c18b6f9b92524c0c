"""What a parse of edited text leaves out, and what it must not."""

from pathlib import Path

import pytest

from s2s.frontends.c import clang
from s2s.frontends.c.bodies import declare_only, move_bodies
from s2s.frontends.c.effects import ANYTHING
from s2s.frontends.c.parse import parse_as_compiled, parse_edited
from s2s.frontends.c.regions import call_effects, function_at
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span, apply_edits

SOURCE = Path(__file__).with_name("bodies.c").read_bytes()
TEXT = b"a[i] = TWICE(a[i]);"


def parsed(tmp_path: Path, source: bytes = SOURCE) -> Unit:
    path = tmp_path / "x.c"
    path.write_bytes(source)
    return parse_as_compiled(SourceBuffer(str(path), source), ("-O2",))


def edited(unit: Unit, old: bytes, new: bytes, *, calls: bool) -> Unit:
    start = unit.buffer.data.index(old)
    edit = Edit(start, start + len(old), new)
    data = apply_edits(unit.buffer.data, [edit])
    return parse_edited(unit, [edit], SourceBuffer(unit.buffer.path, data), calls=calls)


def defined(unit: Unit) -> list[str]:
    assert not unit.errors
    return [clang.spelling(cursor) for cursor in unit.functions()]


def test_without_calls_only_what_is_edited_has_a_body(tmp_path: Path) -> None:
    again = edited(parsed(tmp_path), TEXT, b"a[i] = twice(a[i]) + 1;", calls=False)
    assert defined(again) == ["named", "with_macro", "sweep"]  # a macro from there is used later


def test_what_may_be_called_is_there(tmp_path: Path) -> None:
    again = edited(parsed(tmp_path), TEXT, b"a[i] = 3;", calls=True)
    # 'TWICE' could stand anywhere, and what it calls is called then.
    assert defined(again) == ["deep", "twice", "named", "with_macro", "sweep"]
    once_more = edited(again, b"a[i] = 3;", b"a[i] = other(4);", calls=True)
    assert defined(once_more) == ["deep", "twice", "other", "named", "with_macro", "sweep"]


@pytest.mark.parametrize("head", ["double f(double x)", "double f(x) double x;"])
def test_what_is_called_behind_conditional_text_is_there(tmp_path: Path, head: str) -> None:
    between = f"{head} {{\n#ifdef UNSET\n#endif\n  return deep(x); }}\nvoid sweep"
    unit = parsed(tmp_path, SOURCE.replace(b"void sweep", between.encode()))
    again = edited(unit, TEXT, b"a[i] = f(3);", calls=True)
    assert {"f", "deep"} <= set(defined(again)) and "other" not in defined(again)
    assert defined(edited(again, b"return deep(x)", b"return other(x)", calls=True)).count("other")


def test_places_stay_where_they_are(tmp_path: Path) -> None:
    again = edited(parsed(tmp_path), TEXT, b"{\n\n a[i] = 1; }", calls=False)
    offset = again.buffer.data.index(b"a[i] = 1")
    function = function_at(again, offset, ())
    assert function is not None and function.node.name == "sweep"
    assert again.buffer.data[function.node.span.end - 1 : function.node.span.end] == b"}"
    stored = next(n for n in function.body.walk() if n.assigns and n.op == "=")
    assert again.buffer.text(stored.span) == "a[i] = 1"


def test_what_is_left_out_may_do_anything(tmp_path: Path) -> None:
    unit = parsed(tmp_path)
    for calls, known in ((True, True), (False, False)):
        again = edited(unit, TEXT, b"a[i] = other(a[i]);", calls=calls)
        function = function_at(again, again.buffer.data.index(b"a[i] ="), ())
        assert function is not None
        call = next(n for n in function.body.walk() if n.kind == "CALL_EXPR")
        assert (call_effects(again).of(call) != ANYTHING) == known


@pytest.mark.parametrize("name", ["sqrt", "memcpy"])
def test_own_functions_with_names_of_the_library_stay(tmp_path: Path, name: str) -> None:
    own = b"static int f(int n) { return n; }\nvoid *%s(int *p) { *p = 1; return p; }\n"
    source = own % name.encode() + b"void g(int *p) { p[0] = 2; }\n"
    again = edited(parsed(tmp_path, source), b"p[0] = 2", b"p[0] = 3", calls=False)
    assert defined(again) == [name, "g"]


def test_text_that_does_not_parse_without_bodies_is_parsed_whole(tmp_path: Path) -> None:
    source = b"int f(int n) { enum { SIZE = 3 }; return n; } int g(void) { return 1; }\n"
    unit = parsed(tmp_path, source + b'_Static_assert(sizeof(f) == 1 || 1, "");\n')
    again = edited(unit, b"return 1", b"return wrong", calls=False)
    assert again.errors and len(again.functions()) == 2


def test_bodies_that_an_edit_goes_through_are_not_left_out(tmp_path: Path) -> None:
    unit = parsed(tmp_path)
    start = unit.buffer.data.index(b"double x) { return 2")
    moved = move_bodies(unit.bodies, [Edit(start, start + 15, b"")])
    assert "twice" not in {body.name for body in (*moved.apart, *moved.edited)}


def test_lines_and_lengths_stay() -> None:
    text = b"int f(void)\r\n{\n  return 1;\n}\nint g;"
    from s2s.frontends.c.bodies import Body

    start, end = text.index(b"{"), text.index(b"}") + 1
    assert declare_only(text, [Body("f", Span(start, end))]) == (
        b"int f(void)\r\n;\n           \n \nint g;"
    )
