"""What CPython's compiler warns of; the module's own filters come too late for it."""

import warnings

warnings.simplefilter("error")
print("\d", 1 is 1)
assert (1, "always true")
