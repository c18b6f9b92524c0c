"""Random sequences of accesses, calls and threads against the rules written down in Python."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.simulators.emu.running import PROGRAMS, built

NODELETS = 3
STEP = st.tuples(st.sampled_from("rbw+@y"), st.integers(0, 25)).map(
    lambda step: f"{step[0]}{chr(97 + step[1])}"
)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, max_size=6).map("".join)
    return st.tuples(st.sampled_from("csh"), st.integers(0, 25), body).map(
        lambda step: f"{step[0]}{chr(97 + step[1])}{step[2]}."
    )


SCRIPTS = st.lists(st.recursive(STEP, nested, max_leaves=30), max_size=12).map("".join)


class Model:
    """Where the thread is, and what left each nodelet."""

    def __init__(self, script: str) -> None:
        self.letters: Iterator[str] = iter(script)
        self.at = 0
        self.outbound: Counter[int] = Counter()
        self.packets: Counter[int] = Counter()
        self.created: Counter[int] = Counter({0: 1})
        self.act()

    def reach(self, nodelet: int) -> None:
        if nodelet != self.at:
            self.outbound[self.at] += 1
            self.at = nodelet

    def send(self, nodelet: int) -> None:
        self.packets[self.at] += nodelet != self.at

    def act(self) -> None:
        home, has_spawned = self.at, False
        for operation in self.letters:
            if operation == ".":
                break
            owner = (ord(next(self.letters)) - 97) % NODELETS
            if operation in "rb+":
                self.reach(owner)
            elif operation in "w@":
                self.send(owner)
            elif operation == "c":
                self.act()
            elif operation in "sh":
                self.reach(home)
                self.at = owner if operation == "h" else home
                self.created[self.at] += 1
                self.act()
                self.reach(home)
                has_spawned = True
            else:
                self.reach(home)
                has_spawned = False
        if has_spawned:
            self.reach(home)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(script=SCRIPTS)
def test_random_scripts(script: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(script)
    run = built(PROGRAMS / "script.c", nodelets=NODELETS).run([str(path)])
    model = Model(script)
    nodelets = range(NODELETS)
    assert run.outbound == tuple(model.outbound[k] for k in nodelets)
    assert run.remotes == tuple(model.packets[k] for k in nodelets)
    assert run.created == tuple(model.created[k] for k in nodelets)
