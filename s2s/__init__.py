"""s2s: a source-to-source transformer on one polyhedral representation."""

from pathlib import Path as _Path

__version__ = "0.1.0"

# In a checkout the subpackages are the sibling folders of this one (see setup.cfg);
# an installed s2s has them inside.
_checkout = _Path(__file__).resolve().parent.parent
if (_checkout / "setup.cfg").is_file():
    __path__.insert(0, str(_checkout))
