"""Programs of these tests are compiled as those of the simulator's tests are."""

from tests.simulators.emu.conftest import _quickly_compiled

__all__ = ["_quickly_compiled"]
