"""Why something cannot be mapped to the core."""


class Unmappable(Exception):
    """A pooling for which a variant has no program; the text says why."""
