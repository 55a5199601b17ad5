"""The works of a Zotero on this computer as works of the library; Zotero itself stays as it is.

A work knows the items it comes from: their keys and stamps stand in its reference (`LINKS`), so
that they follow it into backups and copies, and go with it. What Zotero says is one origin of
fields: when it is read again, only what came from it is replaced, and what the user typed stays.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING, NO_PROJECT, ProjectId, Wall
from desktop.domain.references import CUSTOM, KEY, LINKS, FieldOrigin, Reference, Work
from desktop.domain.sources import Source, SourceKind
from desktop.references.fields import keep_in, kept_by
from desktop.references.formats import exported, with_keys, without_originals, write_csl
from desktop.references.merging import WorkIndex, merged, reference_of
from desktop.research.library import AddedDocument, AddOutcome, Library, LibraryProgress
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.zotero_api import ANNOTATION, Stamp, ZoteroApi, ZoteroItem, ZoteroStatus
from desktop.sessions.library_references import References, store_together
from desktop.settings.settings import Settings

if TYPE_CHECKING:
    from desktop.storage.archive import Archive

OnProgress = Callable[[LibraryProgress], None]

_CITATION_KEY = "citation-key"


@dataclass(slots=True)
class ZoteroReport:
    added: list[Work] = field(default_factory=list)
    filled: list[Work] = field(default_factory=list)
    """Works that were in the library without Zotero."""
    renewed: list[Work] = field(default_factory=list)
    """Works whose item or file changed in Zotero."""
    failed: list[AddedDocument] = field(default_factory=list)
    """Files that could not be read; the work is there without its text."""
    bare: int = 0
    """How many of the added works have no PDF."""
    notes: int = 0
    """How many annotations became notes."""
    gone: Sequence[Work] = ()
    """Works whose item is no longer in Zotero."""
    was_stopped: bool = False


@dataclass(frozen=True, slots=True)
class _Link:
    """An item that a work comes from, and its files."""

    stamp: Stamp
    files: Mapping[str, Stamp]


@dataclass(frozen=True, slots=True)
class _Entry:
    """An item of Zotero with its files, and the work that it becomes."""

    item: ZoteroItem
    files: Sequence[ZoteroItem]
    project: ProjectId
    work: Work | None  # Also one that is like it, but not linked yet
    is_linked: bool
    due: ZoteroItem | None = None  # The file to read
    path: Path | None = None  # Where it is, if it is on this computer


@dataclass(frozen=True, slots=True)
class Zotero:
    """Slow: call it on a worker thread. Methods raise ZoteroError, StorageError."""

    _archive: "Archive"
    _library: Library
    _references: References
    _api: ZoteroApi

    def status(self) -> ZoteroStatus:
        return self._api.status()

    def linked(self) -> Sequence[Work]:
        """Return the works that come from Zotero."""
        return [work for work in self._archive.references.works(EVERYTHING) if _links(work)]

    def add(
        self,
        collection: str | None = None,
        project: ProjectId | None = None,
        *,
        with_copies: bool = False,
        on_progress: OnProgress = lambda _: None,
        should_stop: Stop = never,
    ) -> ZoteroReport:
        """Add a collection with those in it, or the whole library, and read again what changed.

        Raises ZoteroCollectionError.
        """
        links = _LinkedWorks(self._archive.references.works(_wall(project)))
        versions = self._api.versions(self._api.scope(collection), should_stop)
        edited = self._edited(links, should_stop)
        changed = set(_changed(links, versions, edited))
        keys = [key for key in versions if key in changed or key not in links.stamps]
        entries = self._entries(links, keys, should_stop, project or NO_PROJECT)
        report = self._take(entries, on_progress, should_stop, with_copies=with_copies)
        self._read_annotations(links, edited, report, should_stop)
        return report

    def refresh(
        self, *, on_progress: OnProgress = lambda _: None, should_stop: Stop = never
    ) -> ZoteroReport:
        """Read again what changed in Zotero, and find what is gone; nothing is removed."""
        links = _LinkedWorks(self._archive.references.works(EVERYTHING))
        if not links.stamps:
            return ZoteroReport()
        versions = self._api.versions(stop=should_stop)
        edited = self._edited(links, should_stop)
        entries = self._entries(links, _changed(links, versions, edited), should_stop)
        report = self._take(entries, on_progress, should_stop)
        self._read_annotations(links, edited, report, should_stop)
        report.gone = [work for work in self.linked() if versions.keys().isdisjoint(_links(work))]
        return report

    def forget(self, works: Sequence[Work]) -> None:
        """Keep works that are gone from Zotero as works of the library alone."""
        for work in works:
            self._archive.references.store(work.source.id, _with_links(work.reference, {}))

    def send(self, source_ids: Sequence[SourceId]) -> int:
        """Send references to the collection that is selected in Zotero; return their number."""
        items = with_keys([work.reference for work in self._references.works(source_ids)])
        return self._api.send(write_csl([without_originals(exported(item)) for item in items]))

    def _edited(self, links: "_LinkedWorks", stop: Stop) -> Sequence[ZoteroItem]:
        """Return what was edited since the newest linked item."""
        moment = max((stamp.modified for stamp in links.stamps.values()), default="")
        return list(self._api.modified_since(moment, stop)) if moment else []

    def _read_annotations(
        self,
        links: "_LinkedWorks",
        edited: Iterable[ZoteroItem],
        report: ZoteroReport,
        stop: Stop,
    ) -> None:
        """Store new annotations of documents that were read earlier."""
        files = dict.fromkeys(item.parent for item in edited if item.kind == ANNOTATION)
        for file in files:
            for work in links.works.get(links.owner.get(file, ""), ()):
                if work.source.kind is SourceKind.DOCUMENT:
                    annotations = self._api.annotations(file, stop)
                    report.notes += self._library.add_annotations(work.source, annotations)

    def _entries(
        self,
        links: "_LinkedWorks",
        keys: Iterable[str],
        stop: Stop,
        project: ProjectId | None = None,
    ) -> Iterator[_Entry]:
        """Yield items with what they become; `project`: of items without a work, None: skip."""
        items = {item.key: item for item in self._api.items(keys, stop)}
        owners = {item.parent or item.key for item in items.values()}
        if project is None:
            owners &= links.works.keys()
        files = {file for owner in owners for file in links.files.get(owner, ())}
        items |= {
            item.key: item for item in self._api.items((owners | files) - items.keys(), stop)
        }
        children = defaultdict(list)
        for item in items.values():
            children[item.parent].append(item)
        for key in sorted(owners & items.keys(), key=lambda key: items[key].added):
            item = items[key]
            its_files = [item] if item.is_file else children[key]
            for work in links.works.get(key) or (links.like(item),):
                place = work.source.project if work else project or NO_PROJECT
                due = links.due(work, its_files)
                path = self._api.file(due.key, stop) if due else None
                is_linked = key in links.works
                yield _Entry(item, its_files, place, work, is_linked, due=due, path=path)

    def _take(
        self,
        entries: Iterable[_Entry],
        on_progress: OnProgress,
        should_stop: Stop,
        *,
        with_copies: bool = False,
    ) -> ZoteroReport:
        """Store works, and read their files."""
        report = ZoteroReport()
        with_file: dict[ProjectId, dict[Path, _Entry]] = defaultdict(dict)

        def take(entry: _Entry) -> None:
            if entry.path and entry.path not in with_file[entry.project]:
                with_file[entry.project][entry.path] = entry
            else:
                self._store(entry, report, None)

        store_together(self._archive, entries, take)

        def tell(progress: LibraryProgress) -> None:
            if progress.done is not None:
                self._store(with_file[project][progress.path], report, progress.done)
            on_progress(progress)

        for project, by_path in with_file.items():
            done = self._library.of(project).add(
                list(by_path),
                with_copies=with_copies,
                on_progress=tell,
                should_stop=should_stop,
            )
            report.was_stopped |= done.was_stopped
        return report

    def _store(self, entry: _Entry, report: ZoteroReport, document: AddedDocument | None) -> None:
        """Link an item to its work, which is a document, or has no text."""
        source = document.source if document else None
        reference = reference_of(_csl(entry.item), FieldOrigin.ZOTERO)
        if document is not None and source is None:
            report.failed.append(document)
        # A file that could not be read stays unknown: it is tried again with the next import.
        files = [file for file in entry.files if source is not None or file is not entry.due]
        link = _Link(entry.item.stamp, {file.key: file.stamp for file in files})
        links = {entry.item.key: link}
        work = self._work(entry.work, source) if source else entry.work
        if work is None:
            linked = _with_links(reference, links)
            stored = self._references.add_work(linked, entry.project, entry.item.key)
        else:
            if source is None and _links(work).get(entry.item.key) == link:
                return
            stored = self._archive.references.store(
                work.source.id, _linked(work, reference, links)
            )
        is_new = entry.work is None and (
            document is None or document.outcome is not AddOutcome.KNOWN
        )
        if source is not None and entry.due is not None:
            annotations = self._api.annotations(entry.due.key)
            report.notes += self._library.add_annotations(source, annotations)
        if entry.is_linked:
            report.renewed.append(stored)
        else:
            (report.added if is_new else report.filled).append(stored)
            report.bare += is_new and document is None

    def _work(self, work: Work | None, source: Source) -> Work:
        """Return the work of a document that was read, made one with what was there before it."""
        if work is not None and work.source.id != source.id:
            return self._references.merge([source.id, work.source.id]).value
        return self._archive.references.work(source.id)


class _LinkedWorks:
    """The works that come from Zotero, by the keys of their items."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.stamps: dict[str, Stamp] = {}  # Of items and files
        self.works: dict[str, list[Work]] = {}
        self.files: dict[str, Sequence[str]] = {}
        self.owner: dict[str, str] = {}  # The item of each file
        for work in works:
            for key, link in _links(work).items():
                self.works.setdefault(key, []).append(work)
                self.files[key] = list(link.files)
                self.owner |= dict.fromkeys(link.files, key)
                self.stamps |= {key: link.stamp, **link.files}
        self._others = WorkIndex(work for work in works if not _links(work))

    def like(self, item: ZoteroItem) -> Work | None:
        """Return a work without a link that the item describes, once."""
        return self._others.take(reference_of(_csl(item), FieldOrigin.ZOTERO))

    def due(self, work: Work | None, files: Sequence[ZoteroItem]) -> ZoteroItem | None:
        """Return the file of a work that is to be read, for the first time or again."""
        pdfs = (file for file in files if file.is_pdf)
        first = min(pdfs, key=lambda file: file.added, default=None)
        is_document = work is not None and work.source.kind is SourceKind.DOCUMENT
        is_read = first is not None and self.stamps.get(first.key, first.stamp) == first.stamp
        return None if is_document and is_read else first


