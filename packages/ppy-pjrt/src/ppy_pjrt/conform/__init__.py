"""Conformance: what a plugin offers, what it lacks, and what it gets wrong."""
