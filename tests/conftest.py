"""How tests run; the random tests' last lines: how much they tried, and from which seed."""

from __future__ import annotations

import gc
import os
from collections import Counter

import pytest

# isl's objects and syntax trees are many and have no cycles: collecting seldom saves a twentieth.
gc.set_threshold(50_000, 20, 50)
# Programs with more threads than there are free cores lose more by spinning than they compute.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


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
