"""Orders that the user gives: by steps, by maps, by trees; saved and loaded again."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import s2s
from s2s.cli.verify import judge
from s2s.cli.verify_runs import Plan
from s2s.driver.given_schedule import schedule_of
from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file

_PROGRAMS = Path(__file__).parent / "schedules"

Run = Callable[..., CompletedProcess[bytes]]

TEXT = (_PROGRAMS / "text.c").read_text()
MAIN = (_PROGRAMS / "main.c").read_text()


@pytest.fixture(autouse=True)
def file() -> None:
    Path("f.c").write_text(TEXT)


def _ordered(region: str, *steps: dict[str, Any]) -> s2s.Result:
    return s2s.transform("f.c", schedule={"region": region, "steps": list(steps)}, strict=True)


def _step(name: str, **words: Any) -> dict[str, Any]:
    return {"step": name, **words}


ORDERS: dict[str, tuple[str, tuple[dict[str, Any], ...], tuple[str, ...]]] = {
    "fuse": (
        "f/i",
        (_step("fuse", loops=["f/i/j", "f/i/j#2"]), _step("parallel", loop="f.c:5")),
        ("#pragma omp parallel for", "fused 'j' and 'j#2', 'f.c:5' in parallel"),
    ),
    "distribute": (
        "f",
        (
            _step("distribute", loop="f/i", before="f.c:9"),
            _step("interchange", loops=["f/i.2", "f/i/j#2"]),
            _step("vectorize", loop="f/i.2"),
        ),
        ("#pragma GCC ivdep", "for (int j = 0; j < n; j++) {\n#pragma"),
    ),
    "tile": (
        "mm/i",
        (
            _step("tile", loops=["i", "j", "k"], sizes=[8, 16, 5]),
            _step("parallel", loop="mm/i.tile"),
            _step("interchange", loops=["mm/i/j", "mm/i/j/k"]),
        ),
        ("tiled 'i' and 'j' and 'k' 8x16x5", "s2s_k_tile"),
    ),
    "unroll-jam": ("mm/i", (_step("unroll-jam", loop="i"),), ("4 * s2s_i_tile + 3",)),
    "skew": (
        "f.c:14",
        (_step("skew", loop="mm/i/j", by="mm/i"), _step("interchange", loops=["i", "j"])),
        ("skewed 'j'",),
    ),
    "reverse": (
        "down",
        (_step("reverse", loop="i"), _step("tile", loops=["down/i"], sizes=[3])),
        ("reversed 'i'",),
    ),
    "shift": (
        "f/i",
        (
            _step("fuse", loops=["f/i/j", "f/i/j#2"]),
            _step("shift", loop="f/i/j", by=3, statement="f.c:9"),
        ),
        ("shifted statements of 'j'",),
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_what_is_asked_for_is_done(name: str) -> None:
    region, steps, words = ORDERS[name]
    result = _ordered(region, *steps)
    (changed,) = (r for r in result.regions if r.changed)
    assert changed.pass_name == "schedule" and len(changed.steps) == len(steps)
    assert all(word in result.text for word in words), result.text
    again = s2s.transform("f.c", schedule=json.loads(json.dumps(result.schedule)))
    assert again.data == result.data


@pytest.mark.parametrize(
    "names", [("shift", "tile", "reverse"), ("distribute", "unroll-jam"), ("fuse", "skew")]
)
def test_all_of_them_compute_the_same(names: tuple[str, ...]) -> None:
    """One program with an order for every function, run by ``s2s verify``'s judge."""
    Path("f.c").write_text(TEXT + MAIN)
    entries = [{"region": ORDERS[n][0], "steps": list(ORDERS[n][1])} for n in names]

    def ordered(path: str, flags: Sequence[str], options: Options) -> Outcome:
        asked = schedule_of({"regions": entries})
        return transform_file(path, flags, replace(options, schedule=asked, passes=()))

    verdict = judge(["f.c"], Plan(threads=(2,)), ordered)
    assert (verdict.outcome, verdict.changed) == ("same", True), verdict


def test_maps_and_trees_are_orders() -> None:
    swapped = {"at": "f.c:17", "schedule": "{ S[i, j, k] -> [k, i, j] }"}
    low = s2s.transform("f.c", schedule={"region": "mm", "statements": [swapped]}, strict=True)
    assert "for (int k = 0; k < n; k++) {\n" in low.text
    tree = s2s.transform("f.c").region("mm").before
    assert tree is not None
    text = tree.tree_text
    for old, new in (("[(i)]", "[(A)]"), ("[(k)]", "[(i)]"), ("[(A)]", "[(k)]")):
        text = text.replace(old, new)
    found = s2s.transform("f.c", schedule={"region": "mm", "tree": text}, strict=True)
    made = found.region("mm").text
    assert made.index("for (int k") < made.index("for (int j") < made.index("for (int i")


