"""The files of a design, executed against the definitions of the pipeline that they came from.

The machine reads the files as a user's would be read, and checks every cycle of the design. Its
input streams have elements of the definitions' own, its output streams have to have them, too:
those of the first and of the last tile.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.net import Mismatch
from s2s.scop.build import add, const, sub
from s2s.scop.expressions import Const, Expr
from s2s.scop.nest import For
from s2s.scop.rewrite import substitute
from s2s.scop.simplify.simplify import Simplifier
from s2s.source.diagnostics import UserError

if TYPE_CHECKING:
    import numpy as np

    from s2s.net.pipelines.definitions import Direct
    from s2s.scop.accelerator import StreamOrigin
    from s2s.scop.pipeline import Image, Pipeline
    from s2s.simulators.amber.beside import Beside
    from s2s.simulators.amber.execute import Run

    Words = np.ndarray[Any, np.dtype[np.uint32]]

ALONE = "the emitted design was only compared with the program order of its own files"
"""How the words of a check begin in which no definitions took part."""
LONG = "the emitted design was not executed"
"""The same of one that would run for too long; ``s2s simulate`` runs it."""
WORK = 2e9
"""The most work for values of definitions, about in nanoseconds."""
CYCLES = 1_000_000_000
"""The most cycles of a run, times instances: about half a minute."""


def check(
    name: str,
    files: Mapping[str, str],
    pipeline: Pipeline,
    around: Sequence[For],
    streams: Mapping[str, StreamOrigin],
) -> str:
    """Words about what was compared. Raises Mismatch."""
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as folder:
        for file, text in files.items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        try:
            return _Run(folder, name, pipeline, around, streams).compare()
        except UserError as error:
            said = error.diagnostics[0]
            where = f"line {said.location.line}: " if said.location else ""
            raise Mismatch(f"the emitted design fails: {where}{said.text}") from None


class _Run:
    """Runs of one design."""

    def __init__(
        self,
        folder: str,
        name: str,
        pipeline: Pipeline,
        around: Sequence[For],
        streams: Mapping[str, StreamOrigin],
    ) -> None:
        from s2s.simulators.amber.design import read_design
        from s2s.simulators.amber.machine import load
        from s2s.simulators.amber.netlist import flatten
        from s2s.simulators.amber.placement import read_placement
        from s2s.source.clockwork.memory_file import read_program

        design = read_design(f"{folder}/{name}_design.json")
        self._compute, self._cycles = design.compute, design.cycles or 0
        self._program = replace(read_program(design.memory), streamed=design.streamed)
        self._netlist = flatten(design, self._program, load())
        self._placed: Mapping[str, Sequence[str]] | None = None
        placement = Path(f"{folder}/{name}.place.json")
        if placement.is_file():
            found = read_placement(str(placement), design, self._program, load())
            self._placed = found.functions.texts
        self._pipeline, self._around, self._streams = pipeline, around, streams

    def compare(self) -> str:
        """Run the tiles at both ends."""
        if self._cycles * len(self._netlist.design.instances) > CYCLES:
            return f"{LONG}: its {self._cycles} cycles would take too long here"
        from s2s.simulators.amber.beside import with_handshakes
        from s2s.simulators.amber.execute import compiled

        parts = self._program, self._compute, self._netlist
        with (
            compiled(*parts, placed=self._placed) as run,
            with_handshakes(run, self._netlist.design) as both,
        ):
            return self._tiles(both)

    def _tiles(self, run: Run | Beside) -> str:
        import numpy as np

        from s2s.net.pipelines.definitions import TooMuch

        words = 0
        for last in (False, True) if self._around else (False,):
            direct = self._direct(int(last))
            try:
                given = [self._words(direct, name, last) for name in self._program.inputs]
                wanted = [self._words(direct, name, last) for name in self._program.outputs]
            except TooMuch:
                return self._alone(run)
            flat = [np.zeros(0, np.uint32), *(each.ravel() for each in given)]
            made = run(np.concatenate(flat)).words
            if direct.undefined:
                continue
            self._compare(made, wanted)
            words += sum(each.size for each in wanted)
        return f"the emitted design gave what the definitions give, {words} elements"

    def _alone(self, run: Run | Beside) -> str:
        """Run the design on made-up words, beside the program order of its own memory file."""
        from s2s.simulators.amber.data import input_words

        run(input_words(self._program, {}, 1))
        return f"{ALONE}: its definitions take too long at this size"

    def _compare(self, made: Words, wanted: Sequence[Words]) -> None:
        import numpy as np

        first = 0
        for name, right in zip(self._program.outputs, wanted, strict=True):
            own = made[first : first + right.size].reshape(right.shape)
            first += right.size
            if not np.array_equal(own, right):
                place = tuple(int(k[0]) for k in np.nonzero(own != right))
                raise Mismatch(
                    f"the emitted design gives {own[place]} for {name}{list(place)}, the"
                    f" definitions {right[place]} ({int((own != right).sum())} elements differ)"
                )

    def _direct(self, seed: int) -> Direct:
        from s2s.net.pipelines.cases import scalar_value
        from s2s.net.pipelines.definitions import Direct
        from s2s.net.pipelines.noise import Noise

        images = {
            name: Noise(image.type, *_box(image), seed + k)
            for k, (name, image) in enumerate(self._pipeline.images.items())
            if image.data is None
        }
        scalars = {n: scalar_value(s, seed) for n, s in self._pipeline.scalars.items()}
        return Direct(self._pipeline, images, scalars, limit=WORK)

    def _words(self, direct: Direct, stream: str, last: bool) -> Words:
        """A stream's words of a tile, outermost dimension first."""
        import numpy as np

        origin = self._streams[stream]
        ends = {loop.name: _end(loop, last) for loop in self._around}
        box = self._program.boxes[stream]
        minima = [
            _number(substitute(low, ends)) + least
            for low, least in zip(origin.first, box.minima[::-1], strict=False)
        ]
        extents = box.extents[::-1][: len(origin.first)]
        arrays = direct.output(origin.func, tuple(minima), tuple(extents))
        values = arrays[origin.component].values
        if values.dtype.kind == "f":
            values = values.view(f"u{values.dtype.itemsize}")
            if direct.pipeline.funcs[origin.func].types[origin.component].code == "bfloat":
                values = values >> 16
        mask = 2 ** self._program.width(stream) - 1
        found: Words = (values.astype(np.int64) & mask).astype(np.uint32).reshape(box.extents)
        return found


_SIZE = 4096
"""An extent that the caller gives, if nothing else says how large a picture is."""


def _box(image: Image) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Minima and extents of a picture, for definitions that ask where it ends."""
    said = [image.bounds.get(d, (None, None, None)) for d in range(image.rank)]
    minima = tuple(0 if low is None else _number(low) for low, _, _ in said)
    extents = tuple(_SIZE if size is None else _number(size) for _, size, _ in said)
    return minima, extents


def _end(loop: For, last: bool) -> Expr:
    return add(loop.minimum, sub(loop.extent, const(1))) if last else loop.minimum


def _number(expr: Expr) -> int:
    """A place; where sizes are the caller's, one of those that it may be."""
    sizes = {name: const(0 if ".min." in name else _SIZE) for name in expr.variables}
    found = Simplifier()(substitute(expr, sizes))
    assert isinstance(found, Const), found
    return int(found.value)
