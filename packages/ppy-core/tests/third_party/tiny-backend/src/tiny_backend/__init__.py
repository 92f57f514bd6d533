"""The smallest third-party backend."""

from __future__ import annotations
