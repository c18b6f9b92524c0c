"""What is installed is what is in the tree, and every part imports only what it may."""

import ast
import configparser
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.places import ROOT

FOLDERS = ("s2s", "frontends", "analyses", "emitters", "simulators", "benchmarks")

SLOW = {"numpy", "pulp", "matplotlib", "networkx", "pandas"}
LATE = ("s2s.net.pipelines", "s2s.simulators.davinci.core")
"""Parts that compute with numpy throughout, and are themselves imported where they are used."""


def setup() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg")
    return parser


def words(section: str, key: str) -> list[str]:
    return setup()[section][key].split()


def folder_of(package: str) -> Path:
    """The folder of an installed package: s2s.x.y is x/y if x is a top folder, else s2s/x/y."""
    _, *inner = package.split(".")
    return ROOT.joinpath(*inner) if inner and inner[0] in FOLDERS else ROOT.joinpath("s2s", *inner)


def package_of(folder: Path) -> str:
    parts = folder.relative_to(ROOT).parts
    return ".".join(parts if parts[0] == "s2s" else ("s2s", *parts))


def modules() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def test_the_package_list_is_that_of_the_tree() -> None:
    in_tree = {package_of(path.parent) for path in modules()}
    listed = words("options", "packages")
    assert sorted(listed) == sorted(in_tree)
    assert [p for p in listed if not (folder_of(p) / "__init__.py").is_file()] == []


def test_the_folders_are_mapped_to_their_packages() -> None:
    mapping = setup()["options"]["package_dir"].split("\n")
    found = dict(line.replace(" ", "").split("=") for line in mapping if line)
    packages = words("options", "packages")
    wanted = {package_of(ROOT / name): name for name in FOLDERS}
    assert found == {package: name for package, name in wanted.items() if package in packages}


def test_every_file_of_a_package_is_installed() -> None:
    data = setup()["options.package_data"]
    installed = set()
    for package in words("options", "packages"):
        for pattern in ("*.py", *data.get(package, "").replace(",", " ").split()):
            installed |= set(folder_of(package).glob(pattern))
    present = {
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sorted(map(str, present - installed)) == []


def test_every_pattern_of_package_data_finds_a_file() -> None:
    for package, patterns in setup()["options.package_data"].items():
        for pattern in patterns.replace(",", " ").split():
            assert list(folder_of(package).glob(pattern)), f"{package}: {pattern}"


def test_imports_are_absolute_and_start_up_is_cheap() -> None:
    said = (f"{path.relative_to(ROOT)}: {wrong}" for path in modules() for wrong in wrong_in(path))
    assert list(said) == []


def wrong_in(path: Path) -> Iterator[str]:
    """What a file imports as it should not."""
    late = any(is_within(module_of(path), part) for part in LATE)
    for name, at_start in imports(path):
        top = name.split(".")[0]
        if top == "":
            yield "relative imports are not resolved by type checkers in mapped folders"
        if top in FOLDERS[1:]:
            yield f"write 's2s.{name}'"
        slow = top in SLOW or any(is_within(name, part) for part in LATE)
        if at_start and slow and not late:
            yield f"import {name} where it is used"


def test_a_file_with_nothing_to_do_loads_nothing_that_lifts(tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text("int f(int n) { int s = 0; while (n) s += n--; return s; }\n")
    script = (
        "import sys; from s2s.driver.transform import transform_file; "
        f"transform_file({str(source)!r}); "
        "print(sorted(m for m in sys.modules if m.startswith(('s2s.', 'islpy'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = ast.literal_eval(done.stdout)
    assert "s2s.frontends.c.parse" in loaded
    assert not {"islpy", "s2s.frontends.c.lift", "s2s.scop.nodes", "s2s.driver.regions"} & set(
        loaded
    )


def test_the_import_reader_sees_every_form(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        "import a.b, c\nfrom d import e\nfrom . import f\nfrom s2s import g\n"
        "if TYPE_CHECKING:\n    import h\ntry:\n    import i\nexcept E:\n    pass\n"
        "def j():\n    import k\n"
    )
    assert list(imports(path)) == [
        ("a.b", True), ("c", True), ("d", True), (".", True), ("s2s.g", True),
        ("h", False), ("i", True), ("k", False),
    ]  # fmt: skip


def test_the_readme_names_targets_and_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text()
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"\bmake ([a-z]+)\b", "\n".join(code(readme)))
    assert named[:2] == ["demo", "test"]
    assert set(named) <= set(targets)
    from s2s.cli import main as cli

    commands = re.findall(r"(?:^|\n)s2s ([a-z]+)", "\n".join(code(readme)))
    assert commands and set(commands) <= set(cli._COMMANDS)


def code(markdown: str) -> list[str]:
    fenced = re.findall(r"```[a-z]*\n(.*?)```", markdown, re.DOTALL)
    return [*fenced, *re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", markdown, flags=re.S))]


def module_of(path: Path) -> str:
    package = package_of(path.parent)
    return package if path.stem == "__init__" else f"{package}.{path.stem}"


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """What a file imports, in its order, and whether that happens when it is loaded."""

    def visit(node: ast.AST, at_start: bool) -> Iterator[tuple[str, bool]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, at_start) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            names = [f"s2s.{alias.name}" for alias in node.names] if name == "s2s" else [name]
            yield from ((one, at_start) for one in names)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_for_types(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield from visit(child, at_start and not later)

    return visit(ast.parse(path.read_text(encoding="utf-8")), True)


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in (
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    )
