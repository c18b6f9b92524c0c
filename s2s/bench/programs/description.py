"""A suite of programs with their sizes, described by a small TOML file.

The description says how to build and run each program and where it prints its time, so that a
suite is measured as its authors wrote it. Sources that belong to others lie in a checkout of
theirs (``--root``) and stay as they are; what calls their kernels, generates inputs and prints
results is ours and lies beside the description. ``benchmarks/suite.toml`` explains the keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from s2s.bench import descriptions
from s2s.bench.descriptions import BadValueError, convert
from s2s.source.records import dataclass

SIZES = ("small", "default")


@dataclass(frozen=True)
class Paper:
    """What a paper says of a program: the letters of its transformations, and edits by hand.

    ``found`` is a word where there are no letters; ``row`` is the paper's name of the program,
    which several cases may share.
    """

    row: str
    found: str = ""
    manual: str = ""

    @property
    def has_letters(self) -> bool:
        return self.found.isupper()


@dataclass(frozen=True, kw_only=True)
class Case:
    """A program of a suite.

    ``sources`` are transformed; ``support`` files of the suite and our ``drivers`` are compiled as
    they are, ``source_flags`` are for the first two. ``sizes`` are arguments and ``size_flags``
    compiler flags for each size. A ``sequential`` program is compared with itself on one thread.
    ``published`` holds the known speedup of a variant, ``peers`` that of other tools; ``baseline``
    says in which way the original does not run as its authors run it.
    """

    suite: str
    name: str
    sources: tuple[Path, ...]
    sizes: Mapping[str, tuple[str, ...]]
    time: re.Pattern[str]
    about: str = ""
    flags: tuple[str, ...] = ()
    source_flags: tuple[str, ...] = ()
    size_flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own_flags: tuple[str, ...] = ()
    support: tuple[Path, ...] = ()
    drivers: tuple[Path, ...] = ()
    libraries: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    sequential: bool = False
    exact: re.Pattern[str] | None = None
    ignore: re.Pattern[str] | None = None
    tolerance: float = 0.0
    rounding: float = 1e-6
    published: Mapping[str, float] = field(default_factory=dict)
    peers: Mapping[str, float] = field(default_factory=dict)
    peers_from: str = ""
    baseline: str = ""
    paper: Paper | None = None
    release: str = ""


def find_suite(name: str | None, root: Path | None) -> Path:
    """The description of a suite: a file, a folder with suite.toml, or a name in benchmarks/.

    Without a name it is ``root``'s own, or that of the checkout that s2s runs in. A name may have
    two meanings: the suite as published, for which ``root`` is needed, and our own kernels.
    """
    folders = [root] if root and not name else descriptions.benchmark_folders()
    if name is None:
        candidates = [folder / "suite.toml" for folder in folders]
    else:
        candidates = [Path(name), Path(name) / "suite.toml"]
        own = [f / n for f in folders for n in (f"{name}.toml", f"{name}/suite.toml")]
        published = [folder / "suites" / f"{name}.toml" for folder in folders]
        candidates += published + own if root else own + published
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    wanted = f"no benchmark suite '{name}'" if name else "no benchmark suite here"
    raise descriptions.bench_error(
        f"{wanted}; looked for {', '.join(dict.fromkeys(map(str, candidates)))}"
    )


def read_suite(description: Path, *roots: Path) -> tuple[Case, ...]:
    """The cases of a description, whose sources lie in one of ``roots`` (default: beside it).

    A description with a ``marker``, a path in its checkout, takes the first of ``roots`` or of the
    folders in them where that path exists.
    """
    data = descriptions.read_toml(description)
    shared = {key: value for key, value in data.items() if key not in _SUITE_KEYS}
    try:
        root = descriptions.checkout(data, description, roots)
        reader = _Reader(root, description.parent, _papers(data, description), _release(data, root))
        cases = convert(Mapping[str, Mapping[str, Any]], data.get("cases", {}))
        return tuple(reader.case(name, {**shared, **entry}) for name, entry in cases.items())
    except BadValueError as error:
        raise descriptions.bench_error(f"{description}: {error}") from error


_SUITE_KEYS = ("cases", "marker", "releases", "paper")


@dataclass(frozen=True)
class _Reader:
    """Reads the cases of a description beside our files, about sources in ``root``."""

    root: Path
    beside: Path
    papers: Mapping[str, Mapping[str, Any]]
    release: str

    def case(self, name: str, entry: dict[str, Any]) -> Case:
        try:
            row = convert(str, entry.pop("paper_row", name.replace("-", "_")))
            defines = convert(tuple[str, ...], entry.pop("defines", []))
            if "size_flags" in entry:
                entry.setdefault("sizes", {size: [] for size in SIZES})
            case = descriptions.read(Case, entry, name=name, paper=None, release=self.release)
            return self._placed(replace(case, flags=(*case.flags, *defines)), row)
        except BadValueError as error:
            raise BadValueError(f"case '{name}': {error}") from error

    def _placed(self, case: Case, row: str) -> Case:
        """With the files and folders that are meant. Raises BadValueError."""
        for key, sizes in ("sizes", case.sizes), ("size_flags", case.size_flags or case.sizes):
            if set(sizes) != set(SIZES):
                raise BadValueError(f"{key}: must give {' and '.join(SIZES)}")
        if case.time.groups != 1:
            raise BadValueError("time: needs one group, around the seconds")
        folders = {"root": self.root, "beside": self.beside}
        paper = self.papers.get(case.suite, {}).get(row)
        return replace(
            case,
            flags=descriptions.placed(case.flags, folders),
            source_flags=descriptions.placed(case.source_flags, folders),
            own_flags=descriptions.placed(case.own_flags, folders),
            sources=descriptions.existing(self.root, case.sources),
            support=descriptions.existing(self.root, case.support),
            drivers=descriptions.existing(self.beside, case.drivers),
            paper=None if paper is None else descriptions.read(Paper, paper, row=row),
        )


def _release(data: Mapping[str, Any], root: Path) -> str:
    """Which release a checkout is, by patterns in its files; empty where none is found."""
    for name, value in data.get("releases", {}).items():
        file, pattern = (*convert(tuple[str, ...], value), "", "")[:2]
        path = root / file
        if path.is_file() and convert(re.Pattern[str], pattern).search(
            path.read_text("utf-8", "replace")
        ):
            return str(name)
    return ""


def _papers(data: Mapping[str, Any], description: Path) -> dict[str, Any]:
    if "paper" not in data:
        return {}
    return descriptions.read_toml(description.parent / convert(str, data["paper"]))
