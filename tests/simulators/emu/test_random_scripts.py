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
    """Where the thread is, and what left each nodelet; ``first``: the first one is acting."""

    def __init__(self, script: str, *, first: bool) -> None:
        self.letters: Iterator[str] = iter(script)
        self.at = 0
        self.first = first
        self.fetched = 0
        self.kept: dict[tuple[str, int], int] = {}
        self.last: dict[str, tuple[str, int]] = {}
        self.outbound: Counter[int] = Counter()
        self.packets: Counter[int] = Counter()
        self.created: Counter[int] = Counter() if first else Counter({0: 1})
        self.act()
        self.reach(0)

    def reach(self, nodelet: int) -> None:
        if nodelet != self.at:
            self.outbound[self.at] += 1
            self.at = nodelet

    def read(self, operation: str, word: tuple[str, int]) -> None:
        """Go there; the first thread comes home with what it reads, unless it still has it."""
        home, owner = self.at, word[1] % NODELETS
        if not self.first:
            self.reach(owner)
        elif owner != home and not self.is_kept(operation, word):
            self.reach(owner)
            self.reach(home)
            self.fetched += 1
            self.kept[word] = self.fetched
            self.last[operation] = word

    def is_kept(self, operation: str, word: tuple[str, int]) -> bool:
        if word not in self.kept:
            return False
        return self.fetched - self.kept[word] < 4 or self.last.get(operation) == word

    def send(self, word: tuple[str, int]) -> None:
        self.packets[self.at] += word[1] % NODELETS != self.at
        self.kept.pop(word, None)

    def go(self, element: int) -> None:
        """An atomic operation, for which the first thread comes home, too."""
        home = self.at
        self.reach(element % NODELETS)
        self.kept.pop(("a", element), None)
        if self.first:
            self.reach(home)

    def spawn(self, place: int) -> None:
        first, self.first = self.first, False
        self.at = place
        self.created[place] += 1
        self.act()
        self.first = first

    def act(self) -> None:
        home, has_spawned = self.at, False
        if self.first:
            self.fetched += 4  # a loop begins with nothing in registers
        for operation in self.letters:
            if operation == ".":
                break
            element = ord(next(self.letters)) - 97
            if operation == "r":
                self.read("r", ("a", element))
            elif operation == "b":
                self.read("pointer", ("blocks", element))
                self.read("b", ("block", element))
                self.send(("block", element))
            elif operation == "+":
                self.go(element)
            elif operation in "w@":
                self.send(("a", element))
            elif operation == "c":
                self.act()
            elif operation in "sh":
                self.reach(home)
                self.spawn(element % NODELETS if operation == "h" else home)
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
@given(script=SCRIPTS, first=st.booleans())
def test_random_scripts(script: str, first: bool, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(script)
    arguments = [str(path)] if first else [str(path), "thread"]
    run = built(PROGRAMS / "script.c", nodelets=NODELETS).run(arguments)
    model = Model(script, first=first)
    nodelets = range(NODELETS)
    assert run.outbound == tuple(model.outbound[k] for k in nodelets)
    assert run.remotes == tuple(model.packets[k] for k in nodelets)
    assert run.created == tuple(model.created[k] for k in nodelets)