def _wall(project: ProjectId | None) -> Wall:
    return EVERYTHING if project is None else Wall(project)


def _changed(
    links: _LinkedWorks, versions: Mapping[str, int], edited: Iterable[ZoteroItem]
) -> Sequence[str]:
    """Return the linked items and files that changed, and new ones that may belong to them."""
    if not links.stamps:
        return []
    newest = max(stamp.version for stamp in links.stamps.values())
    changed = [
        key
        for key, version in versions.items()
        if (links.stamps[key].version != version if key in links.stamps else version > newest)
    ]
    for item in edited:
        is_linked = item.key in links.stamps or item.parent in links.works
        if is_linked and item.stamp != links.stamps.get(item.key):
            changed.append(item.key)
    return changed


def _csl(item: ZoteroItem) -> dict[str, JsonValue]:
    """Return the CSL of an item with its citation key, if it has one, instead of its address."""
    csl = {name: value for name, value in item.csl.items() if name not in {KEY, CUSTOM}}
    key = csl.get(_CITATION_KEY)
    return csl | ({KEY: key} if isinstance(key, str) and key else {})


def _linked(work: Work, reference: Reference, links: Mapping[str, _Link]) -> Reference:
    """Return a work's reference with what Zotero says instead of what it said before."""
    csl, origins = work.reference.csl, work.reference.origins
    names = [name for name in csl if origins.get(name) is not FieldOrigin.ZOTERO]
    own = Reference(
        {name: csl[name] for name in names},
        {name: origins[name] for name in names if name in origins},
    )
    whole = merged(own, reference)
    return _with_links(whole, {**_links(work), **links})


