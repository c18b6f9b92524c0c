"""Graphs by description, as ``--graph`` takes them: ``rmat:scale=10,ef=16,seed=1`` or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from s2s.simulators.emu.graphs.edges import EdgeList, edge_list
from s2s.simulators.emu.graphs.readers import read, refused
from s2s.simulators.emu.graphs.rmat import rmat

_MOST_EDGES = 1 << 28


def graph(description: str) -> EdgeList:
    """The graph of a description: a generator's name with its numbers, or a file's path.

    Raises UserError when there is no such generator, number or file.
    """
    name, colon, numbers = description.partition(":")
    if not colon or name not in _GENERATORS:
        path = Path(description)
        if colon and not path.exists():
            raise refused(f"'{name}' is no generator of graphs; {', '.join(_GENERATORS)} are")
        return read(path)
    given = dict(_number(word, description) for word in numbers.split(",") if word)
    generate, defaults = _GENERATORS[name]
    unknown = [key for key in given if key not in defaults]
    missing = [key for key, value in defaults.items() if value is None and key not in given]
    if unknown or missing:
        known = ", ".join(defaults)
        raise refused(f"'{description}': {name} takes {known}")
    values = {key: given.get(key, value or 0) for key, value in defaults.items()}
    return generate(values)


def _number(word: str, description: str) -> tuple[str, int]:
    key, _, value = word.partition("=")
    if not value.isascii() or not value.isdigit():
        raise refused(f"'{description}': '{word}' is not NAME=NUMBER")
    return key, int(value)


def _rmat(given: Mapping[str, int]) -> EdgeList:
    if given["scale"] > 40 or given["ef"] << given["scale"] > _MOST_EDGES or not given["weights"]:
        raise refused("rmat: too many edges, or weights up to 0")
    return rmat(
        given["scale"],
        given["ef"],
        given["seed"],
        weights=given["weights"],
        permute=bool(given["permute"]),
    )


def _path(given: Mapping[str, int]) -> EdgeList:
    return edge_list(given["n"], range(given["n"] - 1), range(1, given["n"]))


def _star(given: Mapping[str, int]) -> EdgeList:
    return edge_list(given["n"], [0] * (given["n"] - 1), range(1, given["n"]))


def _complete(given: Mapping[str, int]) -> EdgeList:
    pairs = [(u, v) for u in range(given["n"]) for v in range(given["n"]) if u != v]
    return edge_list(given["n"], [u for u, _ in pairs], [v for _, v in pairs])


def _empty(given: Mapping[str, int]) -> EdgeList:
    return edge_list(given["n"], (), ())


# Each generator with its numbers: a default, or None where one has to be given.
_GENERATORS: dict[str, tuple[Callable[[Mapping[str, int]], EdgeList], Mapping[str, int | None]]] = {
    "rmat": (_rmat, {"scale": None, "ef": 16, "seed": 1, "weights": 1, "permute": 0}),
    "path": (_path, {"n": None}),
    "star": (_star, {"n": None}),
    "complete": (_complete, {"n": None}),
    "empty": (_empty, {"n": None}),
}
