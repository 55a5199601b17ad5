"""`python -m desktop`, and the entry of every build."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    from desktop.app.run import run  # noqa: PLC0415 - a spawned child imports this file too

    return run(sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
