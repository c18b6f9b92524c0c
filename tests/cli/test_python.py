"""``import s2s``: the functions of the commands, with data in place of text."""

import ast
import html.parser
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import s2s
from tests.places import ROOT

HEAT = Path(__file__).with_name("python.c").read_text()


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> s2s.Result:
    path = tmp_path_factory.mktemp("python") / "heat.c"
    path.write_text(HEAT)
    return s2s.transform(path, flags=["-O2"])


def test_importing_is_cheap() -> None:
    code = "import s2s, sys; print(*sorted(m for m in sys.modules if m.split('.')[0] in %r))"
    names = ("islpy", "numpy", "clang", "rich", "argparse", "dataclasses", "typing")
    done = subprocess.run(
        [sys.executable, "-c", code % (names,)],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.split() == []


def test_all_that_is_named_is_there() -> None:
    assert all(getattr(s2s, name) is not None for name in s2s.__all__)
    assert set(s2s.__all__) <= set(dir(s2s))
    (stub,) = (
        node.value for node in ast.walk(ast.parse((ROOT / "s2s" / "__init__.pyi").read_text()))
        if isinstance(node, ast.Assign)
    )  # fmt: skip
    assert ast.literal_eval(stub) == s2s.__all__
    with pytest.raises(AttributeError, match="no attribute 'transfrom'"):
        s2s.transfrom  # type: ignore[attr-defined]  # noqa: B018


def test_the_text_is_what_the_command_prints(result: s2s.Result) -> None:
    command = [sys.executable, "-m", "s2s", "transform", result.path, "--", "-O2"]
    done = subprocess.run(command, capture_output=True, check=True, env={"PYTHONPATH": str(ROOT)})
    assert result.data == done.stdout
    assert result.changed and result.original.decode() == HEAT


def test_edits_lead_from_one_text_to_the_other(result: s2s.Result) -> None:
    data = result.original
    for edit in reversed(result.edits):
        data = data[: edit.start] + edit.text + data[edit.end :]
    assert data == result.data


def test_regions_say_what_was_found_and_done(result: s2s.Result) -> None:
    region = result.region("heat")
    assert (region.id, region.status, region.pass_name) == ("heat/t", "changed", "popp")
    assert result.region(7) is region
    assert [loop.id for loop in region.loops] == [
        "heat/t", "heat/t/i", "heat/t/i/j", "heat/t/i#2", "heat/t/i#2/j",
    ]  # fmt: skip
    assert region.loop(f"{result.path}:9").id == "heat/t/i#2"
    assert [s.at.line for s in region.statements] == [8, 11]
    assert region.steps[0].startswith("fused")
    assert region.guard and region.guard in result.text


def test_dependences_are_relations_and_pairs_of_lines(result: s2s.Result) -> None:
    region = result.region("heat")
    found = {(d.lines, d.kind): d for d in region.dependences}
    flow = found[(8, 11), "flow"]
    assert (flow.arrays, flow.carrier) == (("b",), "heat/t")
    assert found[(11, 8), "flow"].direction == ("<",)
    again = found[(8, 8), "output"]
    assert again.direction == ("<", "=", "=") and again.distance == (None, 0, 0)
    same = type(flow.relation)(
        "[steps] -> { S1[t, i, j] -> S2[t, i, j] : 0 <= t < steps and 0 < i, j <= 398 }"
    )
    assert same.is_subset(flow.relation) and not flow.relation.is_subset(same)
    assert not region.dependence_relation.is_empty()


def test_orders_are_data(result: s2s.Result) -> None:
    region = result.region("heat")
    assert region.before is not None and region.after is not None
    assert region.before.tree_text.count("schedule:") == 5
    assert "sequence:" in region.before.tree_text
    assert region.after.tree.get_domain().is_equal(region.before.tree.get_domain())
    assert set(region.after.maps) == {"S1", "S2"}
    assert [d.role for d in region.after.dimensions][:2] == ["tile", "tile"]


def test_results_can_be_kept(result: s2s.Result) -> None:
    assert pickle.loads(pickle.dumps(result)) == result


def test_a_text_stands_in_for_its_file(tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 400\n")
    path = tmp_path / "heat.c"
    path.write_text("what was saved before\n")
    found = s2s.transform(path, text=HEAT.replace("#define N 400", '#include "n.h"'))
    assert found.changed and found.region("heat").at.path == str(path)
    assert {d.location.path for d in found.diagnostics if d.location} == {str(path)}
    assert path.read_text() == "what was saved before\n"


def test_explain_has_regions_that_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "scan.c"
    path.write_text(
        "void scan(int n, double *a) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; }\n"
    )
    found = s2s.explain(path, line=1)
    region = found.region("scan")
    assert not found.changed and region.status in ("unchanged", "content")
    flow = next(d for d in region.dependences if d.kind == "flow")
    assert (
        flow.distance == (1,) and flow.direction == ("<",) and str(flow) == "1 -> 1: flow on a (1)"
    )
    assert "region in function 'scan'" in found.explanation


@pytest.mark.parametrize(
    ("text", "words", "what"),
    [
        ("void f(void) { int x = ; }\n", {}, "expected expression"),
        ("int x;\n", {"passes": ["pop"]}, "no pass is named 'pop'"),
        ("int x;\n", {"target": "aei"}, "no target is named 'aei'"),
        ("int x;\n", {"options": {"x": 1}}, "no option 'x'"),
    ],
)
def test_errors_are_the_users(
    tmp_path: Path, text: str, words: dict[str, object], what: str
) -> None:
    path = tmp_path / "wrong.c"
    path.write_text(text)
    with pytest.raises(s2s.UserError, match=what) as raised:
        s2s.transform(path, **words)  # type: ignore[arg-type]
    location = raised.value.location
    assert not location or (location.path, location.line, location.column) == (str(path), 1, 24)


def test_a_program_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "heat.c"
    path.write_text('#include <stdio.h>\n' + HEAT + (
        "int main(void) { for (int i = 0; i < N; i++) a[i][i] = i; heat(40);\n"
        '  printf("%.17g\\n", a[7][9]); return 0; }\n'
    ))  # fmt: skip
    verdict = s2s.verify(path, threads=[2])
    assert (verdict.outcome, verdict.changed) == ("same", True)
    with pytest.raises(s2s.UserError, match="No such file"):
        s2s.verify(tmp_path / "none.c")


class _Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_notebooks_show_it(result: s2s.Result) -> None:
    text = result._repr_html_()
    tags = _Tags()
    tags.feed(text)
    assert not tags.open and "script" not in tags.seen and "img" not in tags.seen
    assert "prefers-color-scheme:dark" in text
    assert "flow" in text and "heat/t" in text and "http" not in text


def test_what_files_say_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "<b>x.c"
    path.write_text(HEAT.replace("+ a[i+1][j]", "+ (a[i+1][j] < 3)"))
    text = s2s.transform(path)._repr_html_()
    assert "&lt;b&gt;x.c" in text and "<b>x.c" not in text
    assert "&lt; 3" in text
