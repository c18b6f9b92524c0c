"""``python -m s2s``."""

import sys

from s2s.entry import main

sys.exit(main())
