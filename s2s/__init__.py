"""s2s: a source-to-source transformer on one polyhedral representation."""

import os as _os

__version__ = "0.5.0"

# In a checkout the subpackages are the sibling folders of this one (see setup.cfg);
# an installed s2s has them inside.
_checkout = _os.path.dirname(_os.path.dirname(_os.path.realpath(__file__)))
if _os.path.isfile(_os.path.join(_checkout, "setup.cfg")):
    __path__.insert(0, _checkout)
