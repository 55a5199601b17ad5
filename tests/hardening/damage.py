"""Damages copies of an archive and uses each: is it usable again, and what is reported?

`python -m tests.hardening.damage [SHARE]` prints two tables, of a plain and of an encrypted
archive; SHARE: of the 1,000 copies (1 is all).
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from desktop.domain.errors import AppError, DatabaseDamagedError
from desktop.domain.facts import Fact, FactFilter, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId, SourceId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.recall.search import Search
from desktop.settings.encryption import ProfileKey
from desktop.storage.archive import Archive
from desktop.storage.search.vectors import Encoded
from tests.archives import NOON, archive_in, finished

SESSIONS, MESSAGES = 60, 20
PAGE = 4096
STARTS = 3
_ANY = Query("", scope=EVERYWHERE)
_VECTOR = Encoded(bytes([1] * 64), bytes([255] * 8))


class Damage(StrEnum):
    BIT = "one bit"
    BYTES = "20 bytes"
    ZEROS = "a page of zeros"
    NOISE = "a page of noise"


COPIES = {Damage.BIT: 200, Damage.BYTES: 100, Damage.ZEROS: 100, Damage.NOISE: 100}
"""Of each of the two archives."""
_KEY = ProfileKey(bytes(range(48)))


@dataclass(slots=True)
class Outcome:
    """The result of one copy."""

    damage: Damage
    seed: int
    key: ProfileKey | None = None
    met: list[str] = field(default_factory=list)
    """The errors of each start, without the one that says what was saved."""
    is_told: bool = False
    bugs: list[str] = field(default_factory=list)
    missing: int = 0
    """Messages that the last start does not read as they were written."""

    @property
    def is_usable(self) -> bool:
        """Whether at most the first start fails, with a report of the damage."""
        return not self.bugs and not any(self.met[1:])


def write_archive(folder: Path, key: ProfileKey | None = None) -> bytes:
    """Return the bytes of an archive: 60 sessions, 1,200 messages, facts and documents."""
    archive = archive_in(folder, key=key)
    words = "Kan şekeri sabaha karşı yükselir. " * 12
    archive.imports.add(
        [
            finished(
                f"s{n}",
                *(f"{n}.{m} {words}" for m in range(MESSAGES)),
                title=f"Oturum {n}",
                topics=(f"konu {n % 7}",),
                at=NOON + timedelta(days=n),
            )
            for n in range(SESSIONS)
        ]
    )
    for n, session in enumerate(archive.sessions.sessions(EVERYTHING)):
        first = archive.sessions.messages(session.id)[0]
        text = f"Kullanıcı {n} kez ölçtü."
        fact = Fact(FactId(f"f{n}"), "Sağlık", text, 5, Origin.SESSION, Term.LONG, NOON)
        archive.facts.add([NewFact(fact, [FactSupport(first.id, 0, 9)])])
        archive.index.index_session(session.id)
    for n in range(10):
        source = Source(
            SourceId(f"d{n}"), SourceKind.DOCUMENT, f"Belge {n}", f"/{n}", NOON, NOON, f"{n:064}"
        )
        archive.sources.add(source, [NewPassage(f"{p} Kestane közde pişer.") for p in range(9)])
    archive.vectors.use_model("model", 64)
    said = [one.id for name in written() for one in archive.sessions.messages(SessionId(name))]
    archive.vectors.add({one: [_VECTOR] for one in said})
    archive.close()
    return (folder / "bellek.db").read_bytes()


def damaged(whole: bytes, damage: Damage, seed: int) -> bytes:
    """Return a damaged copy, the same for each seed."""
    chance = Random(f"{damage}{seed}")  # noqa: S311 - the same for each seed
    spoilt = bytearray(whole)
    page = chance.randrange(len(whole) // PAGE) * PAGE
    match damage:
        case Damage.BIT:
            spoilt[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        case Damage.BYTES:
            for _ in range(20):
                spoilt[chance.randrange(len(whole))] = chance.randrange(256)
        case Damage.ZEROS:
            spoilt[page : page + PAGE] = bytes(PAGE)
        case Damage.NOISE:
            spoilt[page : page + PAGE] = chance.randbytes(PAGE)
    return bytes(spoilt)


def written() -> Mapping[str, list[str]]:
    words = "Kan şekeri sabaha karşı yükselir. " * 12
    return {f"s{n}": [f"{n}.{m} {words}" for m in range(MESSAGES)] for n in range(SESSIONS)}


def try_copy(whole: bytes, damage: Damage, seed: int, key: ProfileKey | None = None) -> Outcome:
    """Start three times with a damaged copy and use everything in it."""
    outcome = Outcome(damage, seed, key)
    with TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        (folder / "bellek.db").write_bytes(damaged(whole, damage, seed))
        for _ in range(STARTS):
            outcome.met.append(_start(folder, outcome))
    return outcome


def _start(folder: Path, outcome: Outcome) -> str:
    try:
        archive = _opened(folder, outcome)
    except AppError as exc:
        return type(exc).__name__
    except Exception as exc:  # noqa: BLE001 - what is looked for
        outcome.bugs.append(f"open: {exc!r}")
        return "bug"
    failed = Counter[str]()
    outcome.missing = 0
    try:
        for step in (_read_all, _search, _list_others, _write):
            try:
                step(archive, outcome)
            except AppError as exc:
                failed[f"{step.__name__}: {type(exc).__name__}"] += 1
            except Exception as exc:  # noqa: BLE001 - the same
                outcome.bugs.append(f"{step.__name__}: {exc!r}")
    finally:
        archive.close()
    return ", ".join(failed)


def _opened(folder: Path, outcome: Outcome) -> Archive:
    try:
        return archive_in(folder, key=outcome.key)
    except DatabaseDamagedError:
        outcome.is_told = True
        return archive_in(folder, key=outcome.key)


def _read_all(archive: Archive, outcome: Outcome) -> None:
    right = written()
    read, errors = 0, list[AppError]()
    for session in archive.sessions.sessions(EVERYTHING):
        try:
            said = [one.content for one in archive.sessions.messages(session.id)]
        except AppError as exc:
            errors.append(exc)
            continue
        read += sum(one in right.get(session.id, ()) for one in said)
    outcome.missing = SESSIONS * MESSAGES - read
    if errors:
        raise errors[0]


def _search(archive: Archive, _outcome: Outcome) -> None:
    for session_id in archive.index.unindexed():
        archive.index.index_session(session_id)
    search = Search(archive.index)
    for word in ("sabaha", "konu", "ölçtü"):
        search.find(Query(word, kinds=frozenset(HitKind), scope=EVERYWHERE))
    archive.vectors.nearest(_VECTOR, _ANY, 9)
    archive.source_index.count_matches('"kestane"', 10)


def _list_others(archive: Archive, _outcome: Outcome) -> None:
    for fact in archive.facts.facts(FactFilter(EVERYTHING)):
        archive.facts.sources(fact.id)
    for source in archive.sources.sources(EVERYTHING):
        archive.sources.passages(source.id)
    archive.topics.most_used(EVERYTHING, limit=9)
    archive.descriptions.due()
    archive.sessions.active()


def _write(archive: Archive, _outcome: Outcome) -> None:
    archive.sessions.interrupt_streaming()
    for session in archive.sessions.sessions(EVERYTHING)[:1]:
        archive.sessions.rename(session.id, session.shown_title)
    archive.purge_deleted()


def copies(share: float = 1, key: ProfileKey | None = None) -> Iterator[Outcome]:
    """Yield the result of each damaged copy."""
    with TemporaryDirectory() as name, ProcessPoolExecutor(2) as pool:
        whole = write_archive(Path(name), key)
        wanted = [
            pool.submit(try_copy, whole, damage, seed, key)
            for damage, count in COPIES.items()
            for seed in range(int(count * share))
        ]
        yield from (one.result() for one in wanted)


def main() -> None:
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1
    for name, key in (("plain", None), ("encrypted", _KEY)):
        _print_table(name, list(copies(share, key)))


def _print_table(name: str, found: list[Outcome]) -> None:
    for one in found:
        if not one.is_usable:
            print(one.damage, one.seed, one.met, one.bugs)  # noqa: T201 - the table
    print(f"{name:18} copies usable at-once told  bugs messages-lost most")  # noqa: T201 - the table
    for damage in Damage:
        some = [one for one in found if one.damage is damage]
        print(  # noqa: T201 - the table
            f"{damage:18} {len(some):6} {sum(one.is_usable for one in some):6} "
            f"{sum(one.is_usable and not one.met[0] for one in some):7} "
            f"{sum(one.is_told for one in some):4} {sum(bool(one.bugs) for one in some):5} "
            f"{sum(one.missing for one in some):13} {max(one.missing for one in some):4}"
        )


if __name__ == "__main__":
    main()
