"""`ppy init --plugin NAME`: a new distribution to start from."""

from __future__ import annotations

import argparse

from ppy_compiler.cli.terminal import show, tell
from ppy_compiler.driver.scaffold import KINDS, Template, make_distribution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group(required=True)
    for template in KINDS:
        group.add_argument(
            f"--{template.kind}",
            metavar="NAME",
            help={"plugin": "a plugin that models the library NAME", "backend": "a backend called NAME"}[template.kind],
        )
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder to make; by default `ppy-KIND-NAME`")


def execute(arguments: argparse.Namespace) -> int:
    template, name = _chosen(arguments)
    for file in make_distribution(template, name, arguments.output):
        show(f"{file}\n")
    folder = arguments.output or f"{template.prefix}{name}"
    tell(f"made {folder}; `pip install -e {folder}`, then `pytest {folder}`; its README.md says where to start")
    return 0


def _chosen(arguments: argparse.Namespace) -> tuple[Template, str]:
    return next((t, name) for t in KINDS if (name := getattr(arguments, t.kind)) is not None)
