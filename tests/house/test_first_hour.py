"""What a newcomer types, outside of any checkout: the tutorial, the README, small benchmarks."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.house.installed import Installed
from tests.house.tutorial import Commands, File, has_shape, parts
from tests.places import ROOT

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")

# With less work to do than on the page.
SMALLER = {
    "600 60": "96 8",
    "s2s bench  ": "s2s bench --case walks --size small --repeat 1 --threads 1  ",
    "--case jacobi --threads 1,2,4": "--case walks --size small --repeat 1 --threads 1",
    "-j 4": "-j 1",
    "verify jacobi.c": "verify jacobi.c --threads 2 --args '60 10'",
    "--tune jacobi.c": "--tune jacobi.c --tune-budget 2 --tune-cache cache.db",
    "./solver input": "./solver 50000 200",
    "output=1536x2560": "output=512x64",
    "> ~/.local/share/bash-completion/completions/s2s": "> s2s.bash",
    "man -l -": "cat",
}
# What needs other programs, or is about a checkout.
ELSEWHERE = (
    "pip install",
    "make demo",
    "make test",
    "make lint",
    "make bench",
    "bash .ci",
    "cmake",
)


def shrink(line: str) -> str:
    for large, small in SMALLER.items():
        line = line.replace(large, small)
    return line


def test_every_command_of_the_tutorial_does_what_it_says(installed: Installed) -> None:
    pytest.importorskip("PIL", reason="pillow is not installed")
    count = 0
    for part in parts(TUTORIAL):
        if isinstance(part, File):
            (installed.work / part.name).write_text(part.content)
            continue
        said = "".join(installed.run(shrink(line)) for line in part.lines)
        assert part.printed is None or has_shape(said, part.printed), f"{part.lines}:\n{said}"
        count += len(part.lines)
    assert count > 12
    assert (installed.work / "soft.png").stat().st_size > 100


def readme_commands() -> list[str]:
    found = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    lines = [line for block in found for line in block.splitlines() if line.strip()]
    return [line for line in lines if not line.startswith(ELSEWHERE)]


def test_every_command_of_the_readme_works(installed: Installed) -> None:
    pytest.importorskip("PIL", reason="pillow is not installed")
    place_files(installed)
    commands = readme_commands()
    assert len(commands) > 12
    for line in commands:
        installed.run(shrink(line))
    assert (installed.work / "out" / "b.c").is_file()
    assert (installed.work / "cascade.h").is_file()
    assert (installed.work / "jacobi.png").stat().st_size > 1000


def place_files(installed: Installed) -> None:
    """The files that the README's commands name, as a user has files of these names."""
    work = installed.work
    code = "import s2s.benchmarks; print(s2s.benchmarks.__path__[0])"
    kernels = Path(installed.run(f"python -c '{code}'").strip())
    assert kernels.is_relative_to(installed.programs.parent)
    shutil.copytree(kernels / "halide", work / "benchmarks" / "halide")
    shutil.copy(Path(__file__).with_name("rod.c"), work / "jacobi.c")
    body = "{ for (int i = 1; i < n; i++) { a[i] = b[i] + 1; } }\n"
    loops = "\n" * 40 + "void f(int n, double *restrict a, const double *restrict b)\n" + body
    (work / "loops.c").write_text(loops)
    picture = "from PIL import Image; Image.effect_noise((700, 80), 90).save('photo.png')"
    installed.run(f'python -c "{picture}"')
    for folder in ("src", "build", "include"):
        (work / folder).mkdir()
    for name in "ab":
        (work / "src" / f"{name}.c").write_text(loops)
    entry = {"directory": str(work), "file": "jacobi.c", "command": "gcc -O3 -fopenmp -c jacobi.c"}
    (work / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    (work / "Makefile").write_text("all:\n\t$(CC) -O3 -fopenmp jacobi.c -o solver\n")
    installed.run("gcc -O1 -g -fopenmp jacobi.c -o solver")


def test_the_parts_of_small_suites(installed: Installed) -> None:
    installed.run("s2s bench emu --case bfs --scales 6:6 --json emu.json")
    assert json.loads((installed.work / "emu.json").read_text())
    assert "s2s" in installed.run("s2s --version")
    assert "popp" in installed.run("s2s passes")
    assert "davinci" in installed.run("s2s targets")


def test_shapes() -> None:
    assert has_shape("took 1.25 s\nfine\n", "took 0.3 s\nfine\n")
    assert has_shape("a\nb\nc 1e-05", "a\n...\nc 2e+06")
    assert not has_shape("took long", "took 0.3 s")
    assert not has_shape("a\nb", "a")
    page = "<!-- file: a.c -->\n```c\nint a;\n```\n\n```sh\nx\ny\n```\n\n```text\nz\n```\n"
    assert list(parts(page)) == [File("a.c", "int a;\n"), Commands(("x", "y"), "z\n")]


def test_the_hooks_and_the_action_run(installed: Installed) -> None:
    """As far as they can be without a host: their commands, with what a host would put in."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    source = installed.work / "rod.c"
    shutil.copy(Path(__file__).with_name("rod.c"), source)
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = action["runs"]["steps"][1]
    given = {name: about.get("default", "rod.c") for name, about in action["inputs"].items()}
    values = {k: given[v.split(".")[1].split(" ")[0]] for k, v in step["env"].items()}
    lines = [f"export {name}='{value}'" for name, value in values.items()]
    script = "\n".join([*lines, f"export RUNNER_TEMP={installed.work}", step["run"]])
    (installed.work / "step.sh").write_text(script)
    installed.run("bash -e step.sh")
    log = json.loads((installed.work / "s2s.sarif").read_text())
    assert {r["ruleId"] for r in log["runs"][0]["results"]} >= {"popp", "idioms"}
    before = source.read_bytes()
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for hook in reversed(hooks):
        assert source.read_bytes() == before
        line = f"{hook['entry']} '--flags=-O3 -DNAME=\"a b\"' rod.c"  # a host puts files last
        assert "rod.c:19:5: remark:" in installed.run(line)
    assert source.read_bytes() != before
