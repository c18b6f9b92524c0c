"""The reader of layer files, MAESTRO's ``.m`` text.

The grammar, by an example::

    Constant NAME 8;
    Network n {
      Layer l {
        Type: CONV  Stride { X: 2, Y: 2 }  Dilation { X: 1, Y: 1 }
        Dimensions { K: 64, C: 3, R: 7, S: 7, Y: 230, X: 230 }
        Computation { O(I) += A(2*I + J) * B(J); }      // of Type: CONTRACTION alone
        Dataflow { SpatialMap(1,1) K; Cluster(64, P); TemporalMap(Sz(R),Sz(R)) R; ... }
      }
    }

``Dilation``, ``Computation`` and the type ``CONTRACTION`` are not MAESTRO's. A layer without a
``Dataflow`` has no mapping. As there, colons, commas and semicolons may be left out.
"""

from __future__ import annotations

from dataclasses import field

from s2s.source.diagnostics import Location
from s2s.source.records import dataclass
from s2s.source.spatial.computations import read_computation
from s2s.source.spatial.directives import Level, Map, Mapping, SpatialMap, TemporalMap
from s2s.source.spatial.layers import ALLOWED, NEEDED, WINDOWS, Computation, Kind, Layer, Network
from s2s.source.spatial.problems import meant, problem
from s2s.source.spatial.scanner import MOST, Scanner, Word


def read_network(path: str, data: bytes) -> Network:
    """The network of a layer file.

    Raises UserError, with line and column, for whatever is not understood. That tiles fit their
    extents and levels their clusters is asked by ``s2s.source.spatial.tiles``.
    """
    reader = _Reader(Scanner(path, data))
    network = reader.network()
    if not network.layers:
        raise problem("there is no layer in the network", reader.scanner.word.at)
    return network


@dataclass
class _Draft:
    """What has been read of a layer."""

    title: Word
    seen: dict[str, Location] = field(default_factory=dict)
    kind: Kind = Kind.CONV
    strides: dict[str, int] = field(default_factory=dict)
    dilations: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, tuple[int, Location]] = field(default_factory=dict)
    own: Computation | None = None


