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
from dataclasses import dataclass
from pathlib import Path

from s2s.cli.run_devices import build
from s2s.driver.offload.settings import OffloadOptions
from s2s.driver.options import Options
from s2s.source.diagnostics import UserError
from s2s.source.offload import NAME, read_manifest

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
    from s2s.source import output

    try:
        outcome = transform_file(file, flags, Options(offload=chosen, force=True))
    except UserError as error:
        return False, f"{file}: tool-error ({error.diagnostics[0].text})"
    with tempfile.TemporaryDirectory(prefix="s2s-verify-") as scratch:
        folder = Path(scratch, "new")
        for name, data in ((outcome.name, outcome.text), *outcome.companions):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            output.write_file(str(path), data)
        host = Path(scratch, "host")
        command = ["gcc", *flags, "-O2", file, "-o", str(host), "-lm"]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            return False, f"{file}: not-judged (the original does not compile)"
        try:
            program = build(folder, read_manifest(folder))
        except UserError as error:
            return False, f"{file}: compile-error ({error.diagnostics[0].text})"
        environment = {**os.environ, "S2S_DEVICES": str(folder)}
        runs = [
            _run([str(p.absolute()), *arguments], environment, timeout) for p in (host, program)
        ]
    if None in runs:
        return False, f"{file}: timeout"
    (status, before), (ended, after) = (r for r in runs if r is not None)
    if status != ended:
        return False, f"{file}: different (status {status} became {ended})"
    found = compare(before, after, tolerance)
    if not found.same:
        return False, f"{file}: different ({found.detail})"
    detail = "equal" if not found.largest else f"numbers differ by at most {found.largest:.1e}"
    more = _shares(file, flags, chosen, arguments, timeout) if shares else ""
    return True, f"{file}: same ({detail if outcome.changed else 'unchanged'}){more}"


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
        folder = Path(scratch, "new")
        for name, data in ((outcome.name, outcome.text), *outcome.companions):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            output.write_file(str(folder / name), data)
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
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=timeout, text=True, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout
