"""The configuration's options as command-line flags, for argparse."""

from __future__ import annotations

import argparse

from ppy_compiler.driver.settings import BY_NAME, SHORT_FLAGS, Key


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the flags of the named keys."""
    group = parser.add_argument_group("configuration", "each also a key of [tool.ppy] and a PPY_… variable")
    for name in names:
        _add(group, BY_NAME[name])


def _add(group: argparse._ArgumentGroup, key: Key) -> None:
    destination = f"option_{key.name}"
    shorts = [short for short, other in SHORT_FLAGS.items() if other is key]
    if key.metavar:
        group.add_argument(
            *shorts, key.flag, dest=destination, metavar=key.metavar, help=f"{key.help} ({key.environment})"
        )
        return
    group.add_argument(
        key.flag, dest=destination, action="store_const", const="1", help=f"{key.help} ({key.environment})"
    )
    group.add_argument(
        "--no-" + key.flag[2:], dest=destination, action="store_const", const="0", help=argparse.SUPPRESS
    )


def chosen_options(arguments: argparse.Namespace) -> dict[str, str]:
    """What the command line said, by configuration key, as text."""
    prefix = "option_"
    given = ((name.removeprefix(prefix), value) for name, value in vars(arguments).items() if name.startswith(prefix))
    return {name: value for name, value in given if value is not None}
