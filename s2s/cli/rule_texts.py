"""What each kind of remark means, for readers of SARIF who have not read the manual."""

from __future__ import annotations

# A sentence on what it says, and one on what to do about it.
_TEXTS = {
    "effects": (
        "A call may read or write memory that the loop uses",
        "Make the callee's definition visible, or declare it pure or const where it is.",
    ),
    "lift": (
        "A part of the region cannot be modelled",
        "Bounds and subscripts have to be affine in the loops' variables and in values that the"
        " region does not change.",
    ),
    "inline": ("A callee was not inlined", "See its text for what keeps it from being inlined."),
    "parse": (
        "The parser does not read the file, or a part of it",
        "Nothing is changed there; the compiler gets the text as it is.",
    ),
    "budget": (
        "The polyhedral computation takes too long",
        "Split the region, or simplify its subscripts.",
    ),
    "race": (
        "Nothing orders two accesses to the same memory, one of them a write",
        "Add synchronization, or make the variable private; the program's result depends on"
        " how its threads are scheduled.",
    ),
    "internal": (
        "A defect of s2s kept the region as it was",
        "Please report it with the file; the program is not affected.",
    ),
    "time": ("The file takes too long", "Raise --time-limit, or choose fewer passes."),
    "check": (
        "The result could not be executed against the source",
        "What is proved is proved all the same.",
    ),
    "proof": ("The result could not be proved", "It was compared with the source by executing."),
    "rewritten": (
        "The function is the result of an earlier run and stays as it is",
        "Delete the comment at its top to have it transformed again.",
    ),
    "pragma": (
        "A directive for s2s has no effect or is not understood",
        "See the frontend's page.",
    ),
    "probe": ("What the compiler vectorizes", "Compare the loops before and after."),
    "tune": ("What measuring has chosen, or could not measure", "See the page on tuning."),
    "usage": ("The command line does not go together", "See the command's help."),
}
_OTHER = "Remarks of '{}'"


def rule_texts(rule: str) -> tuple[str, str]:
    """A short and a longer text for a rule: a pass's own summary where it is a pass."""
    if rule in _TEXTS:
        return _TEXTS[rule]
    from s2s.driver import passes

    if rule in passes.names():
        return passes.summary(rule), f"Said by the pass '{rule}': what it did, or why it did not."
    text = _OTHER.format(rule)
    return text, f"{text}: a target, a machine or a check of s2s."
