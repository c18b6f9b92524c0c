"""The cycles of a loop, as ``s2s explain`` prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.cli.explanation import blocks
from s2s.driver.options import Options
from s2s.driver.transform import transform_file

RUNNING_EXAMPLE = Path(__file__).with_name("explain_cycles.c").read_text()

TEXT = """\
f.c:3-8: loop over 'i' in function 'f'
  statements:
    S1 at 4:9: a[i + 5] = c[i - 3] + b[2 * i + 2];
    S2 at 5:9: b[2 * i] = a[i - 1] + 1;
    S3 at 6:9: a[i] = c[i + 5] - 1;
    S4 at 7:9: c[i] = b[2 * i - 4];
  dependences:
    S1 -> S2: anti, distance 1, b[2 * i + 2] -> b[2 * i]
    S1 -> S3: output, distance 5, a[i + 5] -> a[i]
    S2 -> S4: flow, distance 2, b[2 * i] -> b[2 * i - 4]
    S3 -> S2: flow, distance 1, a[i] -> a[i - 1]
    S3 -> S4: anti, distance 5, c[i + 5] -> c[i]
    S4 -> S1: flow, distance 3, c[i] -> c[i - 3]
  elementary cycles (3):
    c1: S1 -> S2 -> S4 -> S1
    c2: S1 -> S3 -> S2 -> S4 -> S1
    c3: S1 -> S3 -> S4 -> S1
  renamings, and the cycles that they break:
    t1 = SoVR(S1, b[2 * i + 2])  c1
    t2 = SiVR(S2, b[2 * i])      c1
    t3 = SiVR(S3, a[i])          c2, c3
    t4 = SoVR(S3, c[i + 5])      c3
    t5 = SiVR(S4, c[i])          c3
  integer program, all variables 0 or 1:
    minimize 2 (t1 + t4) + 150 (t2 + t3 + t5)
    t1 + t2 >= 1  (c1)
    t3 >= 1  (c2)
    t3 + t4 + t5 >= 1  (c3)
  solution, of weight 152: SoVR(S1, b[2 * i + 2]), SiVR(S3, a[i])
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def explained(text: str, line: int) -> str:
    """The part about the loop around a line."""
    Path("f.c").write_text(text)
    outcome = transform_file("f.c", (), Options(explain=True, strict=True))
    parts = [b.text for b in blocks(outcome.explanation) if line in b.lines]
    return next(p for p in parts if ": loop over" in p.partition("\n")[0]).rstrip("\n") + "\n"


def body(*statements: str, declarations: str = "") -> str:
    inner = "\n".join(f"        {s}" for s in statements)
    return f"""\
void f(int n, float *restrict a, float *restrict b, float s, float *p, float *q)
{{
    {declarations}
    for (int i = 4; i < n; i++) {{
{inner}
    }}
}}
"""


def test_the_running_example() -> None:
    assert explained(RUNNING_EXAMPLE, 6) == TEXT


def test_without_cycles_nothing_has_to_be_renamed() -> None:
    said = explained(body("a[i] = b[i];", "b[i] = 1;"), 5)
    assert "S1 -> S2: anti, loop-independent, b[i] -> b[i]" in said
    assert said.endswith("  elementary cycles: none; no renaming is needed\n")


def test_pure_cycles_are_left_alone() -> None:
    flow = explained(body("a[i] = b[i - 1];", "b[i] = a[i];"), 5)
    assert "left alone: S1, S2: a pure flow cycle: S1 -> S2 -> S1\n" in flow
    assert "integer program" not in flow
    output = explained(body("a[2 * i + 1] = 1;", "a[2 * i - 1] = 2;", "a[1] = 3;"), 5)
    assert "integer program" not in output
    scalar = explained(body("b[0] = i;", "b[0] = 2 * i;"), 5)
    assert "left alone: S1, S2: a pure output cycle: S1 -> S2 -> S1\n" in scalar


def test_a_recurrence_leaves_its_component_alone() -> None:
    why = "a pure flow cycle: S1 reads what it has set in 'a'"
    said = explained(body("a[i] = a[i - 1] + b[i + 1];", "b[i] = a[i + 1];"), 5)
    assert f"left alone: S1, S2: {why}" in said
    alone = explained(body("a[i] = a[i - 1] + s;", "b[i] = a[i];"), 5)
    assert f"  elementary cycles: none\n  left alone: S1: {why}" in alone


def test_several_ways_round_a_cycle_are_told_apart() -> None:
    said = explained(body("a[i] = b[i];", "b[i] = a[i] * a[i + 1] + a[i + 2];"), 5)
    assert "t2 = SoVR(S2, a[i + 1])  only together with others" in said
    assert "  solution, of weight 4: SoVR(S2, a[i + 1]), SoVR(S2, a[i + 2])\n" in said


def test_control_dependences_and_scalars() -> None:
    said = explained(
        body("t = a[i];", "if (b[i] > s) {", "a[i - 1] = t;", "b[i + 1] = t * t;", "}",
             declarations="float t;"), 5,
    )  # fmt: skip
    assert "S1 -> S3: flow, loop-independent, t -> t" in said
    assert "S2 at 6:13: b[i] > s\n" in said
    assert "S2 -> S3: control, loop-independent\n" in said
    assert "S2 -> S4: control, loop-independent\n" in said
    assert "S4 -> S2: flow, distance 1, b[i + 1] -> b[i]\n" in said
    why = "a cycle of flow and control dependences: S2 -> S4 -> S2"
    assert f"left alone: S1, S2, S3, S4: {why}" in said


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("if (a[i] > s) break;", "left early"),
        ("if (a[i] > s) return;", "left by return"),
        ("n = n - 1;", "not understood"),
    ],
)
def test_why_a_loop_is_not_understood(statement: str, reason: str) -> None:
    Path("f.c").write_text(body("a[i] = b[i];", statement))
    outcome = transform_file("f.c", (), Options(explain=True, strict=True))
    (part,) = (b.text for b in blocks(outcome.explanation) if "not understood" in b.text)
    assert part.startswith("f.c:4-7: loop in function 'f'\n  not understood: ")
    assert reason in part


def test_what_may_overlap_is_said() -> None:
    said = explained(body("p[i] = q[i + 1];", "q[i] = p[i];"), 5)
    assert "taken for disjoint: p and q" in said
