"""Transformations that make IR smaller without knowing types; one file per subject."""
