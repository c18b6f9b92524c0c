"""Barriers at the end of constructs, and tasks that only order others; ``races`` has the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import Diagnostic

_PROGRAMS = Path(__file__).parent / "races"


def _text(body: str) -> str:
    return f"int a[100], b[100], c[100][100];\nvoid f(int n)\n{{\n{body}\n}}\n"


def _races(text: str, directory: Path) -> list[Diagnostic]:
    source = directory / "races.c"
    source.write_text(text)
    outcome = transform_file(str(source), ["-fopenmp"], Options(explain=True))
    assert outcome.explanation
    return [d for d in outcome.diagnostics if d.id == "race"]


@pytest.mark.parametrize("kind", ["single", "for", "parallel"])
def test_a_construct_without_nowait_ends_with_a_barrier(kind: str, tmp_path: Path) -> None:
    """What follows a construct in the same region waits for all of it."""
    first = {
        "single": "#pragma omp single\n",
        "for": "#pragma omp for schedule(dynamic)\n",
        "parallel": "",
    }[kind]
    loops = (
        f"{first}for (int i = 0; i < n; i++)\n a[i] = i;\n"
        "#pragma omp for\nfor (int i = 0; i < n; i++)\n b[i] = a[n - 1 - i];\n"
    )
    if kind == "parallel":
        loops = loops.replace("#pragma omp for", "#pragma omp parallel for")
        assert not _races(_text(f"for (int t = 0; t < n; t++) {{\n{loops}}}"), tmp_path)
    else:
        assert not _races(_text(f"#pragma omp parallel\n{{\n{loops}}}"), tmp_path)


def test_a_task_without_work_passes_on_the_order_of_others(tmp_path: Path) -> None:
    """Neighbouring ``in`` tasks are ordered by the ``inout`` task between them, which is empty."""
    body = (_PROGRAMS / "empty_task.c").read_text()
    assert not _races(_text(body), tmp_path)
    assert _races(_text(body.replace("inout", "in")), tmp_path)


def test_one_cause_is_told_a_few_times(tmp_path: Path) -> None:
    """A shared scalar of six statements races in 20 pairs: few are told, and how many there are."""
    loop = "\n".join(f"c[{line}][i] = t * {line};" for line in range(6))
    text = f"#pragma omp parallel for\nfor (int i = 0; i < n; i++) {{\nt = a[i];\n{loop}\n}}"
    found = _races("static int t;\n" + _text(text), tmp_path)
    assert len(found) == 3
    assert [len(warning.notes) for warning in found] == [1, 1, 2]
    assert found[-1].notes[-1].text == "4 other pairs of statements race on 't' here"