class _Reader:
    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.constants: dict[str, int] = {}

    def network(self) -> Network:
        found: Network | None = None
        while self.scanner.word.text:
            word = self.scanner.word
            if self.scanner.passes("Constant"):
                self._constant()
            elif self.scanner.passes("Network"):
                if found is not None:
                    raise problem("a file has one network; this is the second one", word.at)
                found = self._network()
            else:
                raise self.scanner.wrong("'Constant' or 'Network'", ["Constant", "Network"])
        if found is None:
            raise self.scanner.wrong("'Network'")
        return found

    def _constant(self) -> None:
        name = self.scanner.name("a name for the constant")
        value, _ = self.scanner.number(f"the value of {name.text}")
        if self.constants.setdefault(name.text, value) != value:
            raise problem(f"{name.text} is defined twice", name.at)
        self.scanner.passes(";")

    def _network(self) -> Network:
        title = "" if self.scanner.word.text == "{" else self.scanner.title().text
        self.scanner.sign("{")
        layers: list[Layer] = []
        while not self.scanner.passes("}"):
            if not self.scanner.passes("Layer"):
                raise self.scanner.wrong("'Layer' or '}'", ["Layer"])
            layers.append(self._layer())
        return Network(title, tuple(layers))

    def _layer(self) -> Layer:
        word = self.scanner.word
        draft = _Draft(word if word.text == "{" else self.scanner.title())
        self.scanner.sign("{")
        mapping = None
        while not self.scanner.passes("}"):
            part = self.scanner.word
            if part.text in draft.seen:
                raise problem(f"there are two '{part.text}' in one layer", part.at)
            if mapping is not None and part.text:
                raise problem("the Dataflow is the last part of a layer", part.at)
            draft.seen[part.text] = part.at
            if self.scanner.passes("Type"):
                self._kind(draft)
            elif self.scanner.passes("Stride"):
                draft.strides = self._steps("stride")
            elif self.scanner.passes("Dilation"):
                draft.dilations = self._steps("dilation")
            elif self.scanner.passes("Dimensions"):
                self._dimensions(draft)
            elif self.scanner.passes("Computation"):
                dims = {dim: size for dim, (size, _) in draft.sizes.items()}
                draft.own = read_computation(self.scanner, dims)
            elif self.scanner.passes("Dataflow"):
                mapping = self._dataflow(self._finished(draft), part.at)
            else:
                parts = ("Type", "Stride", "Dilation", "Dimensions", "Computation", "Dataflow")
                raise self.scanner.wrong(f"a part of a layer ({', '.join(parts)}) or '}}'", parts)
        return self._finished(draft, mapping)

    def _kind(self, draft: _Draft) -> None:
        self.scanner.passes(":")
        word = self.scanner.name("a type of layer")
        if word.text not in Kind.__members__:
            kinds = ", ".join(Kind.__members__)
            near = meant(word.text, Kind.__members__)
            raise problem(f"no type of layer is '{word.text}' (there are: {kinds}){near}", word.at)
        draft.kind = Kind[word.text]
        self.scanner.passes(";")

    def _steps(self, what: str) -> dict[str, int]:
        self.scanner.sign("{")
        found: dict[str, int] = {}
        while not self.scanner.passes("}"):
            word = self.scanner.name("X, Y or '}'")
            if word.text not in WINDOWS or word.text in found:
                raise problem(f"a {what} is that of X and of Y, once each", word.at)
            self.scanner.passes(":")
            found[word.text], _ = self.scanner.number(f"the {what}")
            self.scanner.passes(",") or self.scanner.passes(";")
        return found

    def _dimensions(self, draft: _Draft) -> None:
        self.scanner.sign("{")
        while not self.scanner.passes("}"):
            word = self.scanner.name("a dimension or '}'")
            if word.text in draft.sizes:
                raise problem(f"{word.text} is said twice", word.at)
            self.scanner.passes(":")
            draft.sizes[word.text] = (self._value(f"the size of {word.text}", {}), word.at)
            self.scanner.passes(",") or self.scanner.passes(";")

    def _value(self, what: str, extents: dict[str, int]) -> int:
        """A number, a constant, or ``Sz(D)``."""
        word = self.scanner.word
        if word.text == "Sz" and extents:
            self.scanner.take()
            self.scanner.sign("(")
            dim = self.scanner.name("a dimension")
            if dim.text not in extents:
                raise problem(unknown(dim.text, extents), dim.at)
            self.scanner.sign(")")
            return extents[dim.text]
        if word.text in self.constants:
            self.scanner.take()
            return self.constants[word.text]
        if word.text[:1].isalpha():
            near = meant(word.text, self.constants)
            raise problem(f"{what}: there is no constant '{word.text}'{near}", word.at)
        return self.scanner.number(what)[0]

    def _dataflow(self, layer: Layer, at: Location) -> Mapping:
        self.scanner.sign("{")
        levels: list[Level] = []
        maps: list[Map] = []
        while not self.scanner.passes("}"):
            word = self.scanner.word
            if self.scanner.passes("Cluster"):
                self.scanner.sign("(")
                size = self._value("the size of the cluster", layer.extents)
                self.scanner.passes(",")
                kind = self.scanner.name("P or L")
                if kind.text not in ("P", "L"):
                    raise problem(f"a cluster is P or L, not {kind.text}", kind.at)
                self.scanner.sign(")")
                levels.append(Level(tuple(maps), size, kind.text == "P", word.at))
                maps = []
            else:
                maps.append(self._map(layer, maps))
            self.scanner.passes(";")
        place = maps[0].at if maps else levels[-1].at if levels else at
        return Mapping((*levels, Level(tuple(maps), at=place)), at)

    def _map(self, layer: Layer, before: list[Map]) -> Map:
        word = self.scanner.take()
        if word.text not in ("TemporalMap", "SpatialMap"):
            known = ("TemporalMap", "SpatialMap", "Cluster")
            said = f"no directive is '{word.text}' (there are: {', '.join(known)})"
            raise problem(said + meant(word.text, known), word.at)
        self.scanner.sign("(")
        size = self._value("the size of the map", layer.extents)
        self.scanner.passes(",")
        offset = self._value("the offset of the map", layer.extents)
        self.scanner.sign(")")
        dim = self.scanner.name("a dimension")
        if dim.text not in layer.extents:
            raise problem(unknown(dim.text, layer.extents), dim.at)
        if any((same(one.dim, dim.text) and layer.slides) or one.dim == dim.text for one in before):
            raise problem(f"{dim.text} is mapped twice at one level", dim.at)
        kind = SpatialMap if word.text == "SpatialMap" else TemporalMap
        return kind(size, offset, dim.text, word.at)

    def _finished(self, draft: _Draft, mapping: Mapping | None = None) -> Layer:
        """The layer that has been read. Raises UserError where something is missing or too much."""
        at = draft.title.at
        title = "" if draft.title.text == "{" else draft.title.text
        if "Type" not in draft.seen:
            raise problem("the type of the layer is missing (Type: CONV)", at)
        if not draft.sizes:
            raise problem("the dimensions of the layer are missing (Dimensions { K: 8, ... })", at)
        if (draft.own is None) is (draft.kind is Kind.CONTRACTION):
            raise problem("a CONTRACTION, and no other layer, has a Computation", at)
        if draft.own is None:
            _check_dimensions(draft)
        default = 2 if draft.kind is Kind.TRCONV and "Stride" not in draft.seen else 1
        layer = Layer(
            title,
            draft.kind,
            tuple((dim, size) for dim, (size, _) in draft.sizes.items()),
            (draft.strides.get("Y", default), draft.strides.get("X", default)),
            (draft.dilations.get("Y", 1), draft.dilations.get("X", 1)),
            draft.own,
            mapping,
            at,
        )
        for part in ("Stride", "Dilation"):
            slides = layer.slides or (draft.kind is Kind.TRCONV and part == "Stride")
            if part in draft.seen and not slides:
                raise problem(f"a {draft.kind.value} has no {part.lower()}", draft.seen[part])
        if layer.macs >= MOST:
            raise problem(f"the layer has more than {MOST - 1} iterations", at)
        return layer


