"""Tries to break Bellek, and prints a table of the results.

    python -m tests.hardening [PART ...] [--share S]

S: the share of the counts in `measured.md`. Each part is the same for its seed, except for its
timing.
"""

import argparse
import sys
from collections.abc import Callable, Mapping

from tests.hardening.damage import COPIES, copies
from tests.hardening.disk import fill_disks
from tests.hardening.fuzz import (
    fuzz_documents,
    fuzz_imports,
    fuzz_references,
    fuzz_settings,
    fuzz_streams,
    read_volumes,
)
from tests.hardening.hostile import visit_pages, visit_servers
from tests.hardening.kills import kill_commands, kill_windows
from tests.hardening.merges import merge_at_random
from tests.hardening.network import trace_network
from tests.hardening.packs import mutate_packs
from tests.hardening.passphrases import try_passphrases
from tests.hardening.scans import read_hostile_scans
from tests.hardening.syscalls import kill_at_calls
from tests.hardening.tally import HEAD, Tally


def damage_copies(count: int) -> Tally:
    """Damage copies of a plain archive; `tests.hardening.damage` also covers encrypted ones."""
    tally = Tally("damaged copies")
    for one in copies(count / sum(COPIES.values())):
        tally.tried += 1
        tally.tracebacks += bool(one.bugs)
        if not one.is_usable:
            tally.lost += 1
            tally.note(f"{one.damage} {one.seed}: {one.met} {one.bugs}")
    return tally


PARTS: Mapping[str, tuple[Callable[[int], Tally], int]] = {
    "calls": (kill_at_calls, 50_000),
    "kills": (kill_commands, 700),
    "windows": (kill_windows, 300),
    "disks": (fill_disks, 400),
    "damage": (damage_copies, 500),
    "imports": (fuzz_imports, 10_000),
    "documents": (fuzz_documents, 5_000),
    "references": (fuzz_references, 2_000),
    "volumes": (read_volumes, 27),
    "settings": (fuzz_settings, 3_000),
    "streams": (fuzz_streams, 2_000),
    "scans": (read_hostile_scans, 300),
    "pages": (visit_pages, 100),
    "servers": (visit_servers, 100),
    "network": (lambda _: trace_network(), 1),
    "passphrases": (try_passphrases, 1_000),
    "merges": (merge_at_random, 50),
    "packs": (mutate_packs, 20_000),
}
"""Each with how often it tries in the long run."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--share", type=float, default=1.0)
    options = parser.parse_args()
    rows = []
    for name in options.parts or PARTS:
        try_to_break, count = PARTS[name]
        tally = try_to_break(max(1, int(count * options.share)))
        rows.append(tally.row())
        for note in (*filter(None, [tally.skipped]), *tally.notes):
            sys.stderr.write(f"{tally.part}: {note}\n")
    sys.stdout.write("\n".join([HEAD, *rows, ""]))


if __name__ == "__main__":
    main()
