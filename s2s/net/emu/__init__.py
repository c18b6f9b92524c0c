"""The net behind the door for Emu: what is emitted runs beside its source before it leaves."""

from s2s.net.emu.checking import check

__all__ = ["check"]
