"""Inputs that are files: each kind of expectation fails where s2s does something else."""

from pathlib import Path

import pytest

from tests import inputs

_HEAD = "// s2s: --passes=permute --force -- -O2\n"
_LOOPS = """void f(int n, int m, double a[n][m], double b[n][m])
{
    for (int j = 0; j < m; j++)@HERE@
        for (int i = 1; i < n; i++)
            a[i][j] = a[i - 1][j] * 0.5 + b[i][j];
}
"""
_MAIN = """#include <stdio.h>
static double a[9][9], b[9][9];
int main(void)
{
    for (int i = 0; i < 81; i++) a[i / 9][i % 9] = b[i / 9][i % 9] = i % 7 / 3.0;
    f(9, 9, a, b);
    for (int i = 0; i < 81; i++) printf("%a\\n", a[i / 9][i % 9]);
}
"""


def _file(folder: Path, head: str = "", here: str = "") -> Path:
    path = folder / "file.c"
    path.write_text(f"{_HEAD}{head}{_LOOPS.replace('@HERE@', here)}{_MAIN}")
    return path


def _checked(path: Path, *, renew: bool = False) -> None:
    work = path.parent / f"work{len(list(path.parent.iterdir()))}"
    work.mkdir()
    inputs.check(path, work, renew=renew)


@pytest.mark.parametrize(
    ("head", "here"),
    [
        ("", " // remark: permuted loops to (i, j)"),
        ("", " // remark: permuted loops // remark: [permute]"),
        ("// remark@*: permuted loops\n", ""),
        ("// all: permute\n", " // remark: permuted loops"),
        ("// text: GCC ivdep\n// no text: omp task\n// text x1: GCC ivdep\n", ""),
        ("// not said: unrolled\n// run\n", ""),
    ],
)
def test_what_is_true_may_be_expected(tmp_path: Path, head: str, here: str) -> None:
    path = _file(tmp_path, head, here)
    with pytest.raises(inputs.WrongError, match="renew-tests"):
        _checked(path)
    _checked(path, renew=True)
    expected = tmp_path / "file.expected.c"
    assert "simd" in expected.read_text()
    assert "// " not in expected.read_text()
    _checked(path)
    expected.write_text(expected.read_text().replace("0.5", "0.25"))
    with pytest.raises(inputs.WrongError, match=r"\+.*0\.5"):
        _checked(path)


@pytest.mark.parametrize(
    ("head", "here", "why"),
    [
        ("// stays\n", "", "does not stay"),
        ("", " // missed: permuted loops", "not said: line 4"),
        ("", "\n// remark: permuted loops", "not said: line 6"),
        ("// remark@*: unrolled\n", "", "not said"),
        ("// not said: permuted\n", "", "said: line 5"),
        ("// all: permute\n", "", "not expected: line 5"),
        ("// text: omp task\n", "", "0 times"),
        ("// no text: GCC ivdep\n", "", "1 times"),
        ("// text x2: GCC ivdep\n", "", "1 times"),
        ("// error@*: anything\n", "", "status 0"),
        ("", " // remark:", "without words"),
    ],
)
def test_what_is_wrong_fails(tmp_path: Path, head: str, here: str, why: str) -> None:
    with pytest.raises(inputs.WrongError, match=why):
        _checked(_file(tmp_path, head, here), renew=True)


def test_programs_that_print_something_else_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _file(tmp_path, "// run\n")
    _checked(path, renew=True)
    run = inputs.printed
    monkeypatch.setattr(
        inputs, "printed", lambda binary, n: run(binary, n) + str("new" in binary.name)
    )
    with pytest.raises(inputs.WrongError, match="in place of"):
        _checked(path)


def test_a_file_that_stays_has_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file.c"
    path.write_text("// s2s:\n// stays\nvoid f(void) {}\n")
    _checked(path)
    (tmp_path / "file.expected.c").write_text("")
    with pytest.raises(inputs.WrongError, match="stays as it is"):
        _checked(path)
    path.write_text("// s2s:\nvoid f(void) {}\n")
    with pytest.raises(inputs.WrongError, match="stays as it is"):
        _checked(path, renew=True)


def test_explanations_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "file.c"
    path.write_text("// s2s: explain\n" + _LOOPS.replace("@HERE@", ""))
    _checked(path, renew=True)
    expected = tmp_path / "file.expected.txt"
    assert expected.read_text().startswith("file.c:")
    _checked(path)
    expected.write_text(expected.read_text() + "more\n")
    with pytest.raises(inputs.WrongError, match="-more"):
        _checked(path)
