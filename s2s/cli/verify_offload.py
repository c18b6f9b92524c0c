"""``s2s verify --offload``: the host's program against the one with parts on devices or libraries.

Both are built by the offloaded program's Makefile and run with the same arguments. Text has to be
equal; numbers may differ as sums in another order do, by ``--tolerance`` relative to the largest of
their line.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from s2s.cli.run_devices import build
from s2s.cli.verify_reference import add_checks, read_checks, widen
from s2s.driver.libraries.files import compiler_of
from s2s.driver.offload.settings import OffloadOptions
from s2s.driver.options import Options, Outcome
from s2s.source.diagnostics import UserError
from s2s.source.offload import NAME, read_manifest
from s2s.source.records import dataclass

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)\b")


@dataclass(frozen=True)
class Compared:
    """Whether two outputs agree, and the largest relative difference of numbers."""

    same: bool
    largest: float
    detail: str = ""


def compare(before: str, after: str, tolerance: float) -> Compared:
    """Two outputs, text exactly and numbers within a tolerance."""
    one, other = before.splitlines(), after.splitlines()
    if len(one) != len(other):
        return Compared(False, 0.0, f"{len(one)} lines became {len(other)}")
    largest = 0.0
    for number, (left, right) in enumerate(zip(one, other, strict=True), 1):
        if left == right:
            continue
        numbers, others = _NUMBER.findall(left), _NUMBER.findall(right)
        if _NUMBER.sub("#", left) != _NUMBER.sub("#", right):
            return Compared(False, largest, f"line {number}: '{left}' became '{right}'")
        scale = max((abs(float(n)) for n in numbers if n[-1:].isdigit()), default=0.0) or 1.0
        for first, second in zip(numbers, others, strict=True):
            if first == second:
                continue
            difference = abs(float(first) - float(second)) / scale
            largest = max(largest, difference)
            if not difference <= tolerance:
                return Compared(False, largest, f"line {number}: {first} became {second}")
    return Compared(True, largest)


def judge_offloaded(
    file: str, flags: Sequence[str], chosen: OffloadOptions, arguments: Sequence[str],
    *, tolerance: float, timeout: float, shares: bool = False,
) -> tuple[bool, str]:  # fmt: skip
    """Whether a program does with devices what it does without, and a line about it.

    With ``shares`` the line says, too, how much of what it multiplies and adds devices do.
    """
    from s2s.driver.transform import transform_file

    try:
        outcome = transform_file(file, flags, Options(offload=chosen, force=True))
    except UserError as error:
        return False, f"{file}: tool-error ({error.diagnostics[0].text})"
    with tempfile.TemporaryDirectory(prefix="s2s-verify-") as scratch:
        program = _Program(file, flags, arguments, Path(scratch), timeout, tolerance)
        same, said = program.judge(outcome)
    if not same:
        return False, f"{file}: {said}"
    counts = shares and compiler_of(file, flags) == "gcc"
    more = _shares(file, flags, chosen, arguments, timeout) if counts else ""
    return True, f"{file}: {said}{more}"


@dataclass(frozen=True)
class _Program:
    """A user's program that is built and run as it is, offloaded, and in wider types."""

    file: str
    flags: Sequence[str]
    arguments: Sequence[str]
    scratch: Path
    timeout: float
    tolerance: float

    def judge(self, outcome: Outcome) -> tuple[bool, str]:
        """Whether the offloaded program does the same, with a word for it and details."""
        folder, host = write_program(self.scratch / "new", outcome), self.scratch / "host"
        command = [
            compiler_of(self.file, self.flags),
            *self.flags,
            "-O2",
            self.file,
            "-o",
            str(host),
            "-lm",
        ]
        if subprocess.run(command, capture_output=True).returncode:
            return False, "not-judged (the original does not compile)"
        try:
            made = build(folder, read_manifest(folder), linked=add_checks(folder))
        except UserError as error:
            return False, f"compile-error ({error.diagnostics[0].text})"
        own, new = self._run(host), self._run(made)
        if own is None or new is None:
            return False, "timeout"
        if own[0] != new[0]:
            return False, f"different (status {own[0]} became {new[0]})"
        found = compare(own[1], new[1], self.tolerance)
        if not found.same:
            return False, f"different ({found.detail})"
        checks = read_checks(self.scratch / "checks")
        if checks is not None and not checks.is_within:
            return False, f"different ({checks})"
        detail = "equal" if outcome.changed else "unchanged"
        if found.largest:
            detail = f"numbers differ by at most {found.largest:.1e}"
            detail += self._against_wider(own[1], new[1])
        return True, f"same ({detail})" + (f"; {checks}" if checks is not None else "")

    def _run(self, program: Path) -> tuple[int, str] | None:
        environment = {
            **os.environ,
            "S2S_DEVICES": str(self.scratch / "new"),
            "S2S_CHECKED": str(self.scratch / "checks"),
        }
        return _run([str(program.absolute()), *self.arguments], environment, self.timeout)

    def _against_wider(self, before: str, after: str) -> str:
        """How far both outputs are from that in double precision, where the program has one."""
        wide = self.scratch / "wide"
        reference = self._run(wide) if widen(self.file, self.flags, wide) else None
        if reference is None:
            return ""
        own, new = (compare(reference[1], text, 1e-2) for text in (before, after))
        if not own.same or not new.same:
            return ""
        return (
            f", from the program in double precision by {new.largest:.1e}"
            f" where the host's own differ by {own.largest:.1e}"
        )


