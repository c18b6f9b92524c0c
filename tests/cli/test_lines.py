"""``#line`` directives: every kept line gets its number, and none breaks the text."""

from __future__ import annotations

import subprocess

import pytest

from s2s.cli.lines import with_line_directives


def numbered(text: bytes, marker: str = "here") -> list[str]:
    """File and line that a compiler gives each line of a text that holds ``marker``."""
    done = subprocess.run(
        ["gcc", "-E", "-w", "-x", "c", "-"], input=text, capture_output=True, check=True
    )
    found, file, line = [], "", 0
    for row in done.stdout.decode().splitlines():
        if row.startswith("# "):
            line, file = int(row.split()[1]) - 1, row.split('"')[1]
        else:
            line += 1
            if marker in row:
                found.append(f"{file}:{line}")
    return found


def annotated(original: str, text: str, name: str = "a.c") -> bytes:
    result = with_line_directives(original.encode(), text.encode(), name)
    assert result is not None
    return result


def test_lines_after_a_longer_region_keep_their_numbers() -> None:
    result = annotated("one;\nold;\nhere;\n", "one;\nnew;\nnew;\nnew;\nhere;\n")
    assert numbered(result) == ["a.c:3"]


def test_lines_after_a_shorter_region_keep_their_numbers() -> None:
    result = annotated("old;\nold;\nold;\nhere;\nhere;\n", "new;\nhere;\nhere;\n")
    assert numbered(result) == ["a.c:4", "a.c:5"]


def test_unchanged_text_gets_only_the_first_directive() -> None:
    assert annotated("a;\nb;\n", "a;\nb;\n") == b'#line 1 "a.c"\na;\nb;\n'


def test_missing_last_newline_stays_missing() -> None:
    assert annotated("a;\nb;", "new;\nc;\nb;").endswith(b"\nb;")


def test_name_is_written_as_a_string_literal() -> None:
    result = annotated("a;\n", "a;\n", 'odd "\\ name.c')
    assert result.startswith(b'#line 1 "odd \\"\\\\ name.c"\n')


@pytest.mark.parametrize(
    "kept",
    [
        "/* a\ncomment\n*/ here;\n",
        "// goes \\\non\nhere;\n",
        "#define M(x) \\\n  x\nhere;\n",
        "F(a,\n  b);\nhere;\n",
        'const char *s = "a\\\nb"; \nhere;\n',
        'R"x(\nraw " )\n)x"; \nhere;\n',
        "#error don't /* open\n*/\nhere;\n",
        "'\"'; '(';\nhere;\n",
    ],
)
def test_no_directive_inside_of_a_token_or_an_argument_list(kept: str) -> None:
    """The hunk ends right before the kept text, and all that is kept stays in one piece."""
    text = kept.replace("#error", "#pragma")
    result = annotated("old;\n" + text, "new;\nnew;\n" + text).decode()
    head, _, rest = result.partition("new;\nnew;\n")
    assert head == '#line 1 "a.c"\n'
    assert rest == '#line 2 "a.c"\n' + text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/* old\n", "/* new\nnew\n"),
        ("F(old,\n", "F(new,\nnew,\n"),
        ("#define M old \\\n", "#define M new \\\n new \\\n"),
    ],
)
def test_a_directive_waits_for_the_end_of_what_the_region_began(before: str, after: str) -> None:
    tail = "x */ ;\n" if before.startswith("/*") else "x);\n" if before.startswith("F") else "x\n"
    result = annotated(before + tail + "here;\n", after + tail + "here;\n")
    assert after.encode() + tail.encode() in result
    assert numbered(result) == ["a.c:3"]


def test_a_branch_that_is_not_compiled_does_not_swallow_the_numbering() -> None:
    original = "#if 0\nold;\nkept;\n#endif\nhere;\n"
    text = "#if 0\nnew;\nnew;\nkept;\n#endif\nhere;\n"
    assert numbered(annotated(original, text)) == ["a.c:5"]


def test_a_branch_after_one_that_is_not_compiled_has_its_numbers() -> None:
    original = "#if 0\nold;\nkept;\n#else\nhere;\n#endif\nhere;\n"
    text = "#if 0\nnew;\nnew;\nkept;\n#else\nhere;\n#endif\nhere;\n"
    assert numbered(annotated(original, text)) == ["a.c:5", "a.c:7"]


def test_branches_with_one_parenthesis_each_count_it_once() -> None:
    branches = "#if A\nf(1,\n#else\nf(2,\n#endif\n3);\n"
    result = annotated(f"{branches}old;\nhere;\n", f"{branches}new;\nnew;\nhere;\n")
    assert numbered(result) == ["a.c:8"]


def test_directives_of_the_original_are_respected() -> None:
    original = 'a;\n#line 100 "grammar.y"\nold;\nhere;\n'
    text = 'a;\n#line 100 "grammar.y"\nnew;\nnew;\nhere;\n'
    assert numbered(annotated(original, text)) == ["grammar.y:101"]


@pytest.mark.parametrize(
    "original",
    ["#if A\n#line 7\n#endif\nold;\n", "#line COMPUTED\nold;\n"],
)
def test_numbering_that_cannot_be_known_is_not_guessed(original: str) -> None:
    changed = original.replace("old", "new")
    assert with_line_directives(original.encode(), changed.encode(), "a.c") is None


def test_windows_line_endings_and_byte_order_mark_are_kept() -> None:
    original = b"\xef\xbb\xbfold;\r\nhere;\r\n"
    text = b"\xef\xbb\xbfnew;\r\nnew;\r\nhere;\r\n"
    assert with_line_directives(original, text, "a.c") == (
        b'\xef\xbb\xbf#line 1 "a.c"\r\nnew;\r\nnew;\r\n#line 2 "a.c"\r\nhere;\r\n'
    )
