"""Files that stand beside a kernel, whatever it computes."""

from __future__ import annotations


def intrinsics() -> tuple[str, bytes]:
    """The header that the kernel includes: with it, g++ compiles the kernel too."""
    from importlib import resources

    from s2s.emitters.aie.kernel import HEADER

    file = resources.files("s2s.simulators.aie").joinpath("include", HEADER)
    return HEADER, file.read_bytes()
