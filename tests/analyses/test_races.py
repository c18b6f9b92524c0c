"""Each construct orders what OpenMP says it orders; its racy twin is reported with both places.

``/*a*/`` and ``/*b*/`` mark the lines that the report has to name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import Diagnostic, Severity

# name: the program with its races, and (old, new) that makes it clean
TWINS = {
    "parallel for": (
        """
#pragma omp parallel for
        for (int i = 1; i < n; i++) {
            a[i] = a[i - 1] + 1; /*a*/ /*b*/
        }
        """,
        ("a[i - 1]", "b[i - 1]"),
    ),
    "collapse": (
        """
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                c[i][j] = c[i][j - 1] + 1; /*a*/ /*b*/
        """,
        ("collapse(2)", ""),
    ),
    "nowait": (
        """
#pragma omp parallel
        {
#pragma omp for nowait schedule(dynamic)
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/
#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[n - 1 - i]; /*b*/
        }
        """,
        (" nowait", ""),
    ),
    "task depend": (
        """
#pragma omp parallel
#pragma omp single
        for (int i = 1; i < n; i++) {
#pragma omp task depend(out: a[i])
            a[i] = a[i - 1] + 1; /*a*/ /*b*/
        }
        """,
        ("depend(out: a[i])", "depend(out: a[i]) depend(in: a[i - 1])"),
    ),
    "task with hints": (
        """
#pragma omp parallel
#pragma omp single
        for (int i = 1; i < n; i++) {
#pragma omp task depend(out: a[i]) affinity(a[i]) priority(n - i) untied
            a[i] = a[i - 1] + 1; /*a*/ /*b*/
        }
        """,
        ("depend(out: a[i])", "depend(out: a[i]), depend(in: a[i - 1])"),
    ),
    "worksharing with hints": (
        """
#pragma omp parallel for order(concurrent) allocate(n)
        for (int i = 1; i < n; i++) {
            a[i] = a[i - 1] + 1; /*a*/ /*b*/
        }
        """,
        ("a[i - 1]", "b[i - 1]"),
    ),
    "master and task": (
        """
#pragma omp parallel
#pragma omp master
        for (int i = 1; i < n; i++) {
#pragma omp task depend(in: a[i - 1])
            a[i] = a[i - 1] + 1; /*a*/ /*b*/
        }
        """,
        ("depend(in: a[i - 1])", "depend(in: a[i - 1]) depend(out: a[i])"),
    ),
    "taskwait": (
        """
#pragma omp parallel
#pragma omp single
        {
            for (int i = 0; i < n; i++) {
#pragma omp task
                a[i] = i; /*a*/
            }
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        ("            for (int i = 0; i < n; i++)\n                b", "#pragma omp taskwait\n"
         "            for (int i = 0; i < n; i++)\n                b"),
    ),
    "barrier": (
        """
#pragma omp parallel
        {
#pragma omp for nowait schedule(dynamic)
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/

#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[n - 1 - i]; /*b*/
        }
        """,
        ("/*a*/\n", "/*a*/\n#pragma omp barrier"),
    ),
    "critical": (
        """
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            a[0] += i; /*a*/ /*b*/
        }
        """,
        ("            a[0]", "#pragma omp critical\n            a[0]"),
    ),
    "atomic": (
        """
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            a[0] += i; /*a*/ /*b*/
        }
        """,
        ("            a[0]", "#pragma omp atomic\n            a[0]"),
    ),
    "two locks": (
        """
#pragma omp parallel for
        for (int i = 1; i < n; i++) {
#pragma omp critical (one)
            a[0] += i; /*a*/
#pragma omp critical (two)
            a[0] += b[i]; /*b*/
        }
        """,
        ("(two)", "(one)"),
    ),
    "sections": (
        """
#pragma omp parallel sections
        {
#pragma omp section
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/
#pragma omp section
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        ("#pragma omp section\n            for (int i = 0; i < n; i++)\n                b",
         "            for (int i = 0; i < n; i++)\n                b"),
    ),
    "sections nowait": (
        """
#pragma omp parallel
        {
#pragma omp sections nowait
            {
                for (int i = 0; i < n; i++)
                    a[i] = i; /*a*/
#pragma omp section
                for (int i = 0; i < n; i++)
                    c[0][i] = i;
            }
#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        (" nowait", ""),
    ),
    "single nowait": (
        """
#pragma omp parallel
        {
#pragma omp single nowait
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/
#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        (" nowait", ""),
    ),
    "master has no barrier": (
        """
#pragma omp parallel
        {
#pragma omp master
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/

#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        ("/*a*/\n", "/*a*/\n#pragma omp barrier"),
    ),
    "static shares": (
        """
#pragma omp parallel
        {
#pragma omp for nowait schedule(static)
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/
#pragma omp for schedule(static)
            for (int i = 1; i < n + 1; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        ("b[i] = a[i]", "b[i] = a[i - 1]"),
    ),
    "taskloop": (
        """
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(4)
        for (int i = 1; i < n; i++)
            a[i] = a[i - 1] + 1; /*a*/ /*b*/
        """,
        ("a[i - 1]", "b[i - 1]"),
    ),
    "taskloop collapse": (
        """
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) grainsize(2)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                c[i][j] = c[i][j - 1] + 1; /*a*/ /*b*/
        """,
        ("collapse(2)", ""),
    ),
    "taskloop nogroup": (
        """
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskloop nogroup
            for (int i = 0; i < n; i++)
                a[i] = i; /*a*/
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        (" nogroup", ""),
    ),
    "taskgroup": (
        """
#pragma omp parallel
#pragma omp single
        {
            {
                for (int i = 0; i < n; i++) {
#pragma omp task
                    {
#pragma omp task
                        a[i] = i; /*a*/
                    }
                }
            }
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        ("            {\n                for",
         "#pragma omp taskgroup\n            {\n                for"),
    ),
    "taskwait waits for children only": (
        """
#pragma omp parallel
#pragma omp single
        {
            for (int i = 0; i < n; i++) {
#pragma omp task
                {
#pragma omp task
                    a[i] = i; /*a*/

                }
            }
#pragma omp taskwait
            for (int i = 0; i < n; i++)
                b[i] = a[i]; /*b*/
        }
        """,
        ("/*a*/\n", "/*a*/\n#pragma omp taskwait"),
    ),
    "taskwait inside a task waits for its own children": (
        """
#pragma omp parallel
#pragma omp single
        {
#pragma omp task
            a[0] = 1; /*a*/
#pragma omp task
            {
#pragma omp taskwait
                b[0] = a[0]; /*b*/
            }
        }
        """,
        ("#pragma omp task\n            {\n#pragma omp taskwait\n",
         "#pragma omp taskwait\n#pragma omp task\n            {\n"),
    ),
    "depend is between siblings only": (
        """
#pragma omp parallel
#pragma omp single
        {
#pragma omp task
            {
#pragma omp task depend(out: a[0])
                a[0] = 1; /*a*/

            }
#pragma omp task depend(in: a[0])
            b[0] = a[0]; /*b*/
        }
        """,
        ("#pragma omp task\n            {\n", "            {\n"),
    ),
    "undeferred": (
        """
#pragma omp parallel
#pragma omp single
        {
#pragma omp task if(1)
            a[0] = 1; /*a*/
            b[0] = a[0]; /*b*/
        }
        """,
        ("if(1)", "if(0)"),
    ),
    "taskwait depend": (
        """
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out: a[0])
            a[0] = 1; /*a*/
#pragma omp taskwait depend(in: a[1])
            b[0] = a[0]; /*b*/
        }
        """,
        ("in: a[1]", "in: a[0]"),
    ),
    "taskwait of another thread": (
        """
