"""What each construct costs on four nodelets; programs/rules.c has a region for each."""

from pathlib import Path

import pytest

from tests.simulators.emu.running import PROGRAMS, built

# Region: migrations, remote packets, threads.
RULES = {
    "store": (0, 6, 0),
    "wave": (7, 0, 0),
    "load and back": (2, 0, 0),
    "compound assignment": (1, 0, 0),
    "operands from left to right": (4, 1, 0),
    "right side first": (1, 2, 0),
    "atomic": (3, 1, 0),
    "remote": (0, 3, 0),
    "blocks": (8, 0, 0),
    "index without reading": (0, 6, 0),
    "structure in registers": (2, 1, 0),
    "variable in the frame": (4, 0, 0),
    "array in the frame": (2, 0, 0),
    "static data": (2, 0, 0),
    "replicated": (3, 0, 0),
    "copies": (4, 6, 0),
    "replicated memory": (1, 15, 0),
    "local allocation": (1, 0, 0),
    "spawn here": (4, 2, 1),
    "spawn there": (2, 2, 2),
    "spawn from elsewhere": (4, 0, 1),
    "spawn before a sync": (2, 0, 0),
    "tree": (12, 0, 7),
    "cilk_for": (8, 6, 1),
    "cilk_for downwards": (0, 0, 3),
    "local for": (0, 0, 3),
    "apply": (3, 0, 12),
    "reduce": (3, 0, 8),
    "library": (7, 2, 0),
}


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str) -> None:
    run = built(PROGRAMS / "rules.c", nodelets=4).run()
    assert run.stdout == ""
    assert run.status == 3
    region = run.region(rule)
    assert region is not None
    assert (region.migrations, region.remotes, region.threads) == RULES[rule]


def test_the_totals_are_those_of_the_parts() -> None:
    run = built(PROGRAMS / "rules.c", nodelets=4).run()
    assert run.migrations == sum(count for _, count in run.migrations_by_site)
    assert run.migrations == sum(map(sum, run.traffic))
    assert list(run.outbound) == [sum(row) for row in run.traffic]
    assert all(run.traffic[k][k] == 0 for k in range(4))
    assert sum(run.remotes) == sum(count for _, count in run.remotes_by_site)
    # All but the first thread are created; the one that runs the regions is in none of them.
    assert run.threads == sum(run.died) - 1 == 1 + sum(region.threads for region in run.regions)
    assert run.cycles == pytest.approx(run.chain + run.nodelet + run.contexts, abs=3)


def test_sites_name_lines_of_the_source() -> None:
    run = built(PROGRAMS / "rules.c", nodelets=4).run()
    lines = Path(PROGRAMS / "rules.c").read_text().splitlines()
    for site, _ in run.migrations_by_site:
        if site.line and site.text.isidentifier():
            assert site.text in lines[site.line - 1]


def test_addresses_have_views() -> None:
    """As public programs take them apart to find a copy without a call."""
    assert built(PROGRAMS / "views.c").run().status == 0


def test_copies_are_those_where_a_thread_has_read() -> None:
    """Queues of each nodelet behind one replicated pointer, filled by the first thread."""
    assert built(PROGRAMS / "seen.c").run().status == 0
