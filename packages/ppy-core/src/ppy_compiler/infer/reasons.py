"""The remark codes (declared in ``diagnostics.codes.stayed_general``) for operations that stay general."""

from __future__ import annotations

UNPROVEN = "R4101"
UNMODELLED = "R4102"
ATTRIBUTE = "R4103"
BIG = "R4104"
MIXED = "R4105"
NO_NATIVE_FORM = "R4106"
LIBRARY = "R4107"
