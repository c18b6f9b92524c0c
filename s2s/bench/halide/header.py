"""The real Halide's header with hardware primitives, for programs that have them.

``python -m s2s.bench.halide.header -o FOLDER`` writes ``FOLDER/Halide.h``, a copy of the installed
one in which Func and Stage also have the primitives of accelerators, which do nothing. With it in
front (``g++ -IFOLDER -I.../halide/include``) a source that s2s reads compiles with Halide, too.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from s2s.bench.halide import real

_TYPES = """
struct VarExtent {
    std::string var;
    int extent;
    template<typename V> VarExtent(const V &v, int e) : var(VarOrRVar(v).name()), extent(e) {}
    VarExtent(const std::string &v, int e) : var(v), extent(e) {}
};
struct IterLevel {
    std::string name;
    std::vector<VarExtent> iters;
    IterLevel(const std::string &n, const std::vector<VarExtent> &i) : name(n), iters(i) {}
    IterLevel(const std::vector<VarExtent> &i) : iters(i) {}
    IterLevel() = default;
};

"""

_BOTH = """
    @ &iteration_order(const std::vector<IterLevel> &) { return *this; }
    @ &iteration_order(const std::vector<VarExtent> &) { return *this; }
"""
_ANY = (
    *("hw_accelerate", "accelerator_input", "accelerator_output", "stream_to_accelerator"),
    *("accelerate_call_output", "compute_share_root", "compute_share", "coarse_grain_loop"),
    *("linebuffer", "fifo_depth", "output_rate", "kernel_buffer", "dual_bank"),
    "prepare_for_software_pipelining",
)
"""Primitives of Func and Stage whose arguments are no lists in braces."""

_FUNC = """
    template<typename... Lists> Func &accelerate(const std::vector<Func> &, const Var &, const Var &, const Lists &...) { return *this; }
    Func &accelerate(const std::vector<Func> &, const Var &, const Var &, const std::vector<Func> &) { return *this; }
    Func &stream_to_accelerator(const std::vector<std::string> &) { return *this; }
    Func &stream_to_accelerator(const std::vector<std::string> &, const std::vector<LoopLevel> &) { return *this; }
    template<typename... More> Func &create_memories(const std::vector<Func> &, const More &...) { return *this; }
    Func &mem_hierarchy(const std::vector<std::string> &) { return *this; }
    Func &fill_memories(const std::vector<Func> &) { return *this; }
    Func get_memory_level(const std::string &) { return *this; }
    LoopLevel get_looplevel(const std::string &, const VarOrRVar &, int = -1) { return LoopLevel::root(); }
"""  # noqa: E501

_MEMORY = "ROM = 2001, GLB = 2002,"
# Nothing of Halide's on a processor asks for HexagonDma, so no schedule for hardware is chosen.
_FEATURES = ("Clockwork", "CoreIR", "CoreIRValid", "CoreIRHLS", "HLS")


def with_primitives(text: str) -> str:
    """Halide's header with the primitives; ValueError where it is no header of Halide's."""
    for owner in ("Func", "Stage"):
        members = "".join(
            f"    template<typename... Any> {owner} &{name}(Any &&...) {{ return *this; }}\n"
            for name in _ANY
        )
        members += _BOTH.replace("@", owner) + (_FUNC if owner == "Func" else "")
        text = _behind(text, rf"^class {owner} \{{\n(?:.*\n)*?public:", "\n" + members)
    text = _before(text, r"^class Stage \{", _TYPES)
    text = _behind(text, r"enum class MemoryType \{", f" {_MEMORY}")
    features = "".join(f" {name} = halide_target_feature_hexagon_dma," for name in _FEATURES)
    return _behind(text, r"HexagonDma = halide_target_feature_hexagon_dma,", features)


def _behind(text: str, pattern: str, words: str) -> str:
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
    parser = argparse.ArgumentParser(prog="python -m s2s.bench.halide.header", description=__doc__)
    parser.add_argument("-o", dest="folder", type=Path, required=True, metavar="FOLDER")
    try:
        print(write(parser.parse_args(arguments).folder))
    except (OSError, ValueError) as error:
        print(f"s2s: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
