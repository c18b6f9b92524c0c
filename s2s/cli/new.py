"""``s2s new``: a package with a plug-in that works, to be grown into another one."""

from __future__ import annotations

import argparse
import keyword
import os
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from s2s.source import output
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass

KINDS = {
    "pass": ("s2s.passes", "pass.py", ()),
    "target": ("s2s.targets", "target.py", ("printing.py", "check.py")),
    "machine": ("s2s.machines", "machine.py", ()),
}
"""For each kind its entry points, the file with the object, and what this needs beside it."""
_SHARED = {"target": ("memory.py",), "machine": ("memory.py",)}
"""Files that plug-ins of a package have in common."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``s2s new``."""
    kinds = tuple(KINDS)
    parser.add_argument("kind", choices=kinds, metavar="KIND", help="pass, target or machine")
    parser.add_argument("name", metavar="NAME", help="its name: small letters, digits and dashes")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="DIR",
        help="the package's folder (default: s2s-NAME); one that there is gets another plug-in",
    )


def main(args: argparse.Namespace) -> int:
    """Write the files and say which. Raises UsageError, UserError."""
    folder = args.output or f"s2s-{args.name}"
    plan = _plan(args.kind, args.name, folder)
    texts = dict(plan.texts())
    for path in texts:
        whole = os.path.join(folder, path)
        if os.path.exists(whole) and path != "pyproject.toml":
            raise UsageError(f"'{whole}' is there already")
    for path, text in texts.items():
        whole = os.path.join(folder, path)
        try:
            os.makedirs(os.path.dirname(whole), exist_ok=True)
        except OSError as error:
            raise UsageError(f"'{folder}' cannot be made: {error.strerror}") from None
        output.write_file(whole, text.encode())
    shown = "".join(f"{os.path.join(folder, path)}\n" for path in texts)
    hint = f"pip install -e {folder} && python -m pytest {folder}\n"
    output.write_standard_output((shown + hint).encode())
    return 0


@dataclass(frozen=True)
class Plan:
    """What is written into a folder; ``project`` is the text of its pyproject.toml before."""

    kind: str
    name: str
    package: str
    project: str
    there: frozenset[str] = frozenset()
    """Files of the package that there are."""

    @property
    def stem(self) -> str:
        return self.name.replace("-", "_")

    def texts(self) -> Iterator[tuple[str, str]]:
        """The files by their paths in the folder."""
        group, module, others = KINDS[self.kind]
        project = self.project
        if not project:
            project = self._filled("package", "pyproject.toml")
            yield "README.md", self._filled("package", "README.md")
            yield f"{self.package}/__init__.py", self._filled("package", "__init__.py")
            yield f"{self.package}/py.typed", ""
        place = f"{self.package}.{self.stem}_{module.removesuffix('.py')}"
        name = "".join(map(str.capitalize, self.name.split("-")))
        value = name if self.kind == "pass" else self.stem.upper()
        yield "pyproject.toml", _with_entry(project, group, self.name, f"{place}:{value}")
        for file in (module, *others):
            yield f"{self.package}/{self.stem}_{file}", self._filled(self.kind, file)
        for file in _SHARED.get(self.kind, ()):
            if file not in self.there:
                yield f"{self.package}/{file}", self._filled("target", file)
        yield f"tests/test_{self.stem}_{self.kind}.py", self._filled(self.kind, "test.py")

    def _filled(self, folder: str, file: str) -> str:
        text = (files("s2s.cli") / "templates" / folder / f"{file}.in").read_text()
        words = {
            "name": self.name,
            "stem": self.stem,
            "Class": "".join(map(str.capitalize, self.name.split("-"))),
            "CONST": self.stem.upper(),
            "package": self.package,
            "project": self.package.replace("_", "-"),
        }
        return re.sub("@(" + "|".join(words) + ")@", lambda found: words[found[1]], text)


def _plan(kind: str, name: str, folder: str) -> Plan:
    """Raises UsageError for a name that is no name or taken, or a folder of something else."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise UsageError(f"'{name}' is no name: small letters, digits and dashes are")
    if name in _ours(kind):
        raise UsageError(f"s2s itself has a {kind} '{name}'")
    path = os.path.join(folder, "pyproject.toml")
    if not os.path.exists(path):
        if os.path.isdir(folder) and os.listdir(folder):
            raise UsageError(f"'{folder}' is a folder of something else")
        return Plan(kind, name, f"s2s_{name.replace('-', '_')}", "")
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    try:
        known = tomllib.loads(text)
        (package,) = known["tool"]["setuptools"]["packages"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError):
        raise UsageError(f"'{path}' is none that 's2s new' has written") from None
    group = KINDS[kind][0]
    if name in known["project"].get("entry-points", {}).get(group, {}):
        raise UsageError(f"'{path}' has a {kind} '{name}' already")
    there = frozenset(os.listdir(os.path.join(folder, package)))
    return Plan(kind, name, str(package), text, there)


def _ours(kind: str) -> set[str]:
    from s2s.driver import passes
    from s2s.simulators import machine
    from s2s.targets import registry

    if kind == "pass":
        return set(passes.own_names())
    return set(registry.OURS if kind == "target" else machine.OURS)


def _with_entry(project: str, group: str, name: str, value: str) -> str:
    """The text of a pyproject.toml with one entry point more."""
    head, line = f'[project.entry-points."{group}"]\n', f'{name} = "{value}"\n'
    if head in project:
        return project.replace(head, head + line)
    return f"{project.rstrip()}\n\n{head}{line}"
