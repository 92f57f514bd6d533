"""One module per family of constructs. Each has ``TABLE``: syntax node class to the small function that builds it.

Functions for expressions return the value; those for statements return nothing. They do not import each other.
"""
