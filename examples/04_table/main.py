"""Summarise a table of comma-separated values.

    python main.py FILE [--by COLUMN] [--value COLUMN] [--sort {key,mean,count}]
"""

import argparse
import csv
import sys


class Summary:
    """Count, least, greatest and mean of some numbers."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.least = float("inf")
        self.greatest = float("-inf")

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.least = min(self.least, value)
        self.greatest = max(self.greatest, value)

    @property
    def mean(self) -> float:
        return self.total / self.count


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Summarise a table of comma-separated values.")
    parser.add_argument("file")
    parser.add_argument("--by", default="city", help="the column that makes groups")
    parser.add_argument("--value", default="degrees", help="the column with numbers")
    parser.add_argument("--sort", choices=["key", "mean", "count"], default="key")
    return parser.parse_args(words)


def summarise(path: str, by: str, value: str) -> dict[str, Summary]:
    groups: dict[str, Summary] = {}
    with open(path, newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                amount = float(row[value])
            except ValueError:
                print(f"line {number}: {row[value]!r} is no number", file=sys.stderr)
                continue
            groups.setdefault(row[by], Summary()).add(amount)
    return groups


def main() -> int:
    options = parse(sys.argv[1:])
    try:
        groups = summarise(options.file, options.by, options.value)
    except KeyError as missing:
        print(f"no column {missing}", file=sys.stderr)
        return 1
    order = {
        "key": lambda pair: pair[0],
        "mean": lambda pair: -pair[1].mean,
        "count": lambda pair: (-pair[1].count, pair[0]),
    }
    print(f"{options.by:<10} {'count':>5} {'least':>7} {'mean':>7} {'greatest':>9}")
    for key, summary in sorted(groups.items(), key=order[options.sort]):
        print(f"{key:<10} {summary.count:>5} {summary.least:>7.1f} {summary.mean:>7.2f} {summary.greatest:>9.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
