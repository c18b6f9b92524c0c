from s2s.api import Simulation, explain, simulate, transform, tune, verify
from s2s.cli.verify import Verdict
from s2s.driver.results import Dependence, Loop, Region, Result, Schedule, Statement
from s2s.source.diagnostics import Diagnostic, InternalError, Location, Severity, UserError
from s2s.tuning.results import Design, Designs, LayerMapping, Mappings

__version__: str
__all__ = [
    "Dependence",
    "Design",
    "Designs",
    "Diagnostic",
    "InternalError",
    "LayerMapping",
    "Location",
    "Loop",
    "Mappings",
    "Region",
    "Result",
    "Schedule",
    "Severity",
    "Simulation",
    "Statement",
    "UserError",
    "Verdict",
    "explain",
    "simulate",
    "transform",
    "tune",
    "verify",
]