def write_program(folder: Path, outcome: Outcome) -> Path:
    """All files of an offloaded program in a folder."""
    from s2s.source import output

    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        output.write_file(str(folder / name), data)
    return folder


def _shares(
    file: str, flags: Sequence[str], chosen: OffloadOptions, arguments: Sequence[str],
    timeout: float,
) -> str:  # fmt: skip
    """Which part of a program's operations and of its products devices have, as users get it."""
    from s2s.driver.offload.counting import read_count, with_counts
    from s2s.driver.transform import transform_file
    from s2s.source import output

    outcome = transform_file(file, flags, Options(offload=chosen))
    with tempfile.TemporaryDirectory(prefix="s2s-shares-") as scratch:
        folder = write_program(Path(scratch, "new"), outcome)
        host, left = Path(scratch, "host"), Path(scratch, "left")
        counted, program = Path(scratch, "counted.c"), Path(scratch, "counted")
        counted.write_bytes(with_counts(file, flags, str(host)))
        every = [*flags, f"-I{folder}", f"-I{os.path.dirname(os.path.abspath(file))}"]
        text = with_counts(str(folder / outcome.name), every, str(left))
        output.write_file(str(folder / outcome.name), text)
        subprocess.run(["gcc", "-w", *flags, "-O2", counted, "-o", program, "-lm"], check=True)
        made = build(folder, read_manifest(folder))
        environment = {**os.environ, "S2S_DEVICES": str(folder)}
        for one in (program, made):
            _run([str(one.absolute()), *arguments], environment, timeout)
        whole, rest = read_count(str(host)), read_count(str(left))
        manifest = json.loads((folder / NAME).read_text())
    if not whole:
        return "; it adds up no products"
    nodes = manifest.get("nodes")
    said = (
        f"{100 * nodes['libraries'] / nodes['all']:.0f} % of its operations and " if nodes else ""
    )
    return f"; devices do {said}{100 * (1 - rest / whole):.2f} % of its {whole:,} MACs"


def _run(
    command: Sequence[str], environment: dict[str, str], timeout: float
) -> tuple[int, str] | None:
    environment = {**environment, "S2S_AT_ONCE": "1"}  # a call is judged whether it pays or not
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=timeout, text=True, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout
