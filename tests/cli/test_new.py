"""``s2s new`` and ``s2s plugins``: a package made from the templates, installed, tested, listed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.places import ROOT

Run = Callable[..., CompletedProcess[bytes]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package that has a pass, a target and a machine, as pip installs it."""
    folder = tmp_path_factory.mktemp("new")
    made = folder / "s2s-mine"
    for kind, name in (("pass", "pieces"), ("target", "plain-py"), ("machine", "plain-py")):
        _s2s(folder, "new", kind, name, "-o", str(made)).check_returncode()
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    command += ["--no-index", "--disable-pip-version-check", "--target", str(folder / "site")]
    done = subprocess.run([*command, str(made)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shutil.copytree(made / "tests", folder / "tests")
    return folder / "site"


def _s2s(folder: Path, *argv: str, site: Path | None = None) -> CompletedProcess[str]:
    return _python(folder, "-m", "s2s", *argv, site=site)


def _python(folder: Path, *argv: str, site: Path | None = None) -> CompletedProcess[str]:
    path = os.pathsep.join(map(str, filter(None, (site, ROOT))))
    return subprocess.run(
        [sys.executable, *argv], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


def test_its_own_tests_pass(site: Path) -> None:
    done = _python(site.parent, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", site=site)
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout


def test_it_is_listed(site: Path) -> None:
    done = _s2s(site.parent, "plugins", site=site)
    assert done.returncode == 0, done.stderr
    found = {tuple(line.split("\t")[:3]) for line in done.stdout.splitlines()}
    assert found >= {
        ("pass", "pieces", "s2s-pieces 0.1.0"),
        ("target", "plain-py", "s2s-pieces 0.1.0"),
        ("machine", "plain-py", "s2s-pieces 0.1.0"),
    }


def _distribution(site: Path, name: str, entries: str, module: str = "") -> None:
    about = site / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entries)
    (site / f"{name}.py").write_text(module)


def test_a_clash_names_both_packages(tmp_path: Path) -> None:
    text = "from s2s.transforms.reverse import Reverse\nclass Turn(Reverse):\n    name = 'turn'\n"
    for name in ("one", "two"):
        _distribution(tmp_path, name, f"[s2s.passes]\nturn = {name}:Turn\n", text)
    _distribution(tmp_path, "three", "[s2s.targets]\ncpu = three:CPU\n")
    (tmp_path / "a.c").write_text("void f(int n, int *a) { for (int i = 0; i < n; i++) a[i]++; }\n")
    done = _s2s(tmp_path, "transform", "a.c", "--passes", "turn", site=tmp_path)
    assert done.returncode == 1
    assert "pass 'turn' is offered by one 1.0 and by two 1.0" in done.stderr
    listed = _s2s(tmp_path, "plugins", site=tmp_path)
    assert listed.returncode == 1
    assert "target 'cpu' is offered by s2s itself and by three 1.0 [plug-in]" in listed.stderr
    assert _s2s(tmp_path, "transform", "a.c", site=tmp_path).returncode == 0


def test_a_broken_package_is_one_warning(tmp_path: Path) -> None:
    _distribution(tmp_path, "bad", "[s2s.passes]\nwrong = bad:Wrong\n", "import nosuch\n")
    done = _s2s(tmp_path, "passes", site=tmp_path)
    assert done.returncode == 0 and "popp\t" in done.stdout
    warning = "warning: pass 'wrong' of bad 1.0 cannot be loaded: ModuleNotFoundError"
    assert done.stderr.count("\n") == 1 and warning in done.stderr


def test_suites_come_from_packages(tmp_path: Path) -> None:
    _distribution(
        tmp_path, "mine", "[s2s.suites]\nmine = mine:suite\n",
        "def suite(request):\n    raise SystemExit(f'asked for {request.suites}')\n",
    )  # fmt: skip
    done = _s2s(tmp_path, "bench", "mine", site=tmp_path)
    assert "asked for ('mine',)" in done.stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("pass", "popp"), "s2s itself has a pass 'popp'"),
        (("pass", "Pieces"), "'Pieces' is no name"),
        (("pas", "pieces"), "did you mean 'pass'?"),
        (("pass", "pieces", "-o", "full"), "'full' is a folder of something else"),
        (("pass", "pieces", "-o", "full/x"), "'full/x' cannot be made: "),
        (("pass", "p" * 300), "cannot be made: File name too long"),
    ],
)
def test_what_cannot_be_made_is_a_usage_error(run: Run, words: tuple[str, ...], what: str) -> None:
    Path("full").mkdir()
    Path("full/x").write_text("")
    done = run("new", *words)
    assert done.returncode == 2 and what in done.stderr.decode()
    assert os.listdir("full") == ["x"] and os.listdir() == ["full"]
