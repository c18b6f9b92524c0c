"""How tests run; the random tests' last lines: how much they tried, and from which seed."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from s2s.simulators.amber import compile as of_machine
from tests import inputs
from tests.loaded import load, transform_here

# isl's objects and syntax trees are many and have no cycles: collecting seldom saves a twentieth.
gc.set_threshold(50_000, 20, 50)
_MANY = 8
# Programs with more threads than there are free cores lose more by spinning than they compute.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Processes that end some seconds after the test that asked them: tests of theirs start their own.
os.environ["S2S_SERVER"] = "0"
# What make preloads is in this process by now; the programs that tests start have their own.
if "PYTEST_XDIST_WORKER" in os.environ and "mimalloc" in os.environ.get("LD_PRELOAD", ""):
    del os.environ["LD_PRELOAD"]
# Designs of tests run for a moment: to optimize them more takes longer than it saves.
of_machine.FLAGS = tuple("-O1" if flag == "-O2" else flag for flag in of_machine.FLAGS)
# How long an example takes says how much else the machine has to do, nothing of s2s.
settings.register_profile("s2s", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("s2s")


def pytest_configure(config: pytest.Config) -> None:
    """Let what tests compile be linked by gold where it is there: that takes a third of the time.

    With sanitizers it does; two thirds without. ``COMPILER_PATH`` is where gcc looks for ``ld``.
    """
    if gold := shutil.which("ld.gold"):
        folder = tempfile.TemporaryDirectory(prefix="s2s-linker-")
        config.add_cleanup(folder.cleanup)
        Path(folder.name, "ld").symlink_to(gold)
        more = os.environ.get("COMPILER_PATH")
        os.environ["COMPILER_PATH"] = os.pathsep.join(filter(None, (folder.name, more)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    totals: dict[str, Counter[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name.startswith("s2s ") and report.when == "call":
                    totals.setdefault(name, Counter()).update(value)
    for name, counts in sorted(totals.items()):
        terminalreporter.section(f"{name}, S2S_SEED={os.environ.get('S2S_SEED', '1')}")
        width = max(map(len, counts))
        for what, count in sorted(counts.items()):
            terminalreporter.write_line(f"{what:{width}}  {count}")


def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Where one test is run alone, loading all costs more than it saves."""
    if len(item.session.items) > _MANY:
        load()
        transform_here(item.get_closest_marker("in_child") is None)


class _InputFile(pytest.File):
    """A C or C++ file that is a test by its first line."""

    def collect(self) -> Iterator[pytest.Item]:
        stays = b"\n// stays" in self.path.read_bytes()
        yield _InputItem.from_parent(self, name="stays" if stays else "as expected")


class _InputItem(pytest.Item):
    def runtest(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            inputs.check(self.path, Path(folder))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.nodeid

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        if isinstance(excinfo.value, inputs.WrongError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix in inputs.ENDINGS and inputs.is_input(file_path):
        return _InputFile.from_parent(parent, path=file_path)
    return None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Renewing is about files only."""
    return True if inputs.RENEW and collection_path.suffix == ".py" else None
