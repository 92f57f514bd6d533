"""The most frequent words of a text, and the words that start sentences.

    python main.py [FILE]       without a file: the text below
"""

import sys

TEXT = """
The sea is calm tonight. The tide is full, the moon lies fair upon the straits; on the French coast the light gleams
and is gone; the cliffs of England stand, glimmering and vast, out in the tranquil bay. Come to the window, sweet is
the night-air! Only, from the long line of spray where the sea meets the moon-blanched land, listen! You hear the
grating roar of pebbles which the waves draw back, and fling, at their return, up the high strand, begin, and cease,
and then again begin, with tremulous cadence slow, and bring the eternal note of sadness in.
"""


def words(text: str) -> list[str]:
    """Runs of letters, in lower case; a hyphen or an apostrophe inside a word belongs to it."""
    found = []
    for raw in text.lower().split():
        word = raw.strip(".,;:!?\"'()")
        if word:
            found.append(word)
    return found


def frequencies(found: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in found:
        counts[word] = counts.get(word, 0) + 1
    return counts


def openings(text: str) -> list[str]:
    """The first word of each sentence."""
    for mark in "!?":
        text = text.replace(mark, ".")
    return [sentence.split()[0].strip(",;") for sentence in text.split(".") if sentence.strip()]


def main() -> None:
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            text = file.read()
    else:
        text = TEXT
    found = words(text)
    counts = frequencies(found)
    print(f"{len(found)} words, {len(counts)} different ones")
    for word, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:5]:
        print(f"{count:>4}  {word:<10} {'#' * count}")
    print("longest:", max(counts, key=len))
    print("sentences start with:", ", ".join(openings(text)))


if __name__ == "__main__":
    main()
