"""Why an execution ends early; none of these is a defect by itself."""


class NotExecuted(Exception):
    """The program does what the interpreter has no meaning for."""


class Undefined(Exception):
    """The program's behaviour is undefined for this input, or the input does not get there."""


class OutOfSteps(Exception):
    """More loop iterations than are allowed."""


class Exited(Exception):
    """The program ended by itself: ``exit``, ``abort``."""


class Unreached(Exception):
    """With this input the program does not get to the statements that are looked at."""
