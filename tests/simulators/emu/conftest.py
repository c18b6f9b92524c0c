"""Most programs of these tests run for less time than the compiler takes to make them fast."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from s2s.simulators.emu import program


@pytest.fixture(scope="module", autouse=True)
def _quickly_compiled(request: pytest.FixtureRequest) -> Iterator[None]:
    """No optimization, but for modules with ``OPTIMIZED``: they show that it changes nothing."""
    if getattr(request.module, "OPTIMIZED", False):
        yield
        return
    quick = tuple("-O0" if flag == "-O2" else flag for flag in program._FLAGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "_FLAGS", quick)
        program._runtime.cache_clear()
        yield
    program._runtime.cache_clear()
