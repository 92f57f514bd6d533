"""The smallest third-party plugin."""

from __future__ import annotations
