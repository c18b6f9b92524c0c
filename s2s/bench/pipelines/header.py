"""The real Halide's header with hardware primitives, for programs that have them.

``python -m s2s.bench.pipelines.header -o FOLDER`` writes ``FOLDER/Halide.h``, a copy of the
installed one in which Func and Stage also have the primitives of accelerators, which do nothing.
With it before that (``g++ -IFOLDER -I.../halide/include``) a source that s2s reads compiles with
Halide, too.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from s2s.bench.pipelines import real
from s2s.bench.pipelines.applications import folder

_MEMORY = "ROM = 2001, GLB = 2002,"
# Nothing of Halide's on a processor asks for HexagonDma, so no schedule for hardware is chosen.
_FEATURES = ("Clockwork", "CoreIR", "CoreIRValid", "CoreIRHLS", "HLS")


def with_primitives(text: str) -> str:
    """Halide's header with the primitives; ValueError where it is no header of Halide's."""
    parts = re.split(r"^// part: .*\n", (folder() / "primitives.h").read_text(), flags=re.MULTILINE)
    _, types, both, func, generator, dimension = parts
    owners = {
        "Func": both + func,
        "Stage": both,
        "GeneratorBase": generator,
        "Dimension": dimension,
    }
    for owner, members in owners.items():
        inside = rf"^class {owner} (?:: .*)?\{{\n(?:.*\n)*?public:"
        text = _after(text, inside, "\n" + members.replace("Owner", owner))
    text = _before(text, r"^class Stage \{", types)
    text = _after(text, r"enum class MemoryType \{", f" {_MEMORY}")
    features = "".join(f" {name} = halide_target_feature_hexagon_dma," for name in _FEATURES)
    return _after(text, r"HexagonDma = halide_target_feature_hexagon_dma,", features)


def _after(text: str, pattern: str, words: str) -> str:
    place = _found(text, pattern).end()
    return text[:place] + words + text[place:]


def _before(text: str, pattern: str, words: str) -> str:
    place = _found(text, pattern).start()
    return text[:place] + words + text[place:]


def _found(text: str, pattern: str) -> re.Match[str]:
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise ValueError(f"no '{pattern}' in this Halide.h")
    return found


def write(folder: Path) -> Path:
    """The header in a folder, made from the installed wheel; FileNotFoundError without one."""
    home = real.wheel()
    if home is None:
        raise FileNotFoundError("the real Halide is not installed (pip install halide)")
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "Halide.h"
    text = (home / "include" / "Halide.h").read_text(encoding="utf-8")
    made.write_text(with_primitives(text), encoding="utf-8")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m s2s.bench.pipelines.header", description=__doc__
    )
    parser.add_argument("-o", dest="folder", type=Path, required=True, metavar="FOLDER")
    try:
        print(write(parser.parse_args(arguments).folder))
    except (OSError, ValueError) as error:
        print(f"s2s: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
