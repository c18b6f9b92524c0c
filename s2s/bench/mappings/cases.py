"""The cases of ``benchmarks/marvel/tables.toml``, which says what they are."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from s2s.bench.descriptions import BadValueError, bench_error, read, read_toml
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.reading import read_network

FOLDER = Path(str(importlib.resources.files("s2s.benchmarks"))) / "marvel"


@dataclass(frozen=True)
class Verdict:
    """A nest of Table 5.1, and the paper's letters."""

    name: str
    published: str


@dataclass(frozen=True)
class Worked:
    """A mapping with MAESTRO's cycles; elements and bandwidth 0: the machine's own."""

    layer: str
    machine: str
    cycles: int
    elements: int = 0
    noc_bandwidth: int = 0

    @property
    def name(self) -> str:
        """The layer's."""
        return self.layer


@dataclass(frozen=True)
class Numbers:
    """A machine of Table 5.3, in elements of one byte and MHz."""

    machine: str
    elements: int
    clock: int
    noc_bandwidth: int
    l1: int
    l2: int
    dram_block: int

    @property
    def name(self) -> str:
        """``machine-p1``."""
        return f"machine-{self.machine}"


@dataclass(frozen=True)
class Tiles:
    """A layer of Table 5.5: the tile in L2, what runs in parallel."""

    layer: str
    tile: str
    parallel: str


@dataclass(frozen=True)
class Group:
    """Networks with published means of cycles over the roofline, by machine."""

    name: str
    source: str
    networks: tuple[str, ...]
    mean: str
    published: Mapping[str, float] = field(default_factory=dict, hash=False)
    machines: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Searched:
    """Layers of one shape in a network, to be mapped on a machine; ``names`` are all of theirs."""

    group: Group
    network: str
    layer: Layer
    names: tuple[str, ...]
    machine: str
    tiles: Tiles | None = None

    @property
    def name(self) -> str:
        """``gemm/NCF_2048x1x128@p1``."""
        return f"{self.network}/{self.names[0]}@{self.machine}"


@dataclass(frozen=True)
class StyleGroup:
    """Networks under a style; published are means by machine (``all``: over all of them) of cycles
    over the roofline, of cycles and of energy times those of the free search.
    """

    style: str
    source: str
    networks: tuple[str, ...]
    mean: str
    machines: tuple[str, ...] = ("p1", "p2")
    kinds: tuple[str, ...] = ()
    with_energy: bool = False
    over: Mapping[str, float] = field(default_factory=dict, hash=False)
    slower: Mapping[str, float] = field(default_factory=dict, hash=False)
    energy: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Styled:
    """A network's layers under a style on a machine."""

    group: StyleGroup
    network: str
    machine: str
    layers: tuple[Layer, ...] = field(repr=False)

    @property
    def name(self) -> str:
        """``eyeriss/vgg16@p1``."""
        return f"{self.group.style}/{self.network}@{self.machine}"


Case = Verdict | Numbers | Worked | Searched | Styled


def cases(small: bool) -> list[Case]:
    """All cases in the order of the file; ``small``: of the products of matrices the small ones."""
    path = FOLDER / "tables.toml"
    table = read_toml(path)
    try:
        found: list[Case] = [Verdict(n, letters) for n, letters in table["verdicts"].items()]
        found += [read(Numbers, one) for one in table["machine"]]
        found += [read(Worked, one) for one in table["worked"]]
        groups = [_group(one) for one in table["group"]]
        tiles = {one["layer"]: read(Tiles, one) for one in table["tiles"]}
        styles = [read(StyleGroup, one) for one in table["style"]]
    except BadValueError as error:
        raise bench_error(f"{path}: {error}") from error
    for group in groups:
        if not small:
            found += list(_searched(group, tiles))
        elif group.name == "gemm":
            found += [one for one in _searched(group, tiles) if one.layer.macs < 1 << 24]
    if not small:
        found += [one for group in styles for one in _styled(group)]
    return found


def _group(table: Mapping[str, Any]) -> Group:
    return Group(
        table["name"],
        table["source"],
        tuple(table["networks"]),
        table["mean"],
        table.get("published", {}),
        tuple(table.get("machines", table.get("published", ()))),
        tuple(table.get("kinds", ())),
    )


def published_spaces() -> dict[str, list[float]]:
    """Table 5.4: for each kind of space its least, average and greatest number of mappings."""
    found: dict[str, list[float]] = read_toml(FOLDER / "tables.toml")["spaces"]
    return found


def _searched(group: Group, tiles: Mapping[str, Tiles]) -> Iterator[Searched]:
    from s2s.tuning.spatial.networks import shapes

    for machine in group.machines:
        for network in group.networks:
            path = FOLDER / "networks" / f"{network}.m"
            layers = read_network(str(path), path.read_bytes()).layers
            counted = [one for one in layers if not group.kinds or one.kind.value in group.kinds]
            for layer, names in shapes(counted).items():
                shown = tiles.get(names[0])
                yield Searched(group, network, layer, tuple(names), machine, shown)


def _styled(group: StyleGroup) -> Iterator[Styled]:
    for machine in group.machines:
        for network in group.networks:
            path = FOLDER / "networks" / f"{network}.m"
            layers = read_network(str(path), path.read_bytes()).layers
            counted = [one for one in layers if not group.kinds or one.kind.value in group.kinds]
            yield Styled(group, network, machine, tuple(counted))


def worked_layer(name: str) -> Layer:
    """A layer of worked.m with its mapping."""
    path = FOLDER / "worked.m"
    layers = read_network(str(path), path.read_bytes()).layers
    return next(layer for layer in layers if layer.name == name)