def unknown(dim: str, known: dict[str, int]) -> str:
    """What to say of a dimension that a layer does not have."""
    return f"the layer has no dimension '{dim}' (it has: {', '.join(known)})"


def same(one: str, other: str) -> bool:
    """Whether two names are of one dimension: that of the input or that of the output."""
    return one.rstrip("'") == other.rstrip("'")


def _check_dimensions(draft: _Draft) -> None:
    needed, kind = NEEDED[draft.kind], draft.kind.value
    sliding = draft.kind in (Kind.CONV, Kind.DSCONV, Kind.NGCONV, Kind.FC, Kind.POOL)
    for dim, (size, at) in draft.sizes.items():
        plain = dim.rstrip("'") if sliding and dim in ("Y'", "X'") else dim
        if plain not in ALLOWED[draft.kind]:
            known = sorted(ALLOWED[draft.kind] | ({"Y'", "X'"} if sliding else set()))
            raise problem(f"a {kind} has no dimension '{dim}' (it has: {', '.join(known)})", at)
        if plain != dim and plain in draft.sizes:
            raise problem(f"{dim} follows from {plain}: say one of the two", at)
        if kind == "DSCONV" and dim == "K" and size != 1:
            said = "K of a DSCONV is 1: it has one filter for each channel (others are NGCONV)"
            raise problem(said, at)
    for dim in sorted(needed):
        if dim not in draft.sizes and not (sliding and f"{dim}'" in draft.sizes):
            place = draft.seen["Dimensions"]
            raise problem(f"the size of {dim} is missing, which a {kind} has", place)
    for dim, (window, _) in WINDOWS.items():
        if sliding and dim in draft.sizes:
            size, at = draft.sizes[dim]
            reach = draft.dilations.get(dim, 1) * (draft.sizes[window][0] - 1) + 1
            if size < reach:
                raise problem(f"{dim} is {size}, less than the {reach} that {window} covers", at)
