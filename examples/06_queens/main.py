"""In how many ways do n queens stand on a board of n by n without attacking each other, and what is the first?

    python main.py [N]
"""

import sys


def count(n: int, row: int, columns: int, left: int, right: int) -> int:
    """Ways to fill the rows from `row` on; the three masks hold what the queens above attack in this row."""
    if row == n:
        return 1
    total = 0
    free = ~(columns | left | right) & ((1 << n) - 1)
    while free:
        queen = free & -free
        free ^= queen
        total += count(n, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1)
    return total


def first(n: int) -> list[int]:
    """The columns of the first solution, row by row, found by going back from dead ends."""
    board: list[int] = []
    column = 0
    while len(board) < n:
        while column < n and any(c == column or abs(c - column) == len(board) - r for r, c in enumerate(board)):
            column += 1
        if column < n:
            board.append(column)
            column = 0
        elif board:
            column = board.pop() + 1
        else:
            raise ValueError(f"no solution for {n}")
    return board


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    try:
        for column in first(n):
            print(" ".join("Q" if c == column else "." for c in range(n)))
    except ValueError as error:
        print(error)
    print(f"{n} queens: {count(n, 0, 0, 0, 0)} ways")


if __name__ == "__main__":
    main()
