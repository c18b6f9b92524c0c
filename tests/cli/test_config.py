"""Options from ``s2s.toml`` and ``pyproject.toml``."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[bytes]]

LOOP = Path(__file__).with_name("config.c").read_text()


@pytest.fixture(autouse=True)
def file() -> Path:
    Path("src").mkdir()
    path = Path("src/a.c")
    path.write_text(LOOP)
    return path


def _reversed(run: Run, *words: str) -> bool:
    done = run("transform", "src/a.c", *words)
    assert done.returncode == 0, done.stderr
    return b"runs backwards" in done.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s2s.toml", 'transform.passes = ["reverse"]\n'),
        ("src/s2s.toml", '[transform]\npasses = "reverse"\nremarks = "none"\n'),
        ("pyproject.toml", '[tool.other]\nx = 1\n[tool.s2s.transform]\npasses = ["reverse"]\n'),
        ("pyproject.toml", '[tool.s2s]\npasses = ["reverse"]\nruns = 2\n'),
    ],
)
def test_options_come_from_the_nearest_file(run: Run, name: str, text: str) -> None:
    assert not _reversed(run)
    Path(name).write_text(text)
    assert _reversed(run)
    assert not _reversed(run, "--no-config")


def test_the_command_line_wins(run: Run) -> None:
    Path("s2s.toml").write_text('[transform]\npasses = ["reverse"]\n')
    assert not _reversed(run, "--passes", "permute")
    assert not _reversed(run, "--passes=permute")


def test_the_first_folder_counts(run: Run) -> None:
    Path("s2s.toml").write_text('[transform]\npasses = ["reverse"]\n')
    Path("src/pyproject.toml").write_text("[tool.black]\n")
    assert _reversed(run)
    Path("src/s2s.toml").write_text("")
    assert not _reversed(run)


def test_targets_of_a_file_have_their_options(run: Run) -> None:
    Path("s2s.toml").write_text('[transform]\ntarget = "emu"\nemu-steps = ["none"]\n')
    done = run("transform", "src/a.c", "--emu-nosuch")
    assert done.returncode == 2 and b"unrecognized arguments: --emu-nosuch" in done.stderr


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("[transform]\nparalel = true\n", "2:1", "'paralel'; did you mean 'parallel'?"),
        ("\n[trasform]\nparallel = true\n", "2:1", "did you mean 'transform'?"),
        ("[transform]\nforce = 3\n", "2:1", "'force' is true or false"),
        ('[transform]\n\ntarget = "cpv"\n', "3:1", "choice: 'cpv'; did you mean 'cpu'?"),
        ('[transform]\njobs = "many"\n', "2:1", "'many' is not a positive whole number"),
        ("[transform\nx = 1\n", "1:11", ""),
        ("nosuch = 1\n", "1:1", "has no option 'nosuch'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(run: Run, text: str, place: str, what: str) -> None:
    Path("s2s.toml").write_text(text)
    done = run("transform", "src/a.c")
    said = done.stderr.decode()
    assert done.returncode == 2 and said.startswith(f"s2s.toml:{place}: error: "), said
    assert what in said
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("transfrom", "src/a.c"), "did you mean 'transform'?"),
        (("--versoin",), "unrecognized arguments: --versoin; did you mean '--version'?"),
        (("transform", "--passses"), "did you mean '--passes'?"),
        (("transform", "src/a.c", "--pases", "popp"), "did you mean '--passes'?"),
        (("transform", "src/a.c", "--target", "clokwork"), "did you mean 'clockwork'?"),
        (("transform", "src/a.c", "--passes", "pemute"), "did you mean 'permute'?"),
        (("transform", "src/a.c", "--passes", "popp:size=2x2"), "did you mean 'sizes'?"),
        (("simulate", "src/a.c", "--machine", "aie"), "did you mean 'aie1'?"),
        (("bench", "rodina"), "did you mean 'rodinia'?"),
    ],
)
def test_what_was_meant_is_said(run: Run, words: tuple[str, ...], what: str) -> None:
    done = run(*words)
    assert what in done.stderr.decode()
    assert done.returncode == 2
