"""s2s as a user has it: the wheel, installed by pip into an environment of its own.

What it depends on is found where the tests found it, so that no network is needed; the checkout is
on no path.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

from tests.house.rooms import FOLDERS
from tests.places import ROOT

_OTHERS = ("benchmarks", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")
_QUIET = ("--quiet", "--disable-pip-version-check", "--no-input", "--no-index")


@dataclass(frozen=True)
class Installed:
    """An environment and an empty folder to work in."""

    programs: Path
    work: Path

    @property
    def variables(self) -> dict[str, str]:
        """A shell's environment there: its programs first, a cache of its own, two threads."""
        dropped = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        return {
            **kept,
            "PATH": f"{self.programs}{os.pathsep}{kept['PATH']}",
            "XDG_CACHE_HOME": str(self.work.parent / "cache"),
            "OMP_NUM_THREADS": "2",
            "COLUMNS": "120",
        }

    def run(self, line: str, folder: Path | None = None) -> str:
        """What a shell's line prints; it has to succeed."""
        done = subprocess.run(
            line,
            shell=True,
            cwd=folder or self.work,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}:\n{done.stdout}"
        return done.stdout


def install(folder: Path) -> Installed:
    """Build the wheel of this checkout, and install it in ``folder``."""
    source = folder / "source"
    source.mkdir()
    for name in (*FOLDERS, *_OTHERS):
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, source / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip"]
    # What pip asks the backend for, without its three other processes.
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run(
        [sys.executable, "-c", build], check=True, cwd=source, env=_without_checkout(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    shutil.rmtree(source)
    (made,) = folder.glob("s2s-*.whl")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    install_ = [*pip, "--python", str(python), "install", *_QUIET, "--no-deps", "--no-compile"]
    subprocess.run([*install_, str(made)], check=True, cwd=folder, env=_without_checkout())
    (site,) = (folder / "venv" / "lib").glob("python3*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    _take_compiled(site / "s2s")
    work = folder / "work"
    work.mkdir()
    return Installed(folder / "venv" / "bin", work)


def _take_compiled(package: Path) -> None:
    """Take what the modules of this checkout were compiled to for those that have equal text."""
    for folder in (*FOLDERS, "benchmarks"):
        inside = package if folder == "s2s" else package / folder
        for path in (ROOT / folder).rglob("*.py"):
            made = inside / path.relative_to(ROOT / folder)
            compiled, target = (Path(cache_from_source(str(p))) for p in (path, made))
            if compiled.is_file() and made.is_file() and made.read_bytes() == path.read_bytes():
                shutil.copystat(path, made)  # a compiled module has its text's date
                target.parent.mkdir(exist_ok=True)
                shutil.copy(compiled, target)


def can_build() -> bool:
    """Whether setuptools makes wheels by itself."""
    try:
        major, minor = importlib.metadata.version("setuptools").split(".")[:2]
    except importlib.metadata.PackageNotFoundError:
        return False
    return (int(major), int(minor)) >= (70, 1)


def _without_checkout() -> dict[str, str]:
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    kept = os.pathsep.join(p for p in paths if p and Path(p).resolve() != ROOT)
    return {**os.environ, "PYTHONPATH": kept}