def _with_links(reference: Reference, links: Mapping[str, _Link]) -> Reference:
    written = {key: _written(link) for key, link in links.items()}
    return Reference(keep_in(reference.csl, LINKS, written), reference.origins)


def _links(work: Work) -> Mapping[str, _Link]:
    """Return the items that a work comes from, by their keys."""
    kept = kept_by(work.reference.csl, LINKS)
    links = kept.items() if isinstance(kept, Mapping) else ()
    return {key: _read(link) for key, link in links if isinstance(link, Mapping)}


def _written(link: _Link) -> dict[str, JsonValue]:
    files: dict[str, JsonValue] = {
        key: [stamp.version, stamp.modified] for key, stamp in link.files.items()
    }
    return {"stamp": [link.stamp.version, link.stamp.modified], "files": files}


def _read(link: Mapping[str, JsonValue]) -> _Link:
    files = link.get("files")
    stamps = files.items() if isinstance(files, Mapping) else ()
    return _Link(_stamp(link.get("stamp")), {key: _stamp(value) for key, value in stamps})


def _stamp(value: JsonValue) -> Stamp:
    match value:
        case [int(version), str(modified)]:
            return Stamp(version, modified)
        case _:
            return Stamp(-1, "")  # like no item: it is read again


def zotero_of(
    archive: "Archive",
    library: Library,
    references: References,
    settings: Callable[[], Settings],
) -> Zotero:
    return Zotero(archive, library, references, ZoteroApi(lambda: settings().zotero_address))
