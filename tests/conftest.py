"""No law fails because a machine is slow; and a gate that nobody watches tries the same examples each time.

On people's machines every run looks at other examples: there a counterexample is met by somebody who can mend it.
"""

import os

from hypothesis import settings

settings.register_profile("muster", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("muster")
