"""Packages of other people, as an installer leaves them, without a network."""

import shutil
import tomllib
from pathlib import Path

OUTSIDE = Path(__file__).resolve().parents[1] / "outside"


def install(name: str, site: Path) -> Path:
    """Copy a package of ``tests/outside`` to a folder of packages, with its entry points."""
    about = tomllib.loads((OUTSIDE / name / "pyproject.toml").read_text())["project"]
    project, version = about["name"], about["version"]
    package = project.replace("-", "_")
    shutil.copytree(OUTSIDE / name / package, site / package)
    info = site / f"{package}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n")
    lines = []
    for group, entries in about["entry-points"].items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return site
