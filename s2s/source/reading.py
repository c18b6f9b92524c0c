"""Reading a file that the user names."""

from s2s.source.diagnostics import Diagnostic, Severity, UserError


def read_source(path: str) -> bytes:
    """The bytes of a text file. Raises UserError where it cannot be read or is none."""
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise UserError(
            Diagnostic(Severity.ERROR, f"{path}: {error.strerror or error}", "input")
        ) from None
    if b"\0" in data:
        raise UserError(Diagnostic(Severity.ERROR, f"{path}: not a text file", "input"))
    return data