def test_what_passes_choose_is_saved_and_loaded(run: Run) -> None:
    done = run("transform", "f.c", "--save-schedule", "s.json")
    saved = json.loads(Path("s.json").read_text())
    assert {entry["region"] for entry in saved["regions"]} >= {"mm/i"}
    again = run("transform", "f.c", "--schedule", "s.json")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    # Names, not positions: lines before move nothing.
    more = "\n\n/* more */\n"
    Path("f.c").write_text(more + TEXT)
    moved = run("transform", "f.c", "--schedule", "s.json")
    assert moved.stdout == more.encode() + done.stdout


def test_a_low_form_has_all_that_a_pass_chose(run: Run) -> None:
    words = ("--passes", "reverse,permute,interchange", "--force")
    done = run("transform", "f.c", *words, "--save-schedule", "s.json")
    saved = json.loads(Path("s.json").read_text())
    low = [entry for entry in saved["regions"] if "statements" in entry]
    assert low and all(entry["dimensions"] for entry in low)
    again = run("transform", "f.c", "--schedule", "s.json", "--force")
    assert again.stdout == done.stdout, again.stderr


@pytest.mark.parametrize(
    ("region", "step", "place", "what", "notes"),
    [
        ("scan", _step("reverse", loop="i"), "step",
         "an instance of line 28 has to wait for an earlier one (flow on 'a'): a dependence goes"
         " backwards", (28, 28)),
        ("mm", _step("parallel", loop="mm/i/j/k"), "step", "a parallel loop carries a dependence",
         (17, 17)),
        ("f", _step("shift", loop="f/i", by=5, statement="f.c:7"), "step",
         "line 9 has to wait for line 7 (flow on 'a')", (7, 9)),
        ("mm", _step("interchange", loops=["i", "kk"]), "kk", "no loop is named 'kk'", ()),
        ("mm", _step("interchang", loops=["i"]), "interchang", "did you mean 'interchange'?", ()),
        ("mm", _step("tile", loops=["i"], size=[3]), "size", "did you mean 'sizes'?", ()),
        ("mm", _step("tile", loops=["i", "k"], sizes=[3, 4]), "step", "other loops are", ()),
        ("f", _step("interchange", loops=["f/i", "f/i/j"]), "step", "distribute it first", ()),
        ("mn", _step("reverse", loop="i"), "mn", "no region is named 'mn'; did you mean 'mm'?", ()),
        ("f", _step("reverse", loop="j"), "j", "'j' may be f/i/j or", ()),
    ],
)  # fmt: skip
def test_what_is_not_possible_is_said_at_its_place(
    run: Run, region: str, step: dict[str, Any], place: str, what: str, notes: tuple[int, ...]
) -> None:
    text = json.dumps({"regions": [{"region": region, "steps": [step]}]}, indent=1)
    Path("s.json").write_text(text)
    done = run("transform", "f.c", "--schedule", "s.json", "-o", "out.c")
    said = done.stderr.decode()
    assert done.returncode == 1 and not Path("out.c").exists(), said
    place_text = f'"{place}"' if place != "step" else "{"
    line, column = map(int, said.split(":")[1:3])
    assert said.startswith("s.json:") and text.split("\n")[line - 1][column - 1 :].startswith(
        place_text
    ), said
    assert what in said
    found = [int(w.split(":")[1]) for w in said.split("\n") if w.startswith("f.c:")]
    assert tuple(found) == notes


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ('{"regions": [}', "1:14", "Expecting value"),
        ('{"regions": [{"region": "f"}]}', "1:15", "one of steps, statements, tree, pass"),
        ('{"regions": [], "regoins": []}', "1:17", "did you mean 'regions'?"),
        ('{"version": 2, "regions": []}', "1:13", "version 2 is not known"),
        ('{"regions": [{"region": "mm", "statements": [{"at": "f.c:17", "schedule":\n'
         ' "{ S[i] -> "}]}]}', "2:2", "not understood by isl"),
        ('{"regions": [{"region": "mm", "statements": [{"at": "f.c:18", "schedule": ""}]}]}',
         "1:53", "no statement is 'f.c:18'"),
        ('{"regions": [{"region": "mm", "history": ["*/"], "statements": [{"at": "f.c:17",'
         ' "schedule": "{ S[i,j,k] -> [k,i,j] }"}]}]}', "1:43", "cannot stand in a comment"),
    ],
)  # fmt: skip
def test_wrong_files_are_the_users_errors(run: Run, text: str, place: str, what: str) -> None:
    Path("s.json").write_text(text)
    done = run("transform", "f.c", "--schedule", "s.json")
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"s.json:{place}: error: "), done.stderr
    assert what in done.stderr.decode()


def test_what_keeps_its_place_is_said() -> None:
    text = TEXT.replace("+ b[0][i]", '+ printf("x")')
    with pytest.raises(s2s.UserError, match="a call keeps its place"):
        s2s.transform("f.c", text=text, schedule={
            "region": "scan", "steps": [_step("reverse", loop="i")]})  # fmt: skip


def test_it_does_not_go_with_passes(run: Run) -> None:
    Path("s.json").write_text('{"regions": []}')
    done = run("transform", "f.c", "--schedule", "s.json", "--passes", "permute")
    assert done.returncode == 2 and b"'--passes' has no effect with '--schedule'" in done.stderr
    assert run("transform", "f.c", "--schedule", "s.json").stdout.decode() == TEXT