#pragma omp parallel
        {
#pragma omp single nowait
            {
#pragma omp task
                a[0] = 1; /*a*/
            }
#pragma omp single
            {
#pragma omp taskwait
                b[0] = a[0]; /*b*/
            }
        }
        """,
        (" nowait", ""),
    ),
    "ordered": (
        """
#pragma omp parallel for ordered
        for (int i = 1; i < n; i++) {
            {
                a[i] = a[i - 1] + 1; /*a*/ /*b*/
            }
        }
        """,
        ("            {\n                a",
         "#pragma omp ordered\n            {\n                a"),
    ),
    "before and behind an ordered region": (
        """
#pragma omp parallel for ordered
        for (int i = 1; i < n; i++) {
            b[i] = i; /*a*/
#pragma omp ordered
            a[i] = a[i - 1] + b[i];
            c[0][i] = b[i + 1]; /*b*/
        }
        """,
        ("b[i + 1]", "b[i - 1]"),
    ),
    "doacross": (
        """
#pragma omp parallel for ordered(2)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink: i, j - 1)
                c[i][j] = c[i - 1][j] + c[i][j - 1]; /*a*/ /*b*/
#pragma omp ordered depend(source)
            }
        """,
        ("sink: i, j - 1", "sink: i - 1, j"),
    ),
    "every thread writes": (
        """
#pragma omp parallel
        {
            a[0] = n; /*a*/ /*b*/
        }
        """,
        ("#pragma omp parallel\n        {\n",
         "#pragma omp parallel\n#pragma omp master\n        {\n"),
    ),
    "every thread reads what one writes": (
        """
#pragma omp parallel
        {
#pragma omp single nowait
            a[0] = n; /*a*/
#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[0]; /*b*/
        }
        """,
        (" nowait", ""),
    ),
}  # fmt: skip


def _text(body: str) -> str:
    return f"int a[100], b[100], c[100][100];\nvoid f(int n)\n{{\n{body}\n}}\n"


def _races(text: str, directory: Path) -> list[Diagnostic]:
    source = directory / "races.c"
    source.write_text(text)
    outcome = transform_file(str(source), ["-fopenmp"], Options(explain=True))
    assert outcome.explanation
    return [d for d in outcome.diagnostics if d.id == "race"]


def _line_of(text: str, mark: str) -> int:
    """The line of a mark, or of the critical construct that holds its statement."""
    before = text[: text.index(mark)].split("\n")
    return len(before) - ("#pragma omp critical" in before[-2])


@pytest.mark.parametrize("name", TWINS)
def test_the_racy_twin_is_reported_with_both_places(name: str, tmp_path: Path) -> None:
    text = _text(TWINS[name][0])
    found = {
        frozenset((d.location.line, note.location.line))
        for d in _races(text, tmp_path)
        for note in d.notes
        if d.severity is Severity.WARNING and d.location and note.location
    }
    assert frozenset((_line_of(text, "/*a*/"), _line_of(text, "/*b*/"))) in found


@pytest.mark.parametrize("name", TWINS)
def test_the_clean_twin_is_not_reported(name: str, tmp_path: Path) -> None:
    body, (old, new) = TWINS[name]
    assert old in body
    assert not _races(_text(body.replace(old, new)), tmp_path)


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
    body = """
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < n; i++) {
#pragma omp task depend(in: b[0])
            a[0] = a[0] * 3 + i;
#pragma omp task depend(inout: b[0])
            {
                if (i > 90)
                    b[i] = 1;
            }
        }
    """
    assert not _races(_text(body), tmp_path)
    assert _races(_text(body.replace("inout", "in")), tmp_path)
