"""C functions before and after the pass, run on many inputs, with equal results bit for bit."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file

# Sizes around those of strips and lanes.
_PROGRAM = Path(__file__).with_name("differential.c").read_text()
_ARRAYS = "static T u[MOST], v[MOST]; static int w[MOST];\n"


@dataclass(frozen=True)
class Compared:
    """What became of each function of a program: the texts, remarks, and who differs."""

    outcome: Outcome
    names: tuple[str, ...]

    @property
    def changed(self) -> set[str]:
        before, after = (_parts(t.decode()) for t in (self.outcome.original, self.outcome.text))
        return {name for name in self.names if before[name] != after[name]}

    def text(self, name: str) -> str:
        return _parts(self.outcome.text.decode())[name]

    @property
    def remarks(self) -> dict[str, list[str]]:
        """What is said of each function."""
        found: dict[str, list[str]] = {name: [] for name in self.names}
        lines = self.outcome.original.decode().splitlines()
        for said in self.outcome.diagnostics:
            assert said.location is not None
            above = "\n".join(lines[: said.location.line])
            names = _MARK.findall(above)
            if said.id == "idioms" and names and names[-1] in found:
                found[names[-1]].append(said.text)
        return found

    def different(self, *flags: str) -> set[str]:
        """Functions whose results are not the same. Raises AssertionError where a version fails."""
        outputs = [
            _output(text, flags).splitlines() for text in (self.outcome.original, self.outcome.text)
        ]
        assert len(outputs[0]) == len(outputs[1])
        pairs = zip(*outputs, strict=True)
        return {a.partition("\t")[0] for a, b in pairs if a != b}


_MARK = re.compile(r"/\*@([^@]*)@\*/")


def _parts(text: str) -> dict[str, str]:
    """The texts of the functions by their names."""
    pieces = _MARK.split(text)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def transformed(
    folder: Path, functions: dict[str, str], *flags: str, kind: str = "float", modes: int = 20,
    **options: object,
) -> Compared:  # fmt: skip
    """What the pass makes of functions ``double f(int n)``, given by name.

    They may use arrays u, v (of type T, which is ``kind``) and w (int).
    """
    texts, table = [_ARRAYS], []
    for number, (name, text) in enumerate(functions.items()):
        texts.append(f"/*@{name}@*/" + re.sub(r"\bf\(int n\)", f"f{number}(int n)", text))
        table.append(f'{{"{name}", f{number}}}')
    text = _PROGRAM.replace("FUNCTIONS", "\n".join([*texts, "/*@@*/"]))
    text = text.replace("TABLE", ", ".join(table)).replace("MODES", str(modes))
    source = folder / "before.c"
    source.write_text(text.replace("#define T float", f"#define T {kind}"))
    chosen = Options(strict=True, passes=("idioms",), **options)  # type: ignore[arg-type]
    return Compared(transform_file(str(source), flags, chosen), tuple(functions))


@cache
def _output(text: bytes, flags: tuple[str, ...]) -> str:
    """What a program prints; several tests begin with the same one."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "program.c"), Path(folder, "program.x")
        source.write_bytes(text)
        # Sanitizers find no less without optimization, which takes most of the time there.
        level = "-O0" if any("-fsanitize" in flag for flag in flags) else "-O1"
        command = ["gcc", level, "-ffp-contract=off", *flags, str(source), "-o", str(binary), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        ran = subprocess.run([str(binary)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr[:2000]
    return ran.stdout
