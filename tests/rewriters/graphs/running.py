"""Graph kernels before and after the pass, run on graphs of all kinds with one thread and with two.

A kernel is a function with the parameters of ``HEAD``: a graph's outgoing edges (``off``, ``nbr``,
``w``), the incoming ones (``back``, ``from``, ``bw``) and three properties of its vertices. Names
that end in ``_both`` are for undirected graphs.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

HEAD = (
    "long n, const long *off, const long *nbr, const long *w, const long *back, const long *from,"
    " const long *bw, long *restrict a, long *restrict b, long *restrict c"
)
GRAPH = "#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, bw)\n"
UNDIRECTED = "#pragma s2s graph vertices(n) both(off, nbr, w)\n"

_MAIN = Path(__file__).with_name("running.c").read_text()


@dataclass(frozen=True)
class Ran:
    """The remarks about each kernel, by its name, and the new text."""

    said: dict[str, list[str]]
    text: str

    def done(self, name: str, words: str) -> bool:
        """Whether a remark about a kernel has such words."""
        return any(words in line for line in self.said[name])


def kernel(name: str, body: str, graph: str = GRAPH, head: str = HEAD) -> str:
    """The text of a kernel."""
    return f"void {name}({head})\n{{\n{graph}{body}\n}}\n"


def transformed(source: Path, passes: str, *, reassociate: bool = False) -> Ran:
    """A file through the pass."""
    options = Options(passes=(passes,), strict=True, reassociate=reassociate)
    outcome = transform_file(str(source), ("-fopenmp",), options)
    names = re.findall(r"^void (\w+)\(", outcome.original.decode(), re.MULTILINE)
    lines = outcome.original.decode().splitlines()
    starts = {n: i + 1 for n in names for i, x in enumerate(lines) if x.startswith(f"void {n}(")}
    said: dict[str, list[str]] = {name: [] for name in names}
    for d in outcome.diagnostics:
        if d.id == "graph" and d.location is not None:
            line = d.location.line
            before = [n for n in names if starts[n] <= line]
            owner = max(before, key=starts.__getitem__) if before else names[0]
            said[owner].append(f"{d.severity.value}: {d.text}")
    return Ran(said, outcome.text.decode())


def check(
    kernels: str, path: Path, passes: str = "graph:small=0", *, reassociate: bool = False
) -> Ran:
    """Compare a file of kernels before and after the pass; both are built and run.

    Small graphs push as large ones do unless ``passes`` says otherwise.
    """
    source = path / "kernels.c"
    source.write_text(kernels)
    ran = transformed(source, passes, reassociate=reassociate)
    new = path / "new.c"
    new.write_text(ran.text)
    main = path / "main.c"
    names = list(ran.said)
    table = ", ".join(f'{{"{n}", {n}}}' for n in names)
    prototypes = "".join(f"kernel {n};\n" for n in names)
    main.write_text(
        _MAIN.replace("HEAD", HEAD).replace("TABLE", table).replace("PROTOTYPES", prototypes)
    )
    wanted = _run(path, [main, source], "old", 1)
    for threads in (1, 2):
        assert _run(path, [main, new], "new", threads) == wanted, ran.text
    return ran


def _run(path: Path, files: list[Path], name: str, threads: int) -> list[str]:
    program = path / name
    if not program.exists():
        command = ["gcc", "-O1", "-fopenmp", "-fwrapv", "-w", "-o", str(program)]
        subprocess.run([*command, *map(str, files)], check=True, timeout=120)
    done = subprocess.run(
        [str(program)], check=True, timeout=60, capture_output=True, text=True,
        env={"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"},
    )  # fmt: skip
    return done.stdout.splitlines()
