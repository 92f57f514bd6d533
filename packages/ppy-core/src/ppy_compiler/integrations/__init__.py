"""Where other programs call the compiler: the import hook. Each integration is found through an entry point."""

from __future__ import annotations
