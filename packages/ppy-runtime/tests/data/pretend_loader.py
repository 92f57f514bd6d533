"""The loader for libraries of the format ``pretend``: what the file says is what the unit does."""

from __future__ import annotations


def load(path, support):
    with open(path) as stream:
        said = stream.read()

    def execute(namespace, code, name):
        if said == "refuse":
            return NotImplemented
        namespace["native"] = f"{said} {name}"
        exec(code, namespace)
        return None

    if said == "broken":
        raise OSError("not a library")
    return execute
