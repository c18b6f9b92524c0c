"""Devices after a host's program: processes that run regions on simulators, and the C to call them.

A package brings a device by an entry point of the group ``s2s.devices``: the module that it names
calls ``register_engine`` as it is imported.
"""

from s2s.simulators.devices.engines import Engine, EngineError, Spent, register_engine

__all__ = ["Engine", "EngineError", "Spent", "register_engine"]
