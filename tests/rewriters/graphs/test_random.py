"""Random vertex programs: pulls, pushes, plain loops, in a row and in rounds, before and after."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.rewriters.graphs.running import check, kernel
from tests.thorough import some

_FOR = "for (long v = 0; v < n; v++)"
_PARALLEL = "#pragma omp parallel for\n"
_PROGRAMS = 24


def _value(random: Random, name: str, weight: str) -> str:
    """An expression of a property of the other end."""
    base = random.choice([f"{name}", f"{name} + {weight}", f"{name} - {weight} * 2", "1", weight])
    return random.choice([base, f"({base}) * 3", f"({base} & 63)"])


def _reduction(random: Random, target: str, value: str) -> tuple[str, bool]:
    """An update, and whether it can stand below a plain atomic."""
    choice = random.randrange(6)
    if choice == 0:
        return f"if ({value} < {target}) {target} = {value};", False
    if choice == 1:
        return f"{target} = {target} < {value} ? {value} : {target};", False
    operator = random.choice(["+", "-", "|", "&", "^"])
    return f"{target} {operator}= {value};", True


def _condition(random: Random, names: list[str]) -> str:
    if random.random() < 0.6:
        return ""
    return f"if ({random.choice(names)} {random.choice(['<', '>', '!='])} {random.randrange(40)}) "


def _pull(random: Random) -> str:
    target, source, other = random.sample("abc", 3)
    serial = random.random() < 0.1  # what the loop updates may be read, then
    source = target if serial else source
    value = _value(random, f"{source}[u]", "bw[e]")
    update, _ = _reduction(random, f"{target}[v]", value)
    inner = _condition(random, [f"{other}[u]", "bw[e]", f"{other}[v]"]) + update
    own = _condition(random, [f"{other}[v]", "v"])
    text = f"{_FOR} {own}for (long e = back[v]; e < back[v + 1]; e++) " + (
        f"{{ const long u = from[e]; {inner} }}"
    )
    return text if serial else f"{_PARALLEL}{text}"


def _push(random: Random) -> str:
    target, source, other = random.sample("abc", 3)
    value = _value(random, f"{source}[v]", "w[e]")
    update, plain = _reduction(random, f"{target}[u]", value)
    if not plain:
        update = f"{target}[u] += {value};"
    inner = _condition(random, [f"{other}[u]", "w[e]"])
    own = _condition(random, [f"{other}[v]", f"{source}[v]"])
    return f"{_PARALLEL}{_FOR} {own}for (long e = off[v]; e < off[v + 1]; e++) " + (
        f"{{ long u = nbr[e]; {inner}{{\n#pragma omp atomic\n{update}\n}} }}"
    )


def _plain(random: Random) -> str:
    target, source = random.choices("abc", k=2)
    value = random.choice([f"{source}[v] + 1", f"{target}[v] ^ {source}[v]", f"{source}[v]"])
    condition = _condition(random, [f"{source}[v]", "v"])
    return f"{_PARALLEL}{_FOR} {{ {condition}{target}[v] = {value}; }}"


def _program(random: Random) -> str:
    makers = random.choices([_pull, _push, _plain], weights=[4, 2, 4], k=random.randrange(2, 5))
    loops = "".join(f"{make(random)}\n" for make in makers)
    if random.random() < 0.5:
        return f"for (int t = 0; t < 4; t++) {{\n{loops}}}"
    return loops


@pytest.mark.parametrize("seed", some([1, 2]))
def test_random_programs_compute_what_they_did(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    text = "".join(kernel(f"program{i}", _program(random)) for i in range(_PROGRAMS))
    options = random.choice(["", ":machine=emu", ":flip=push", ":flip=pull", ":flip=push:changed="])
    options = options.replace("changed=", "changed=false")
    ran = check(text, tmp_path, f"graph{options}")
    assert sum("remark" in line for said in ran.said.values() for line in said) > _PROGRAMS // 4
