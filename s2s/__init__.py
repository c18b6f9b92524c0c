"""s2s: a source-to-source transformer on one polyhedral representation.

``s2s.transform``, ``explain``, ``verify``, ``simulate`` and ``tune`` are what the commands of these
names do, for Python; they are loaded when they are asked for. Their types are in ``__init__.pyi``.
"""

import os as _os

__version__ = "0.5.0"

# In a checkout the subpackages are the sibling folders of this one (see setup.cfg);
# an installed s2s has them inside.
_checkout = _os.path.dirname(_os.path.dirname(_os.path.realpath(__file__)))
if _os.path.isfile(_os.path.join(_checkout, "setup.cfg")):
    __path__.insert(0, _checkout)

__all__ = [
    "Dependence", "Design", "Designs", "Diagnostic", "InternalError", "LayerMapping", "Location",
    "Loop", "Mappings", "Region", "Result", "Schedule", "Severity", "Simulation", "Statement",
    "UserError", "Verdict", "explain", "simulate", "transform", "tune", "verify",
]  # fmt: skip

_PLACES = {
    "s2s.api": ("Simulation", "explain", "simulate", "transform", "tune", "verify"),
    "s2s.cli.verify": ("Verdict",),
    "s2s.driver.results": ("Dependence", "Loop", "Region", "Result", "Schedule", "Statement"),
    "s2s.tuning.results": ("Design", "Designs", "LayerMapping", "Mappings"),
    "s2s.source.diagnostics": ("Diagnostic", "InternalError", "Location", "Severity", "UserError"),
}


def __getattr__(name):
    """What is public, from the module that has it."""
    import importlib

    for module, names in _PLACES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 's2s' has no attribute '{name}'")


def __dir__():
    return sorted([*globals(), *__all__])
