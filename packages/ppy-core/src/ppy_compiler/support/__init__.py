"""The lowest floor: spans, source text, graph algorithms, lazy registries and fingerprints.

Takes nothing from the compiler and knows nothing of it. Every floor above may import from here, so each module
stays small, pure and cheap to import; import the module you need (`from ppy_compiler.support.spans import Span`).
"""
