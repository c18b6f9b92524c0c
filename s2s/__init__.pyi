from s2s.api import Simulation, explain, simulate, transform, tune, verify
from s2s.cli.verify import Verdict
from s2s.driver.results import Dependence, Loop, Region, Result, Schedule, Statement
from s2s.source.diagnostics import Diagnostic, InternalError, Location, Severity, UserError

__version__: str
__all__ = [
    "Dependence",
    "Diagnostic",
    "InternalError",
    "Location",
    "Loop",
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
