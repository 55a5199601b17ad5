"""One run over the space of a shared project: receive what others share now, then send.

A member writes below its own id: sealed files, one for each item and each file of an item, named
by what they contain, and an index, signed, that lists what it shares now. What is in no index of
its member is removed here, and its files are removed from the space.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from desktop.domain.errors import FileUnreadableError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import ProjectId
from desktop.domain.sharing import (
    Digest,
    ItemKind,
    Member,
    MemberId,
    MemberState,
    Ownership,
    SharedItem,
    SharingReport,
)
from desktop.domain.sync import CarrierSlowError
from desktop.domain.times import utc_now
from desktop.sessions.sharing.membership import (
    Identity,
    NewerIndexError,
    ProjectKey,
    ShareIndex,
    verified,
    wrap,
)
from desktop.sessions.syncing.carrier import FILE, KEY, STATE, Carrier, FileName
from desktop.sessions.syncing.packs import BrokenFileError, open_file, seal_file
from desktop.storage.archive import Archive
from desktop.storage.repositories.shared_forms import (
    ItemContent,
    NewerItemError,
    parse_content,
    portable,
    stored_files,
)

_LEVEL = 6
_MOST_SEALED = 64 << 20  # Bytes of an item or index in the space
_MOST_OPENED = 128 << 20  # … and of its JSON
_MOST_OF_FILE = 1 << 30
_AS_IT_IS = Digest("")


@dataclass(frozen=True, slots=True)
class SharePlace:
    """Where a profile takes part in a shared project, and as whom."""

    project: ProjectId
    project_name: str
    name: str
    """Of the member."""
    founder: MemberId
    """Empty if nobody is known to have begun."""


class SharedSpace:
    """Of one run; not for the window's thread. Methods raise SyncError and StorageError."""

    def __init__(
        self,
        archive: Archive,
        carrier: Carrier,
        key: ProjectKey,
        identity: Identity,
        place: SharePlace,
    ) -> None:
        self._archive, self._carrier = archive, carrier
        self._key, self._identity, self._place = key, identity, place
        self._listing = {device: carrier.names(device) for device in carrier.devices()}
        self._problems: dict[str, set[str]] = defaultdict(set)
        self._least = 1
        self._by_content: dict[MemberId, dict[str, FileName]] = {}
        self._received = self._sent = self._removed = 0
        self.indexes: dict[MemberId, ShareIndex] = {}
        self.known = {member.id: member for member in archive.shared.members(place.project)}
        self.indexes = dict(self._read_indexes())

    @property
    def own_index(self) -> ShareIndex | None:
        return self.indexes.get(self._identity.id)

    def founder(self) -> MemberId:
        """Return who began to share: the one member that says so; empty if several do."""
        founders = [member for member, index in self.indexes.items() if index.founder == member]
        return founders[0] if len(founders) == 1 else MemberId("")

    def rotation(self) -> Mapping[str, str] | None:
        """Return the new keys by member, if whoever began to share has given new ones."""
        for name in self._files(self._place.founder, KEY):
            if name.number > 1:
                with suppress(BrokenFileError):
                    body = self._signed(self._place.founder, str(name))
                    keys = body.get("keys")
                    if isinstance(keys, dict):
                        return {str(member): str(key) for member, key in keys.items()}
        return None

    def rotate(self, secret: bytes, members: Collection[Member]) -> None:
        """Give a new key of the project to members: the others cannot open what follows."""
        keys: dict[str, JsonValue] = {member.id: wrap(secret, member.key) for member in members}
        keys[self._identity.id] = wrap(secret, self._identity.opens)
        self._write_signed(KEY, 2, {"keys": keys})

    def follow(self, earlier: "SharedSpace") -> None:
        """Go on from the space of an earlier key."""
        if before := earlier.own_index:
            self._least = before.number + 1

    def enter(self) -> None:
        """Write the first file of this member, unless it is there."""
        if not self._files(self._identity.id, KEY):
            self._write_signed(KEY, 1, {"opens": self._identity.opens})

    def clear(self) -> None:
        """Remove what this member shares in the space; its keys stay for those who come late."""
        for kind in (STATE, FILE):
            for name in self._files(self._identity.id, kind):
                self._remove(str(name))

    def receive(self) -> None:
        """Add and change what others share, and remove for good what they no longer do."""
        items = self._archive.shared.items(self._place.project)
        wanted: list[Ownership] = []
        gone: list[str] = []
        has_replaced = False
        for member, index in self._others():
            self._note(member, index)
            if self._is_removed(member):
                continue
            listed = {item.id: item for item in index.items}
            own = {id_: held for id_, held in items.items() if held.member == member}
            gone += [id_ for id_, held in own.items() if id_ not in listed and not held.is_own]
            wanted += [
                Ownership(item, self._place.project, member, index.name, is_own=False)
                for item in listed.values()
                if item.id not in own or own[item.id].item.digest != item.digest
            ]
        kinds = list(ItemKind)
        for ownership in sorted(wanted, key=lambda each: kinds.index(each.item.kind)):
            if self._add(ownership):
                self._received += 1
                has_replaced |= ownership.item.id in items
        self._archive.purge_taken_back(gone, has_replaced=has_replaced)
        self._removed = len(gone)

    def _others(self) -> Iterator[tuple[MemberId, ShareIndex]]:
        for member, index in self.indexes.items():
            if member != self._identity.id:
                yield member, index

    def _is_removed(self, member: MemberId) -> bool:
        known = self.known.get(member)
        return known is not None and known.state is MemberState.REMOVED

    def _note(self, member: MemberId, index: ShareIndex) -> None:
        state = MemberState.LEFT if index.has_left else MemberState.ACTIVE
        before = self.known.get(member)
        seen_at = before.seen_at if before and before.number == index.number else utc_now()
        state = MemberState.REMOVED if self._is_removed(member) else state
        # The key that a new key is sealed for stays the one that was seen first.
        key = before.key if before else index.opens
        now = Member(
            id=member, name=index.name, number=index.number, key=key, seen_at=seen_at, state=state
        )
        if now != before:
            self._archive.shared.note_member(self._place.project, now)
            self.known[member] = now

    def _add(self, ownership: Ownership) -> bool:
        name = self._key.keyed(ownership.item.digest)
        content = self._content(ownership.member, name, ownership.item)
        if content is None:
            return False
        if not all(
            self._fetch(ownership.member, digest, stored)
            for digest, stored in stored_files(content).items()
        ):
            return False
        try:
            is_added = self._archive.shared.add(ownership, content)
        except ValueError:
            self._problems["refused"].add(ownership.name)
            return False
        if not is_added:
            self._problems["waiting"].add(ownership.name)
        return is_added

    def _content(self, member: MemberId, what: str, item: SharedItem) -> ItemContent | None:
        file = self._find(member, what)
        sealed = self._read(member, file, _MOST_SEALED) if file else None
        if file is None or sealed is None:
            self._problems["waiting"].add(self._name(member))
            return None
        try:
            packed = self._key.open(member, str(file), sealed)
            text = _decompressed(packed)
            _check_equal(sha256(text).hexdigest(), item.digest)
            return parse_content(item.kind, json.loads(text))
        except NewerItemError:
            self._problems["newer"].add(self._name(member))
            return None
        except (BrokenFileError, ValueError, TypeError, RecursionError):
            self._problems["broken"].add(self._name(member))
            return None

    def _fetch(self, member: MemberId, digest: str, stored: str) -> bool:
        """Fetch a file of an item, unless it is here; return whether it is here."""
        store = self._archive.files
        if store.path(stored).is_file():
            return True
        file = self._find(member, self._key.keyed(digest))
        sealed = self._read(member, file, _MOST_OF_FILE) if file else None
        if file is None or sealed is None:
            self._problems["waiting"].add(self._name(member))
            return False
        try:
            name, data = open_file(self._key, member, str(file), sealed)
            _check_equal(name, stored)
            store.store_copy(name, data, digest)
        except (BrokenFileError, ValueError):
            self._problems["broken"].add(self._name(member))
            return False
        return True

    def _name(self, member: MemberId) -> str:
        named = self.indexes.get(member) or self.known.get(member)
        return named.name if named else member[:8]

    def publish(self, ids: Sequence[str]) -> None:
        """Let `send` take these sessions as they are now."""
        for id_ in ids:
            self._archive.shared.publish(self._own(SharedItem(id_, ItemKind.SESSION, _AS_IT_IS)))

    def send(self, *, has_left: bool = False, shares: bool = True) -> None:
        """Write what this member shares, then the index that lists it, and remove the rest."""
        self.enter()
        items, names = self._written() if shares else ([], set[str]())
        before = self.own_index
        index = ShareIndex(
            number=before.number + 1 if before else self._least,
            name=self._place.name,
            project=self._place.project_name,
            opens=self._identity.opens,
            founder=self._place.founder,
            items=tuple(items),
            has_left=has_left,
        )
        old = [str(name) for name in self._files(self._identity.id, STATE)]
        if before is None or replace(before, number=index.number) != index or len(old) > 1:
            self._write_signed(STATE, index.number, index.to_json())
            for name in old:
                self._remove(name)
            self.indexes[self._identity.id] = index
        for file in self._files(self._identity.id, FILE):
            if file.what not in names:
                self._remove(str(file))

    def _written(self) -> tuple[list[SharedItem], set[str]]:
        """Write the files of what the user shares; return the items, and the names of files."""
        shared, me = self._archive.shared, self._identity.id
        held = shared.items(self._place.project)
        published = {
            id_: each.item for id_, each in held.items() if each.is_own and each.member == me
        }
        ids = shared.own_ids(self._place.project, [*published])
        shown = self._shown([id_ for several in ids.values() for id_ in several])
        items: list[SharedItem] = []
        names: set[str] = set()
        for kind, several in ids.items():
            for id_ in several:
                if written := self._write_item(kind, id_, shown, published.get(id_)):
                    item, files = written
                    items.append(item)
                    names |= files
        return items, names

    def _shown(self, own: Sequence[str]) -> set[str]:
        return {*own, *self._archive.shared.items(self._place.project)}

    def _write_item(
        self, kind: ItemKind, id_: str, shown: Collection[str], published: SharedItem | None
    ) -> tuple[SharedItem, set[str]] | None:
        """Write an item unless it is there; a session stays as it was published."""
        content = self._archive.shared.content(kind, id_, shown)
        if content is None:
            return None
        content = self._with_present_files(kind, content)
        digest, packed = _packed(content)
        files = {
            self._write_file(digest_, name) for digest_, name in stored_files(content).items()
        }
        if published and digest != published.digest:
            # What was published stays as it was until it is published again.
            what = self._key.keyed(published.digest)
            if self._find(self._identity.id, what):
                return published, {what, *self._files_of(published)}
            self._archive.shared.publish(self._own(replace(published, digest=digest)))
        what = self._key.keyed(digest)
        if not self._find(self._identity.id, what):
            self._write(*self._key.seal(self._identity.id, FILE, what, packed))
            self._sent += 1
        return SharedItem(id_, kind, digest), {what, *files}

    def _own(self, item: SharedItem) -> Ownership:
        return Ownership(
            item, self._place.project, self._identity.id, self._place.name, is_own=True
        )

    def _files_of(self, item: SharedItem) -> set[str]:
        content = self._content(self._identity.id, self._key.keyed(item.digest), item)
        return {self._key.keyed(digest) for digest in stored_files(content or {})}

    def _with_present_files(self, kind: ItemKind, content: ItemContent) -> ItemContent:
        """Leave out files that are missing here, for which the others would wait forever."""
        store = self._archive.files
        missing = {
            name for name in stored_files(content).values() if not store.path(name).is_file()
        }
        if not missing:
            return content
        if kind is ItemKind.SOURCE:
            row = [None if value in missing else value for value in content["source"][0]]
            return {**content, "source": [row]}
        kept = [
            row
            for row in content["files"]
            if not missing & {*stored_files({"files": [row]}).values()}
        ]
        return {**content, "files": kept}

    def _write_file(self, digest: str, name: str) -> str:
        what = self._key.keyed(digest)
        if not self._find(self._identity.id, what):
            with suppress(FileUnreadableError):  # damaged: the others wait until it is repaired
                data = self._archive.files.read_copy(name)
                self._write(*seal_file(self._key, self._identity.id, name, data))
        return what

    def report(self) -> SharingReport:
        problems = {kind: sorted(names) for kind, names in self._problems.items() if names}
        return SharingReport(self._received, self._removed, self._sent, problems)

    def _read_indexes(self) -> Iterator[tuple[MemberId, ShareIndex]]:
        """Yield the newest index of each member that is not older than what was read before."""
        for member in map(MemberId, self._listing):
            known = self.known.get(member)
            for name in sorted(self._files(member, STATE), key=lambda file: -file.number):
                try:
                    index = ShareIndex.from_json(self._signed(member, str(name)))
                except NewerIndexError:
                    self._problems["newer"].add(self._name(member))
                    break
                except BrokenFileError:
                    self._problems["broken"].add(self._name(member))
                    continue
                is_old = known is not None and index.number < known.number
                if not is_old and index.number == name.number:
                    yield member, index
                break

    def _signed(self, member: MemberId, name: str) -> Mapping[str, JsonValue]:
        parsed = FileName.parse(name)
        sealed = self._read(member, parsed, _MOST_SEALED) if parsed else None
        if sealed is None:
            raise BrokenFileError(name)
        try:
            value = json.loads(_decompressed(self._key.open(member, name, sealed)))
        except (ValueError, RecursionError) as exc:
            raise BrokenFileError(name) from exc
        return verified(self._key.space, member, value)

    def _write_signed(self, kind: str, number: int, body: Mapping[str, JsonValue]) -> None:
        signed = self._identity.sign(self._key.space, body)
        packed = zlib.compress(json.dumps(signed, ensure_ascii=False).encode(), _LEVEL)
        self._write(*self._key.seal(self._identity.id, kind, number, packed))

    def _read(self, member: MemberId, file: FileName, most: int) -> bytes | None:
        if file.length > most:
            self._problems["large"].add(self._name(member))
            return None
        try:
            data = self._carrier.read(member, str(file))
        except (CarrierSlowError, FileNotFoundError):
            return None
        return data if len(data) <= most else None

    def _find(self, member: MemberId, what: str) -> FileName | None:
        if member not in self._by_content:
            self._by_content[member] = {file.what: file for file in self._files(member, FILE)}
        return self._by_content[member].get(what)

    def _files(self, member: MemberId, kind: str) -> list[FileName]:
        names = map(FileName.parse, self._listing.get(member, ()))
        return [name for name in names if name is not None and name.kind == kind]

    def _write(self, name: str, data: bytes) -> None:
        self._carrier.write(self._identity.id, name, data)
        self._listing.setdefault(self._identity.id, []).append(name)
        self._by_content.pop(self._identity.id, None)

    def _remove(self, name: str) -> None:
        self._carrier.remove(self._identity.id, name)
        self._listing[self._identity.id].remove(name)
        self._by_content.pop(self._identity.id, None)


def _check_equal(actual: str, expected: str) -> None:
    if actual != expected:
        raise BrokenFileError(expected)


def _packed(content: ItemContent) -> tuple[Digest, bytes]:
    """Return the hash of an item's JSON, and the JSON compressed."""
    text = json.dumps(
        portable(content), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    ).encode("utf-8", "surrogatepass")
    return Digest(sha256(text).hexdigest()), zlib.compress(text, _LEVEL)


def _decompressed(packed: bytes) -> bytes:
    """Raises BrokenFileError, also for more than may be opened."""
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(packed, _MOST_OPENED)
    except zlib.error as exc:
        raise BrokenFileError("compressed") from exc
    if not reader.eof:
        raise BrokenFileError("too large")
    return text
